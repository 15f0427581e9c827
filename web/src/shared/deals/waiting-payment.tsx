import { type PaymentDetails, stopWaiting } from '@sought/contract/payments'
import { isPaymentMethod, METHOD_RULES } from '@sought/escrow/payment-methods'
import type { ReactNode } from 'react'
import { explainFailure, useAction } from '../../data/use-action.ts'
import { formatDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { isWaiting, type Party } from './payment-status.ts'

type Waiting = Pick<PaymentDetails, 'amount' | 'currency' | 'method' | 'waitingUntil' | 'waitsFor'>

const nameOf = (method: string | null) =>
  method && isPaymentMethod(method) ? METHOD_RULES[method].name : 'another method'

/** What happens with a payment whose money takes days. */
export function describeWait(payment: Waiting, party: Party): string {
  const amount = formatMoney(payment.amount, payment.currency)
  const method = nameOf(payment.method)
  const until = payment.waitingUntil && formatDate(payment.waitingUntil)
  if (party === 'seller')
    return `The buyer is paying ${amount} (${method}), but the money has not arrived. Don’t deliver until it is in escrow.`
  if (!until && !isWaiting({ ...payment, status: 'pending' }))
    return `Your bank is processing the payment of ${amount}. You don’t need to do anything.`
  if (!until)
    return `Your bank has not confirmed the payment of ${amount} (${method}). Your request is open again. If the money still comes, it goes into escrow or back to you.`
  return payment.waitsFor === 'buyer'
    ? `Before ${amount} can be paid (${method}), you have to verify your account. Your request is reserved until ${until}.`
    : `${amount} is on its way from your bank (${method}). You don’t need to do anything. Your request is reserved until ${until}.`
}

/** Lets the buyer pay another way, as long as the bank has not taken the money. */
export function StopWaiting({
  paymentId,
  onStopped,
}: {
  paymentId: number
  onStopped?: () => void
}): ReactNode {
  const { run } = useAction(stopWaiting, {
    success: { title: 'Payment stopped', description: 'You can pay another way.' },
    failure: explainFailure('The payment was not stopped'),
    ...(onStopped && { onDone: onStopped }),
  })
  return (
    <ConfirmDialog
      title="Stop this payment?"
      description="You are not charged. Your request is open again until you pay another way."
      confirmLabel="Stop Payment"
      cancelLabel="Keep Waiting"
      tone="danger"
      onConfirm={() => run({ params: { id: String(paymentId) } })}
      trigger={<Button variant="quiet">Pay Another Way</Button>}
    />
  )
}
