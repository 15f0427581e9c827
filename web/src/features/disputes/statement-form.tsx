import { answerDispute, type Dispute } from '@sought/contract/disputes'
import { type FormEvent, useState } from 'react'
import { toast } from '../../lib/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { useDisputeStep } from './use-dispute-step.ts'

const STATEMENT_MAX_LENGTH = 10_000

/** Adds a statement that the other party and the admins read. */
export function StatementForm({ dispute }: { dispute: Dispute }) {
  const [content, setContent] = useState('')
  const { take, busy } = useDisputeStep(answerDispute, {
    failed: 'Failed to send your statement',
    onDone: () => {
      setContent('')
      toast({ title: 'Statement Added' })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (content.trim() === '' || busy) return
    void take({ params: { paymentId: String(dispute.id) }, body: { content } })
  }
  return (
    <form noValidate aria-label="Statement" onSubmit={submit} className="grid gap-3">
      <TextArea
        label="Your side of it"
        rows={3}
        maxLength={STATEMENT_MAX_LENGTH}
        hint="The other side and whoever decides will read it. It cannot be changed afterwards."
        value={content}
        onChange={({ target }) => setContent(target.value)}
      />
      <Button
        type="submit"
        variant="secondary"
        className="justify-self-start"
        busy={busy}
        disabled={content.trim() === ''}
      >
        Add Statement
      </Button>
    </form>
  )
}
