import type Stripe from 'stripe'
import { lockBalanceShared, recordMovement } from './balance.ts'
import type { Cause } from './cause.ts'
import type { Tx } from './database.ts'
import { emitEvent } from './events.ts'
import { convert } from './exchange-rates.ts'
import { listObjects } from './lists.ts'
import { lockObject, type Stored, saveObject, scheduleSettlement, settledOf } from './objects.ts'

/** `by` is negative for a failed refund. */
export async function changeRefundedAmount(
  tx: Tx,
  charge: Stored<'charge'>,
  by: number,
): Promise<Stripe.Charge> {
  const amountRefunded = charge.body.amount_refunded + by
  const body: Stripe.Charge = {
    ...charge.body,
    amount_refunded: amountRefunded,
    refunded: amountRefunded === charge.body.amount,
  }
  await saveObject(tx, { ...charge, body })
  return body
}

export async function emitRefundUpdate(
  tx: Tx,
  cause: Cause,
  refund: Stripe.Refund,
  previous: object,
): Promise<void> {
  await emitEvent(tx, cause, 'refund.updated', refund, { previous })
  await emitEvent(tx, cause, 'charge.refund.updated', refund, { previous })
}

/** The money came back, so the charge can be refunded again. The caller has locked the charge and the refund. */
export async function failRefund(
  tx: Tx,
  cause: Cause,
  charge: Stored<'charge'>,
  refund: Stored<'refund'>,
  reason: string,
): Promise<void> {
  await lockBalanceShared(tx)
  const { pending_reason: _, ...rest } = refund.body
  const { id, amount, currency, status } = rest
  const { id: transaction } = await recordMovement(tx, {
    type: 'refund_failure',
    ...(await convert(tx, amount, currency, settledOf(charge).currency)),
    source: id,
    description: 'REFUND FAILURE',
    availableOn: charge.hidden.availableOn,
    charge: charge.id,
  })
  const body: Stripe.Refund = {
    ...rest,
    failure_balance_transaction: transaction,
    failure_reason: reason,
    status: 'failed',
  }
  await saveObject(tx, { ...refund, body })
  await changeRefundedAmount(tx, charge, -amount)
  await emitRefundUpdate(tx, cause, body, { status })
  await emitEvent(tx, cause, 'refund.failed', body)
}

/** Pending refunds of a charge fail when it is disputed. The caller has locked the charge. */
export async function failPendingRefunds(tx: Tx, cause: Cause, charge: string): Promise<void> {
  const { data } = await listObjects(tx, 'refund', '', { limit: 100 }, { charge })
  for (const { id } of data.filter(({ status }) => status === 'pending' || status === 'requires_action')) {
    const refund = await lockObject(tx, 'refund', id)
    await scheduleSettlement(tx, id, null)
    const current = await lockObject(tx, 'charge', charge)
    await failRefund(tx, cause, current, refund, 'charge_for_pending_refund_disputed')
  }
}
