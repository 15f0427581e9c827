import { PAYOUT_UNDO_HOURS } from '@sought/contract/payouts'
import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { goodwillPayments, payments, payouts } from '../../../database/schema.ts'
import type { Services } from '../../../services.ts'
import { cancelIntent } from './cancel-intent.ts'
import { deleteCustomerOf } from './customers.ts'

export { eraseBuyerOf }

/*
 * An account can be deleted once all its payments, refunds and payouts have ended and no checkout can be paid any
 * more.
 */

/** Canceled intents do not count as open, because they cannot be paid. */
export async function refuseIfMoneyOpen(tx: Tx, userId: string, canceledIntents: string[]): Promise<void> {
  if (await hasOpenMoney(tx, userId, canceledIntents)) throw refuse('money_open')
}

/**
 * Cancels all open checkouts of a user, as buyer and as seller, and returns the canceled intents. Refuses before
 * it cancels anything if the user has other open money. No transaction is open while the provider is called.
 */
export async function cancelCheckouts(
  { database, cards }: Pick<Services, 'database' | 'cards'>,
  userId: string,
): Promise<string[]> {
  const canceled: string[] = []
  const pending = await findPendingIntents(database.read, userId)
  await database.transact((tx) => refuseIfMoneyOpen(tx, userId, pending))
  for (const intentId of pending) {
    if (cards && (await cancelIntent(cards, intentId))) canceled.push(intentId)
  }
  return canceled
}

/** The intents of a user's pending payments, both as buyer and as seller. */
async function findPendingIntents(db: Db, userId: string): Promise<string[]> {
  const found = await db
    .select({ intentId: payments.stripePaymentIntentId })
    .from(payments)
    .where(
      and(
        or(eq(payments.buyerId, userId), eq(payments.sellerId, userId)),
        eq(payments.status, 'pending'),
        isNotNull(payments.stripePaymentIntentId),
      ),
    )
    .orderBy(payments.id)
  return found.flatMap(({ intentId }) => intentId ?? [])
}

/**
 * Whether a user has money in escrow, at the provider, or owed to them. A manual payout counts until an admin can
 * no longer undo it.
 */
async function hasOpenMoney(tx: Tx, userId: string, canceledIntents: string[]): Promise<boolean> {
  const { rows } = await tx.execute<{ open: boolean }>(sql`
    select exists (
      select from ${payments}
      where (buyer_id = ${userId} or seller_id = ${userId})
        and (status in ('held_in_escrow', 'disputed', 'under_review')
          or status = 'pending' and stripe_payment_intent_id is not null
            and stripe_payment_intent_id <> all (${sql.param(canceledIntents)}))
    ) or exists (
      select from ${payments} where buyer_id = ${userId} and refund_cents > 0 and refunded_at is null
    ) or exists (
      select from ${payouts}
      where seller_id = ${userId}
        and (status not in ('paid', 'cancelled') or method = 'manual'
          and paid_at > ${tx.now.toISOString()}::timestamptz - ${PAYOUT_UNDO_HOURS} * interval '1 hour')
    ) or exists (
      select from ${goodwillPayments} where recipient_id = ${userId} and status = 'done' and paid_at is null
    ) as open`)
  return rows[0]?.open ?? true
}

/**
 * Erases the addresses and card details of a buyer's payments, and the customer at the provider. The payments
 * stay.
 */
async function eraseBuyerOf(tx: Tx, buyerId: string): Promise<void> {
  await deleteCustomerOf(tx, buyerId)
  await tx
    .update(payments)
    .set({
      deliveryAddress: null,
      addressHash: null,
      purchaseIp: null,
      cardFingerprint: null,
      cardLast4: null,
    })
    .where(
      and(
        eq(payments.buyerId, buyerId),
        or(
          isNotNull(payments.deliveryAddress),
          isNotNull(payments.purchaseIp),
          isNotNull(payments.cardFingerprint),
          isNotNull(payments.cardLast4),
        ),
      ),
    )
}
