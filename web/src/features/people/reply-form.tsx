import { REVIEW_REPLY_MAX_LENGTH, type Review, ReviewReply, replyToReview } from '@sought/contract/reviews'
import { explainFailure } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'

/** The reviewed person's single public reply. */
export default function ReplyForm({ review, onClose }: { review: Review; onClose: () => void }) {
  const form = useContractForm(replyToReview, {
    schema: ReviewReply,
    values: { text: '' },
    input: (body) => ({ params: { id: String(review.id) }, body }),
    success: { title: 'Reply published' },
    failure: explainFailure('Your reply was not published'),
  })
  return (
    <Form
      form={form}
      name={`Reply to ${review.by.name}`}
      className="mt-1 gap-3"
      submitLabel="Publish Reply"
      size="sm"
      disabled={!form.watch('text').trim()}
      aside={
        <Button variant="quiet" size="sm" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <TextArea
        label="Your reply"
        hint="Everyone can read it. You can reply once and cannot change it."
        maxLength={REVIEW_REPLY_MAX_LENGTH}
        {...form.field('text')}
      />
    </Form>
  )
}
