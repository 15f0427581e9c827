import { BankTransfer } from '@sought/contract/fields'
import { markRefundPaid, retryRefund, type StuckRefund } from '@sought/contract/refunds'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatCents } from '../../../format/money.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { MarkPaidDialog } from '../shared/mark-paid-dialog.tsx'

const feedback = (successDescription: string) => ({
  success: { title: 'Refund Updated', description: successDescription },
  failure: explainFailure('Refund Failed'),
})

export function RetryButton({ refund }: { refund: StuckRefund }) {
  const amount = formatCents(refund.amount, refund.currency)
  const { run } = useAction(retryRefund, feedback(`We are sending ${amount} to ${refund.buyer.name} again.`))
  return (
    <ConfirmDialog
      title={`Refund ${amount} again?`}
      description={`To the card that ${refund.buyer.name} paid with. If the card is closed, it may fail again.`}
      confirmLabel={`Refund ${amount}`}
      cancelLabel="Not Yet"
      onConfirm={() => run({ params: { paymentId: String(refund.paymentId) } })}
      trigger={<Button size="sm">Try Again</Button>}
    />
  )
}

export function MarkPaidButton({ refund }: { refund: StuckRefund }) {
  const amount = formatCents(refund.amount, refund.currency)
  const form = useContractForm(markRefundPaid, {
    schema: BankTransfer,
    values: { reference: '' },
    input: (body) => ({ params: { paymentId: String(refund.paymentId) }, body }),
    ...feedback(`${amount} to ${refund.buyer.name} is marked as paid.`),
  })
  return (
    <MarkPaidDialog
      form={form}
      amount={amount}
      description={`To ${refund.buyer.name}, outside the card provider. We notify the buyer. This cannot be undone.`}
      trigger={
        <Button size="sm" variant="secondary">
          Paid Manually
        </Button>
      }
    />
  )
}
