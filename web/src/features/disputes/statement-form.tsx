import { answerDispute, type Dispute } from '@sought/contract/disputes'
import { type FormEvent, useState } from 'react'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { Button } from '../../ui/forms/button.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'

const STATEMENT_MAX_LENGTH = 10_000

/** Adds a statement that the other party and the admins read. */
export function StatementForm({ dispute }: { dispute: Dispute }) {
  const [content, setContent] = useState('')
  const { run, isPending } = useAction(answerDispute, {
    success: { title: 'Statement Added' },
    failure: explainFailure('Failed to send your statement'),
    onDone: () => setContent(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (content.trim() !== '') void run({ params: { paymentId: String(dispute.id) }, body: { content } })
  }
  return (
    <form noValidate aria-label="Statement" onSubmit={submit} className="grid gap-3">
      <TextArea
        label="Your statement"
        rows={3}
        maxLength={STATEMENT_MAX_LENGTH}
        hint="The other party and our team will read it. You cannot change it later."
        value={content}
        onChange={({ target }) => setContent(target.value)}
      />
      <Button
        type="submit"
        variant="secondary"
        className="justify-self-start"
        busy={isPending}
        disabled={content.trim() === ''}
      >
        Add Statement
      </Button>
    </form>
  )
}
