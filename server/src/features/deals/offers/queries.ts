import type { OwnOffer } from '@sought/contract/offers'
import { and, asc, desc, eq, gt, inArray, isNotNull, lt, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../database/database.ts'
import { prepareOnce } from '../../../database/prepared.ts'
import { findRow, insertRow, updateRows } from '../../../database/rows.ts'
import {
  messages,
  offerRequestColumns,
  offerRequests,
  offers,
  payments,
  users,
  wantedItems,
} from '../../../database/schema.ts'
import { itemSummaryColumns } from '../../board/requests/item-summary.ts'
import { payoutsStopped } from '../../users/payouts-stopped.ts'
import { publicColumns } from '../../users/public-user.ts'

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

/** An offer with the request that it answers, and what the request says now. */
const offerColumns = {
  offer: offers,
  request: offerRequestColumns,
  item: {
    ...itemSummaryColumns,
    version: wantedItems.version,
    hiddenAt: wantedItems.hiddenAt,
  },
  buyer: publicColumns(buyers),
  seller: publicColumns(sellers),
  payoutsStopped: payoutsStopped(sellers),
}

function selectOffers(db: Db) {
  return db
    .select(offerColumns)
    .from(offers)
    .innerJoin(offerRequests, eq(offerRequests.offerId, offers.id))
    .innerJoin(wantedItems, eq(wantedItems.id, offers.wantedItemId))
    .innerJoin(buyers, eq(buyers.id, offers.buyerId))
    .innerJoin(sellers, eq(sellers.id, offers.sellerId))
}

export interface OfferFilter {
  wantedItemId?: number | undefined
  /** Only offers exchanged with this person. */
  userId?: string | undefined
  cursor?: number | undefined
  limit: number
}

export interface RankedPage {
  limit: number
  cursor?: number | undefined
}

/** Offers that a user made or received, newest first. */
export function findOffersOf(db: Db, me: string, { wantedItemId, userId, cursor, limit }: OfferFilter) {
  return selectOffers(db)
    .where(
      and(
        or(eq(offers.buyerId, me), eq(offers.sellerId, me)),
        wantedItemId === undefined ? undefined : eq(offers.wantedItemId, wantedItemId),
        userId === undefined ? undefined : or(eq(offers.buyerId, userId), eq(offers.sellerId, userId)),
        cursor === undefined ? undefined : lt(offers.id, cursor),
      ),
    )
    .orderBy(desc(offers.id))
    .limit(limit)
}

export async function findOffer(db: Db, id: number) {
  const [found] = await offerStatement(db).execute({ id })
  return found
}

const offerStatement = prepareOnce((db) =>
  selectOffers(db)
    .where(eq(offers.id, sql.placeholder('id')))
    .prepare(''),
)

/**
 * Locks all offers between the two users on this item by ascending id, because answering one changes the
 * others. Returns the requested offer.
 */
export async function lockOffer(tx: Tx, id: number) {
  const [{ wantedItemId, buyerId, sellerId } = {}] = await tx.select().from(offers).where(eq(offers.id, id))
  if (!wantedItemId || !buyerId || !sellerId) return undefined
  const siblings = await tx
    .select()
    .from(offers)
    .where(
      and(eq(offers.wantedItemId, wantedItemId), eq(offers.buyerId, buyerId), eq(offers.sellerId, sellerId)),
    )
    .orderBy(offers.id)
    .for('update')
  return siblings.find((offer) => offer.id === id)
}

/** Whether a user owns the request, or has sent a message or an offer about it. */
export async function isKnownTo(db: Db, wantedItemId: number, userId: string): Promise<boolean> {
  const { rows } = await db.execute<{ is_known: boolean }>(sql`
    select exists (select from ${wantedItems} where id = ${wantedItemId} and user_id = ${userId})
        or exists (select from ${messages} where wanted_item_id = ${wantedItemId} and sender_id = ${userId})
        or exists (select from ${offers} where wanted_item_id = ${wantedItemId} and seller_id = ${userId})
        as is_known`)
  return rows[0]?.is_known ?? false
}

/** Serializes a seller's offers on a request, because only one may be open. */
export async function lockOffering(tx: Tx, sellerId: string, wantedItemId: number): Promise<void> {
  const key = `offer:${sellerId}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, ${wantedItemId}))`)
}

/** Serializes the cancellations of a seller's deals, so that each counts those before it. */
export async function lockCancellations(tx: Tx, sellerId: string): Promise<void> {
  const key = `cancellations:${sellerId}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** When a seller's deals were cancelled, latest first. */
export async function findCancelled(
  tx: Tx,
  sellerId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<Date[]> {
  const found = await tx
    .select({ endedAt: payments.endedAt })
    .from(payments)
    .where(and(eq(payments.sellerId, sellerId), isNotNull(payments.cancelledBy), gt(payments.endedAt, since)))
    .orderBy(desc(payments.endedAt))
    .limit(limit)
  return found.flatMap(({ endedAt }) => endedAt ?? [])
}

/** Withdraws the seller's open offer on a request, even if it has expired. Returns the withdrawn ids. */
export async function withdrawOpenOffer(tx: Tx, sellerId: string, wantedItemId: number): Promise<number[]> {
  const withdrawn = await tx
    .update(offers)
    .set({ status: 'withdrawn', withdrawnAt: tx.now, updatedAt: tx.now })
    .where(
      and(
        eq(offers.wantedItemId, wantedItemId),
        eq(offers.sellerId, sellerId),
        eq(offers.proposedBy, 'seller'),
        eq(offers.status, 'pending'),
      ),
    )
    .returning({ id: offers.id })
  return withdrawn.map(({ id }) => id)
}

/** Records which offer replaced the withdrawn ones. */
export async function setReplacedBy(tx: Tx, ids: number[], replacedBy: number): Promise<void> {
  if (ids.length > 0) await tx.update(offers).set({ replacedBy }).where(inArray(offers.id, ids))
}

const ownCounters = alias(offers, 'own_counters')

/** The accepted offers on a request and those that can be accepted, lowest first. */
export function findReceivedOffers(db: Db, wantedItemId: number, now: Date, limit: number) {
  return db
    .select({
      ...offerColumns,
      seller: { ...publicColumns(sellers), ratingCount: sellers.ratingCount },
      completedDeals: db.$count(
        payments,
        and(eq(payments.sellerId, sellers.id), eq(payments.status, 'completed')),
      ),
      counterAmount: ownCounters.amount,
    })
    .from(offers)
    .innerJoin(offerRequests, eq(offerRequests.offerId, offers.id))
    .innerJoin(wantedItems, eq(wantedItems.id, offers.wantedItemId))
    .innerJoin(buyers, eq(buyers.id, offers.buyerId))
    .innerJoin(sellers, eq(sellers.id, offers.sellerId))
    .leftJoin(ownCounters, and(eq(ownCounters.counterOf, offers.id), eq(ownCounters.status, 'pending')))
    .where(
      and(
        eq(offers.wantedItemId, wantedItemId),
        or(
          eq(offers.status, 'accepted'),
          and(eq(offers.status, 'pending'), eq(offers.proposedBy, 'seller'), gt(offers.expiresAt, now)),
        ),
      ),
    )
    .orderBy(asc(offers.amount), asc(offers.id))
    .limit(limit)
}

export async function findItemOwner(db: Db, wantedItemId: number): Promise<string | undefined> {
  const found = await findRow(db, wantedItems, { id: wantedItemId }, ['userId'])
  return found?.userId
}

interface ProgressRow extends Record<string, unknown> {
  id: number
  /** A bigint, which the driver returns as text. */
  rank: string
  is_waiting: boolean
  state: OwnOffer['state']
  next_step: OwnOffer['nextStep']
  payment_id: number | null
  waiting_until: string | null
  unread_count: number
}

/** The state of a seller's offers and of the counter-offers to them. Those that wait for the seller come first. */
export async function findOfferProgress(db: Db, sellerId: string, now: Date, { limit, cursor }: RankedPage) {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await db.execute<ProgressRow>(sql`
    with progress as (
      select offer.id, offer.wanted_item_id, payment.id as payment_id, payment.waiting_until, payment.shipped_at, item.status = 'open' and item.expires_at > ${at} as is_open,
        newer.id is null as is_latest,
        case
          when payment.status = 'held_in_escrow' then 'paid'
          when payment.status in ('disputed', 'under_review') then 'disputed'
          when payment.status in ('completed', 'resolved_seller') then 'completed'
          when payment.status = 'resolved_partial' then 'settled'
          when payment.status in ('resolved_buyer', 'refunded') then 'refunded'
          when payment.submitted_at is not null then 'payment_processing'
          when offer.status = 'rejected' then 'rejected'
          when offer.replaced_by is not null then 'replaced'
          when offer.status = 'withdrawn' then 'withdrawn'
          when item.status not in ('open', 'expired') then 'request_closed'
          when offer.status = 'accepted' then 'awaiting_payment'
          when item.status = 'expired' or item.expires_at <= ${at} then 'request_closed'
          when offer.expires_at <= ${at} then 'expired'
          when offer.proposed_by = 'buyer' then 'countered'
          else 'pending'
        end as state,
        case when newer.id is null then coalesce(unread.count, 0) else 0 end as unread_count
      from offers offer
      join wanted_items item on item.id = offer.wanted_item_id
      left join payments payment on payment.offer_id = offer.id
      left join lateral (
        select id from offers newer
        where newer.wanted_item_id = offer.wanted_item_id and newer.seller_id = ${sellerId} and newer.id > offer.id
        limit 1
      ) newer on true
      left join (
        select wanted_item_id, count(*)::int as count from messages
        where receiver_id = ${sellerId} and not is_read
        group by wanted_item_id
      ) unread on unread.wanted_item_id = offer.wanted_item_id
      where offer.seller_id = ${sellerId}
    ), steps as (
      select *, case
        when state = 'paid' and shipped_at is null then 'ship'
        when state = 'countered' then 'answer_counter'
        when state = 'disputed' then 'view_dispute'
        when unread_count > 0 then 'read_messages'
        when state in ('rejected', 'withdrawn', 'expired') and is_open and is_latest then 'offer_again'
        else 'none'
      end as next_step
      from progress
    ), ranked as (
      select *, next_step in ('ship', 'answer_counter', 'read_messages') as is_waiting from steps
    )
    select * from (
      select *, id + case when is_waiting then 2147483648 else 0 end as rank from ranked
    ) listed
    ${cursor === undefined ? sql`` : sql`where rank < ${cursor}::bigint`}
    order by rank desc limit ${limit}`)
  return rows
}

export function findOffersById(db: Db, ids: number[]) {
  return selectOffers(db).where(inArray(offers.id, ids))
}

/** Prevents changes to the item, such as closing it, until the transaction ends. */
export async function lockItemShared(tx: Tx, id: number) {
  const [found] = await tx.select().from(wantedItems).where(eq(wantedItems.id, id)).for('share')
  return found
}

export async function insertOffer(
  tx: Tx,
  offer: Omit<typeof offers.$inferInsert, 'id' | 'status' | 'createdAt' | 'updatedAt'>,
): Promise<number> {
  const inserted = await insertRow(tx, offers, { ...offer, createdAt: tx.now, updatedAt: tx.now })
  tx.activities.push('offer')
  return inserted.id
}

export async function updateOffer(tx: Tx, id: number, change: Partial<typeof offers.$inferInsert>) {
  await updateRows(tx, offers, { id }, { ...change, updatedAt: tx.now })
}

type Pair = Pick<typeof offers.$inferSelect, 'id' | 'wantedItemId' | 'buyerId' | 'sellerId'>

/** Withdraws the other pending offers between the same two users on this item. Returns their ids. */
export async function withdrawSiblings(tx: Tx, offer: Pair): Promise<number[]> {
  const withdrawn = await tx
    .update(offers)
    .set({ status: 'withdrawn', withdrawnAt: tx.now, updatedAt: tx.now })
    .where(
      and(
        eq(offers.wantedItemId, offer.wantedItemId),
        eq(offers.buyerId, offer.buyerId),
        eq(offers.sellerId, offer.sellerId),
        eq(offers.status, 'pending'),
        ne(offers.id, offer.id),
      ),
    )
    .returning({ id: offers.id })
  return withdrawn.map(({ id }) => id)
}
