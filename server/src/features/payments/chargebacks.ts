import { calculateRuling } from '@sought/escrow/rulings'
import type { Tx } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import type { CardProvider, Chargeback, ProviderEvent } from '../../providers/stripe/card-provider.ts'
import { applyMove, savePayment } from './apply-move.ts'
import { addTimelineEntry } from './dispute-timeline.ts'
import { markHandled } from './event-queries.ts'
import { syncPayment } from './hold-payment.ts'
import { lockPaymentByIntent } from './lock-payment.ts'
import { isInDispute, openDispute } from './open-dispute.ts'
import type { Payment } from './queries.ts'
import { recordRefund } from './refunds.ts'

/**
 * Handles a chargeback that the buyer's bank opened or decided. Returns false if it concerns none of our payments.
 * The event is marked as handled in the transaction that writes its timeline entry, so there is one entry per event.
 */
export async function applyChargeback(
  services: Services,
  cards: CardProvider,
  { id: eventId, objectId }: ProviderEvent,
): Promise<boolean> {
  const chargeback = await cards.readChargeback(objectId)
  if (!chargeback?.intentId) return false
  const { intentId } = chargeback
  // The event of the charge itself may arrive after this one.
  if ((await syncPayment(services, cards, intentId)) === 'not found') return false
  // The bank may have decided before the first event arrives. Opening and deciding still take two transactions:
  // at each commit the database compares the new status with the money in escrow (ADR 26).
  await services.database.transact((tx) => openIfHeld(tx, intentId, chargeback))
  await services.database.transact(async (tx) => {
    if (await markHandled(tx, eventId)) await recordOutcome(tx, intentId, chargeback, services)
  })
  return true
}

const isOpen = ({ outcome }: Chargeback) => outcome === 'open'
const describe = ({ reason, outcome }: Chargeback) => `Chargeback by the buyer's bank: ${reason} (${outcome})`

async function openIfHeld(tx: Tx, intentId: string, chargeback: Chargeback): Promise<void> {
  const payment = await lockPaymentByIntent(tx, intentId)
  if (payment?.status !== 'held_in_escrow') return
  await openDispute(tx, payment, {
    actor: 'provider',
    reason: describe(chargeback),
    bankDecides: isOpen(chargeback),
  })
}

async function recordOutcome(
  tx: Tx,
  intentId: string,
  chargeback: Chargeback,
  { log }: Services,
): Promise<void> {
  const payment = await lockPaymentByIntent(tx, intentId)
  if (!payment) return
  const details = describe(chargeback)
  await addTimelineEntry(tx, payment.id, { action: 'chargeback', actor: 'provider', details })
  if (isInDispute(payment)) {
    const updated = { ...payment, bankDecides: isOpen(chargeback) }
    await savePayment(tx, payment, updated)
    if (chargeback.outcome === 'lost') await recordBankRefund(tx, updated)
  } else
    log.error({ paymentId: payment.id, chargeback }, 'chargeback on a payment that is no longer in escrow')
}

/** The bank has already returned the money to the buyer, so the provider is not asked for a refund. */
async function recordBankRefund(tx: Tx, payment: Payment): Promise<void> {
  const ruling = calculateRuling('refund_full', payment.amount)
  if (!ruling) throw new Error('a full refund is always possible')
  await applyMove(tx, payment, { name: ruling.move, actor: 'provider', ruling })
  await recordRefund(tx, payment.id)
}
