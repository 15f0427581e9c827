import { nextState } from '@sought/escrow/moves'
import { calculateRuling } from '@sought/escrow/rulings'
import type { Tx } from '../../platform/database.ts'
import type { Services } from '../../platform/services.ts'
import type { CardProvider, Chargeback, ProviderEvent } from '../../providers/stripe/card-provider.ts'
import { notify } from '../notifications/actions.ts'
import { chargebackNotifications } from '../notifications/build-notifications.ts'
import { isInDispute, save } from './apply-move.ts'
import { noteInTimeline } from './dispute-timeline.ts'
import { markHandled } from './event-queries.ts'
import { askAndHold } from './hold-payment.ts'
import { lockPaymentOfIntent, type Payment } from './queries.ts'
import { noteRefund } from './refunds.ts'
import { settle } from './ruling.ts'

/**
 * The buyer's bank has asked for the money back, or has decided. False if we know no such payment. The event
 * is marked together with what it does: its line stands in the timeline once.
 */
export async function applyChargeback(
  services: Services,
  cards: CardProvider,
  { id: eventId, objectId }: ProviderEvent,
): Promise<boolean> {
  const chargeback = await cards.readChargeback(objectId)
  if (!chargeback?.intentId) return false
  const { intentId } = chargeback
  // The news of the charge itself may still be on its way.
  if ((await askAndHold(services, cards, intentId)) === 'no such payment') return false
  // A bank may have decided before we hear of it. The two moves are two transactions all the same: at the end of
  // each the database holds the new status against what is in escrow then (ADR 26).
  await services.database.transact((tx) => stop(tx, intentId, chargeback))
  await services.database.transact(async (tx) => {
    if (await markHandled(tx, eventId)) await apply(tx, intentId, chargeback, services)
  })
  return true
}

const isOpen = ({ outcome }: Chargeback) => outcome === 'open'
const notificationText = ({ reason, outcome }: Chargeback) =>
  `Chargeback by the buyer's bank: ${reason} (${outcome})`

async function stop(tx: Tx, intentId: string, chargeback: Chargeback): Promise<void> {
  const payment = await lockPaymentOfIntent(tx, intentId)
  if (payment?.status !== 'held_in_escrow') return
  const disputed = nextState(payment, 'dispute', 'provider', tx.now)
  const disputeReason = notificationText(chargeback)
  await save(tx, payment, { ...disputed, disputeReason, bankDecides: isOpen(chargeback) })
  await notify(tx, chargebackNotifications(payment, tx.now))
}

async function apply(tx: Tx, intentId: string, chargeback: Chargeback, { log }: Services): Promise<void> {
  const payment = await lockPaymentOfIntent(tx, intentId)
  if (!payment) return
  const details = notificationText(chargeback)
  await noteInTimeline(tx, payment.id, { action: 'chargeback', actor: 'provider', details })
  if (isInDispute(payment)) {
    const told = { ...payment, bankDecides: isOpen(chargeback) }
    await save(tx, payment, told)
    if (chargeback.outcome === 'lost') await giveBack(tx, told)
  } else log.error({ paymentId: payment.id, chargeback }, 'a chargeback came too late to be stopped')
}

/** The bank has taken everything back already: the ledger follows, and the provider is not asked for a refund. */
async function giveBack(tx: Tx, payment: Payment): Promise<void> {
  const decided = calculateRuling('refund_full', payment.amount)
  if (!decided) throw new Error('a full refund is always possible')
  await settle(tx, payment, decided, 'provider')
  await noteRefund(tx, payment.id)
}
