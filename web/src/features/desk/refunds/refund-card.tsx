import { BankTransfer } from '@sought/contract/fields'
import { markRefundPaid, retryRefund, type StuckRefund } from '@sought/contract/refunds'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'
import { AdminSteps } from '../shared/admin-steps.tsx'
import { DeskPersonLink } from '../shared/desk-links.tsx'
import { MarkPaidDialog } from '../shared/mark-paid-dialog.tsx'
import { MoneyCard } from '../shared/money-card.tsx'

export function RefundCard({ refund }: { refund: StuckRefund }) {
  return (
    <MoneyCard
      label={`Refund to ${refund.buyer.name}`}
      title={<DeskPersonLink person={refund.buyer} />}
      of={refund}
      state={describeState(refund)}
    >
      {refund.status !== 'paid' && <Details refund={refund} />}
      <AdminSteps steps={refund.steps} labels={stepLabels} />
      {refund.status !== 'paid' && <Actions refund={refund} />}
    </MoneyCard>
  )
}

function describeState({ status, failedAt, nextTryAt, paidAt }: StuckRefund): string {
  switch (status) {
    case 'failed':
      return failedAt ? `Failed ${formatDate(failedAt)}` : 'Failed'
    case 'retrying':
      return nextTryAt ? `Next try ${formatDateTime(nextTryAt)}` : 'Trying again'
    case 'paid':
      return paidAt ? `Paid ${formatDate(paidAt)}` : 'Paid'
  }
}

function Details({ refund: { reason, attempts, buyerEmail } }: { refund: StuckRefund }) {
  return (
    <DefinitionList
      className="border-line border-y py-1 [overflow-wrap:anywhere]"
      rows={[
        { label: 'Reason', value: describeReason(reason) },
        { label: 'Failed attempts', value: attempts },
        buyerEmail && {
          label: 'Buyer’s email',
          value: (
            <a className="link" href={`mailto:${buyerEmail}`}>
              {buyerEmail}
            </a>
          ),
        },
      ]}
    />
  )
}

function Actions({ refund }: { refund: StuckRefund }) {
  if (refund.bankDecides) {
    return (
      <Notice tone="warning">
        The buyer’s bank is reviewing this payment. You can refund it once the bank has decided.
      </Notice>
    )
  }
  return (
    <div className="flex flex-wrap gap-3">
      <RetryButton refund={refund} />
      <MarkPaidButton refund={refund} />
    </div>
  )
}

const stepLabels = {
  retried: 'Tried again',
  marked_paid: 'Marked as paid',
} satisfies Record<StuckRefund['steps'][number]['action'], string>

/** The provider's codes for failed and refused refunds, in words for admins. */
const reasons: Record<string, string> = {
  lost_or_stolen_card: 'The card was lost or stolen.',
  expired_or_canceled_card: 'The card has expired or was cancelled.',
  charge_for_pending_refund_disputed: 'The buyer’s bank disputed the payment first.',
  insufficient_funds: 'There was not enough money in our balance.',
  balance_insufficient: 'There was not enough money in our balance.',
  declined: 'The buyer’s bank declined it.',
  merchant_request: 'It was cancelled at our request.',
  charge_disputed: 'The buyer’s bank has already taken the payment back.',
  charge_already_refunded: 'The payment was already refunded.',
}

/** Unknown codes are shown unchanged. */
function describeReason(reason: string | null): string {
  if (reason === null || reason === 'unknown') return 'The card provider gave no reason.'
  return reasons[reason] ?? `The card provider says: ${reason}.`
}

const feedback = (successDescription: string) => ({
  success: { title: 'Refund Updated', description: successDescription },
  failure: explainFailure('Refund Failed'),
})

function RetryButton({ refund }: { refund: StuckRefund }) {
  const amount = formatMoney(refund.amount, refund.currency)
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

function MarkPaidButton({ refund }: { refund: StuckRefund }) {
  const amount = formatMoney(refund.amount, refund.currency)
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
