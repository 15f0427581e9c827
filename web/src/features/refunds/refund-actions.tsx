import { listStuckRefunds, markRefundPaid, retryRefund, type StuckRefund } from '@sought/contract/refunds'
import { useState } from 'react'
import { formatCents } from '../../lib/money.ts'
import { explainFailure, useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'

const REFERENCE_MAX_LENGTH = 200

const feedback = (successDescription: string) => ({
  success: { title: 'Refund Updated', description: successDescription },
  failure: explainFailure('Refund Failed'),
  refreshes: [listStuckRefunds],
})

export function RetryButton({ refund }: { refund: StuckRefund }) {
  const amount = formatCents(refund.amount, refund.currency)
  const [isOpen, setIsOpen] = useState(false)
  const { run, isPending } = useAction(
    retryRefund,
    feedback(`We are sending ${amount} to ${refund.buyer.name} again.`),
  )
  return (
    <ConfirmDialog
      title={`Refund ${amount} again?`}
      description={`To the card that ${refund.buyer.name} paid with. If the card is closed, it may fail again.`}
      confirmLabel={`Refund ${amount}`}
      cancelLabel="Not Yet"
      busy={isPending}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={async () => {
        await run({ params: { paymentId: String(refund.paymentId) } })
        setIsOpen(false)
      }}
      trigger={<Button size="sm">Try Again</Button>}
    />
  )
}

export function MarkPaidButton({ refund }: { refund: StuckRefund }) {
  const amount = formatCents(refund.amount, refund.currency)
  const [isOpen, setIsOpen] = useState(false)
  const [reference, setReference] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const { run, isPending } = useAction(
    markRefundPaid,
    feedback(`${amount} to ${refund.buyer.name} is marked as paid.`),
  )
  const confirm = async () => {
    const trimmed = reference.trim()
    setIsMissing(trimmed === '')
    if (trimmed === '') return
    await run({ params: { paymentId: String(refund.paymentId) }, body: { reference: trimmed } })
    setIsOpen(false)
  }
  return (
    <ConfirmDialog
      title={`Have you paid ${amount}?`}
      description={`To ${refund.buyer.name}, outside the card provider. We notify the buyer. This cannot be undone.`}
      confirmLabel={`Mark ${amount} Paid`}
      cancelLabel="Not Yet"
      busy={isPending}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={() => void confirm()}
      trigger={
        <Button size="sm" variant="secondary">
          Paid Manually
        </Button>
      }
    >
      <TextField
        label="Reference"
        hint="The bank’s reference number of the transfer."
        maxLength={REFERENCE_MAX_LENGTH}
        autoComplete="off"
        value={reference}
        error={isMissing ? 'Please enter the reference of the transfer' : undefined}
        onChange={({ target }) => {
          setReference(target.value)
          setIsMissing(false)
        }}
      />
    </ConfirmDialog>
  )
}
