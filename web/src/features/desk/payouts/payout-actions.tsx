import { BankTransfer } from '@sought/contract/fields'
import {
  type ManualPayout,
  markPayoutPaid,
  sendPayoutAgain,
  undoManualPayout,
} from '@sought/contract/payouts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatMoney } from '../../../format/money.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { MarkPaidDialog } from '../shared/mark-paid-dialog.tsx'

const feedback = (successDescription: string) => ({
  success: { title: 'Payout Updated', description: successDescription },
  failure: explainFailure('Payout Failed'),
})

export function MarkPaidButton({ payout }: { payout: ManualPayout }) {
  const amount = formatMoney(payout.amount, payout.currency)
  const form = useContractForm(markPayoutPaid, {
    schema: BankTransfer,
    values: { reference: '' },
    input: (body) => ({ params: { id: String(payout.id) }, body }),
    ...feedback(`${amount} to ${payout.seller.name} is marked as paid.`),
  })
  return (
    <MarkPaidDialog
      form={form}
      amount={amount}
      description={`To ${payout.accountHolderName ?? payout.seller.name}${payout.accountLast4 ? `, account ending in ${payout.accountLast4}` : ''}. We notify the seller that the payout is on its way.`}
      trigger={<Button size="sm">Mark Paid</Button>}
    />
  )
}

export function UndoButton({ payout }: { payout: ManualPayout }) {
  const amount = formatMoney(payout.amount, payout.currency)
  const { run } = useAction(undoManualPayout, feedback(`${amount} is owed to ${payout.seller.name} again.`))
  return (
    <ConfirmDialog
      title="Undo this payout?"
      description={`${amount} will be owed to ${payout.seller.name} again. Both steps stay in the history.`}
      confirmLabel="Undo Payout"
      cancelLabel="Keep as Paid"
      onConfirm={() => run({ params: { id: String(payout.id) } })}
      trigger={
        <Button variant="secondary" size="sm" className="justify-self-start">
          Undo
        </Button>
      }
    />
  )
}

export function SendAgainButton({ payout }: { payout: ManualPayout }) {
  const amount = formatMoney(payout.amount, payout.currency)
  const { run } = useAction(
    sendPayoutAgain,
    feedback(`We are sending ${amount} to ${payout.seller.name} again.`),
  )
  return (
    <ConfirmDialog
      title={`Send ${amount} again?`}
      description={`To ${payout.seller.name}, from the platform’s own balance. If their account cannot receive it and they gave bank details, it becomes a manual payout.`}
      confirmLabel={`Send ${amount}`}
      cancelLabel="Not Yet"
      onConfirm={() => run({ params: { id: String(payout.id) } })}
      trigger={
        <Button size="sm" className="justify-self-start">
          Send Again
        </Button>
      }
    />
  )
}
