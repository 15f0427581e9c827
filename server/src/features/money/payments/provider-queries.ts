import type { FactName } from '@sought/escrow/provider-facts'
import { and, asc, desc, eq, inArray, isNull, like, lt, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { nextTryAt } from '../../../database/retry-backoff.ts'
import { columns, updateRows } from '../../../database/rows.ts'
import {
  chargebacks,
  fraudSignals,
  installation,
  providerFacts,
  webhookEvents,
} from '../../../database/schema.ts'
import type { Chargeback, FraudSignal, ProviderEvent } from '../../../providers/stripe/card-provider.ts'
import type { Payment } from './stored-payment.ts'

/* Reports of the provider, stored under the provider's ids, so that a repeated report counts once. */

/** Returns false if the event was stored before. */
export async function insertEvent(
  tx: Tx,
  { id, type, objectId }: ProviderEvent,
  status: 'parked' | 'handled' = 'parked',
): Promise<boolean> {
  const handledAt = status === 'handled' ? tx.now : null
  const inserted = await tx
    .insert(webhookEvents)
    .values({ id, type, objectId, status, receivedAt: tx.now, handledAt, tryAt: tx.now })
    .onConflictDoNothing()
    .returning({ id: webhookEvents.id })
  return inserted.length > 0
}

/**
 * Returns parked events that are due for another attempt, and sets their next attempt. Chargebacks come first, because
 * payments are also synced in other ways. If other products share the Stripe account, their events could otherwise fill
 * the whole batch.
 */
export async function claimParkedEvents(tx: Tx, limit: number): Promise<ProviderEvent[]> {
  const isChargeback = like(webhookEvents.type, 'charge.dispute.%')
  const due = tx
    .select({ id: webhookEvents.id })
    .from(webhookEvents)
    .where(and(eq(webhookEvents.status, 'parked'), lte(webhookEvents.tryAt, tx.now)))
    .orderBy(desc(isChargeback), asc(webhookEvents.receivedAt))
    .limit(limit)
  const claimed = await tx
    .update(webhookEvents)
    .set({ tryAt: nextTryAt(webhookEvents.receivedAt, tx.now, 0) })
    .where(inArray(webhookEvents.id, due))
    .returning({
      id: webhookEvents.id,
      type: webhookEvents.type,
      objectId: webhookEvents.objectId,
      isChargeback: sql<boolean>`${isChargeback}`,
      receivedAt: webhookEvents.receivedAt,
    })
  return claimed.sort(
    (one, other) =>
      Number(other.isChargeback) - Number(one.isChargeback) ||
      one.receivedAt.getTime() - other.receivedAt.getTime(),
  )
}

const unhandledSince = (since: Date) =>
  and(eq(webhookEvents.status, 'parked'), lt(webhookEvents.receivedAt, since))

/** Oldest first. */
export function findUnhandledEvents(db: Db, since: Date, limit: number) {
  return db
    .select(columns(webhookEvents, 'id', 'type', 'objectId', 'receivedAt', 'tryAt'))
    .from(webhookEvents)
    .where(unhandledSince(since))
    .orderBy(asc(webhookEvents.receivedAt))
    .limit(limit)
}

export const countUnhandledEvents = (db: Db, since: Date) => db.$count(webhookEvents, unhandledSince(since))

export interface EventCursor {
  /** Until when all events were read. Null before the first time. */
  readUntil: Date | null
  /** While the events after that are being read, newest first: until when, and the last one so far. */
  readingUntil: Date | null
  after: string | null
}

export async function findEventCursor(db: Db): Promise<EventCursor> {
  const [found] = await db
    .select({
      readUntil: installation.eventsReadUntil,
      readingUntil: installation.eventsReadingUntil,
      after: installation.eventsReadAfter,
    })
    .from(installation)
  if (!found) throw new Error('the database has no installation')
  return found
}

/** Does nothing if another process has moved the cursor meanwhile. Its events are then read again. */
export async function saveEventCursor(tx: Tx, before: EventCursor, next: EventCursor): Promise<void> {
  await updateRows(
    tx,
    installation,
    { eventsReadUntil: before.readUntil, eventsReadAfter: before.after },
    {
      eventsReadUntil: next.readUntil,
      eventsReadingUntil: next.readingUntil,
      eventsReadAfter: next.after,
    },
  )
}

type ChargedPayment = Pick<Payment, 'id' | 'currency'>

/**
 * Stores the provider's state of a chargeback. Ignores an outdated answer about a chargeback that has ended.
 * An inquiry that becomes a chargeback needs evidence again.
 */
export async function saveChargeback(
  tx: Tx,
  { id: paymentId, currency }: ChargedPayment,
  chargeback: Chargeback,
): Promise<void> {
  const { id, amountCents, status, reason, deadline, outcome } = chargeback
  const closedAt = outcome === 'open' ? null : tx.now
  const state = { amountCents, status, outcome, reason, deadline, closedAt }
  const isEscalated = sql`${chargebacks.status} like 'warning%' and excluded.status not like 'warning%'`
  await tx
    .insert(chargebacks)
    .values({ id, paymentId, currency, ...state, openedAt: tx.now })
    .onConflictDoUpdate({
      target: chargebacks.id,
      set: {
        ...state,
        evidenceSentAt: sql`case when ${isEscalated} then null else ${chargebacks.evidenceSentAt} end`,
      },
      ...(outcome === 'open' && { setWhere: isNull(chargebacks.closedAt) }),
    })
}

export async function markAsOpener(tx: Tx, id: string): Promise<void> {
  await tx.update(chargebacks).set({ openedDispute: true }).where(eq(chargebacks.id, id))
}

/** Called when the dispute that chargebacks opened has ended. The next dispute may be the buyer's own. */
export async function clearOpeners(tx: Tx, paymentId: number): Promise<void> {
  await tx.update(chargebacks).set({ openedDispute: false }).where(eq(chargebacks.paymentId, paymentId))
}

export const findChargebacks = (tx: Tx, paymentId: number) =>
  tx.select().from(chargebacks).where(eq(chargebacks.paymentId, paymentId))

/** The provider's ids of our refunds that are in the ledger. */
export async function findBookedRefunds(tx: Tx, paymentId: number): Promise<string[]> {
  const found = await findFacts(tx, paymentId, 'refund_made')
  return found.map(({ key }) => key.slice('refund_made:'.length))
}

export async function hasFailedRefund(tx: Tx, paymentId: number): Promise<boolean> {
  return (await findFacts(tx, paymentId, 'refund_failed')).length > 0
}

const findFacts = (tx: Tx, paymentId: number, name: FactName) =>
  tx
    .select({ key: providerFacts.key })
    .from(providerFacts)
    .where(and(eq(providerFacts.paymentId, paymentId), like(providerFacts.key, `${name}:%`)))

/** Returns false if the fact was recorded before. A concurrent call waits for the first one, then gets false. */
export async function recordFact(
  tx: Tx,
  { id: paymentId, currency }: ChargedPayment,
  { name, objectId, amount }: { name: FactName | 'fee' | 'chargeback'; objectId: string; amount: number },
): Promise<boolean> {
  const inserted = await tx
    .insert(providerFacts)
    .values({ key: `${name}:${objectId}`, paymentId, amountCents: amount, currency, createdAt: tx.now })
    .onConflictDoNothing()
    .returning({ key: providerFacts.key })
  return inserted.length > 0
}

/** Returns whether the signal is new. A signal that has ended never reopens. */
export async function saveFraudSignal(tx: Tx, paymentId: number, signal: FraudSignal): Promise<boolean> {
  const { id, kind, reason, isOpen } = signal
  const closedAt = isOpen ? null : tx.now
  const inserted = await tx
    .insert(fraudSignals)
    .values({ id, paymentId, kind, reason, openedAt: tx.now, closedAt })
    .onConflictDoNothing()
    .returning({ id: fraudSignals.id })
  if (inserted.length > 0) return true
  await updateRows(tx, fraudSignals, { id, closedAt: null }, { closedAt })
  return false
}

const undecided = (paymentId: number) =>
  and(eq(fraudSignals.paymentId, paymentId), isNull(fraudSignals.closedAt), isNull(fraudSignals.dismissedAt))

export function findUndecidedFraudSignals(tx: Tx, paymentId: number) {
  return tx.select({ id: fraudSignals.id }).from(fraudSignals).where(undecided(paymentId))
}

export async function dismissFraudSignals(tx: Tx, paymentId: number): Promise<void> {
  await tx.update(fraudSignals).set({ dismissedAt: tx.now }).where(undecided(paymentId))
}
