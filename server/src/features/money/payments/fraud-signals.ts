import { partyIn } from '@sought/escrow/moves'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import type { ChargeHistory } from '../../../providers/stripe/card-provider.ts'
import { findAdmins } from '../../identity/accounts/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { addTimelineEntry, composeSearchWords } from '../dispute-records/dispute-records.ts'
import { paymentSuspicious } from './notifications/payments.ts'
import { dismissFraudSignals, findUndecidedFraudSignals, saveFraudSignal } from './provider-queries.ts'
import { lockPayment, lockPaymentByIntent, type Payment, savePayment } from './stored-payment.ts'

/*
 * Charges that the provider suspects of fraud. Nobody can release the money until the provider withdraws the
 * suspicion or an admin dismisses it.
 */

/** Stores the provider's signals, and whether an admin must decide about a payment in escrow. */
export async function recordFraudSignals(
  tx: Tx,
  intentId: string,
  { fraudSignals }: ChargeHistory,
): Promise<void> {
  const payment = await lockPaymentByIntent(tx, intentId)
  if (!payment) return
  for (const signal of fraudSignals) {
    const isNew = await saveFraudSignal(tx, payment.id, signal)
    if (isNew)
      await addTimelineEntry(tx, payment.id, {
        action: signal.kind,
        actor: 'provider',
        details: signal.reason,
      })
  }
  await updateNeedsCheck(tx, payment)
}

async function updateNeedsCheck(tx: Tx, payment: Payment): Promise<void> {
  const undecided = await findUndecidedFraudSignals(tx, payment.id)
  const needsCheck = undecided.length > 0
  if (needsCheck === payment.needsCheck) return
  await savePayment(tx, payment, { needsCheck, disputeWords: await composeSearchWords(tx, payment) })
  if (needsCheck && payment.status === 'held_in_escrow')
    await notify(tx, paymentSuspicious(payment, await findAdmins(tx)))
}

/** An admin decides that the payment may continue. */
export async function dismissSuspicion(tx: Tx, paymentId: number, admin: User): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  if (!payment?.deskStatus) throw refuse('dispute_not_found')
  if (partyIn(payment, admin.id)) throw refuse('not_impartial')
  if (!payment.needsCheck) throw refuse('nothing_to_check')
  await dismissFraudSignals(tx, paymentId)
  await addTimelineEntry(tx, paymentId, { action: 'suspicion_dismissed', actor: admin.id })
  await updateNeedsCheck(tx, payment)
}
