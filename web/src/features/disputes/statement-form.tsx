import { answerDispute, type Dispute } from '@sought/contract/disputes'
import { explainFailure } from '../../data/use-action.ts'
import { useContractForm } from '../../shared/forms/contract-form.ts'
import { Form } from '../../shared/forms/form.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'

const STATEMENT_MAX_LENGTH = 10_000

/** Adds a statement that the other party and the admins read. */
export function StatementForm({ dispute }: { dispute: Dispute }) {
  const form = useContractForm(answerDispute, {
    values: { content: '' },
    input: (body) => ({ params: { paymentId: String(dispute.id) }, body }),
    success: { title: 'Statement Added' },
    failure: explainFailure('Failed to send your statement'),
    onDone: () => form.reset(),
  })
  return (
    <Form
      form={form}
      name="Statement"
      className="gap-3"
      submitLabel="Add Statement"
      variant="secondary"
      disabled={form.watch('content').trim() === ''}
    >
      <TextArea
        label="Your statement"
        rows={3}
        maxLength={STATEMENT_MAX_LENGTH}
        hint="The other party and our team will read it. You cannot change it later."
        {...form.field('content')}
      />
    </Form>
  )
}
