import { REVIEW_REPLY_MAX_LENGTH, type Review, replyToReview } from '@sought/contract/reviews'
import { type FormEvent, useState } from 'react'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'

/** The reviewed person's single public reply. */
export function ReplyForm({ review }: { review: Review }) {
  const [isOpen, setIsOpen] = useState(false)
  const [text, setText] = useState('')
  const { run, isPending } = useAction(replyToReview, {
    success: { title: 'Reply published' },
    failure: explainFailure('Your reply was not published'),
  })
  if (!isOpen)
    return (
      <Button variant="quiet" size="sm" className="justify-self-start" onClick={() => setIsOpen(true)}>
        Reply
      </Button>
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) void run({ params: { id: String(review.id) }, body: { text } })
  }
  return (
    <form aria-label={`Reply to ${review.by.name}`} onSubmit={submit} className="mt-1 grid gap-3">
      <TextArea
        label="Your reply"
        hint="Everyone can read it. You can reply once and cannot change it."
        maxLength={REVIEW_REPLY_MAX_LENGTH}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" size="sm" busy={isPending} disabled={!text.trim()}>
          Publish Reply
        </Button>
        <Button variant="quiet" size="sm" onClick={() => setIsOpen(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
