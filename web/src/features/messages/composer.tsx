import { MESSAGE_MAX_LENGTH } from '@sought/contract/constants'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { keepDraft, readDraft } from './draft.ts'
import type { Parties } from './parties.ts'

interface Props {
  parties: Parties
  field: RefObject<HTMLTextAreaElement | null>
  onSend: (content: string) => void
}

/** Where the next message is written. Enter sends, Shift+Enter starts a new line; blank text is ignored (spec §2, §5). */
export function Composer({ parties, field, onSend }: Props) {
  const [text, setText] = useState(() => readDraft(parties))
  const write = (next: string) => {
    setText(next)
    keepDraft(parties, next)
  }
  const submit = () => {
    const content = text.trim()
    if (!content) return
    write('')
    onSend(content)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed (Chinese, Japanese), Enter belongs to the keyboard.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  return (
    <form
      onSubmit={onSubmit}
      className="flex items-end gap-2 border-line border-t p-3 xl:col-start-1 xl:row-start-3"
    >
      <TextArea
        ref={field}
        label={`Message to ${parties.other.name}`}
        hideLabel
        className="grow [&_textarea]:max-h-40 [&_textarea]:resize-none"
        rows={1}
        maxLength={MESSAGE_MAX_LENGTH}
        placeholder="Write a message"
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <Button type="submit" aria-label="Send" className="min-h-11.5 px-3.5">
        <SendHorizontal aria-hidden="true" />
        <span className="max-sm:hidden">Send</span>
      </Button>
    </form>
  )
}
