import { MESSAGE_MAX_LENGTH } from '@sought/contract/constants'
import type { Photo } from '@sought/contract/photos'
import { SendHorizontal } from 'lucide-react'
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import type { Parties } from '../../shared/offers/parties.ts'
import { AddPhotosButton, PhotoPreviews } from '../../shared/photos/photo-field.tsx'
import { type Photos, picturesIn } from '../../shared/photos/use-photos.ts'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { loadDraft, storeDraft } from './draft-storage.ts'

interface Props {
  parties: Parties
  field: RefObject<HTMLTextAreaElement | null>
  photos: Photos
  onTyping: () => void
  onSend: (content: string, photos: readonly Photo[]) => void
}

/** Enter sends, Shift+Enter starts a new line, and blank text without photos is ignored. */
export function Composer({ parties, field, photos, onTyping, onSend }: Props) {
  const [text, setText] = useState(() => loadDraft(parties))
  const changeText = (next: string) => {
    setText(next)
    storeDraft(parties, next)
  }
  const submit = () => {
    const content = text.trim()
    if (!photos.isReady || (!content && photos.stored.length === 0)) return
    changeText('')
    photos.clear()
    onSend(content, photos.stored)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter confirms a word of an input method, for example in Chinese or Japanese.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    submit()
  }
  const onPaste = (event: ClipboardEvent) => {
    const pictures = picturesIn(event.clipboardData)
    if (pictures.length === 0) return
    event.preventDefault()
    photos.add(pictures)
  }
  return (
    <form onSubmit={onSubmit} className="grid gap-2 border-line border-t p-3 xl:col-start-1 xl:row-start-3">
      <PhotoPreviews photos={photos} />
      <div className="flex items-end gap-2">
        <AddPhotosButton photos={photos} />
        <TextArea
          ref={field}
          label={`Message to ${parties.other.name}`}
          hideLabel
          className="grow [&_textarea]:max-h-40 [&_textarea]:resize-none"
          rows={1}
          maxLength={MESSAGE_MAX_LENGTH}
          placeholder="Write a message"
          value={text}
          onChange={(event) => {
            changeText(event.target.value)
            if (event.target.value.trim()) onTyping()
          }}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
        />
        <Button type="submit" aria-label="Send" disabled={!photos.isReady} className="min-h-11.5 px-3.5">
          <SendHorizontal aria-hidden="true" />
          <span className="max-sm:hidden">Send</span>
        </Button>
      </div>
    </form>
  )
}
