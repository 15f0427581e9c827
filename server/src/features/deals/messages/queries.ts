import { and, asc, desc, eq, inArray, lt, type SQLWrapper, sql } from 'drizzle-orm'
import { alias, type PgColumn, unionAll } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../database/database.ts'
import { prepareByFilter, prepareOnce } from '../../../database/prepared.ts'
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
import { areBlocked } from '../../users/blocks.ts'
import { publicColumns } from '../../users/public-user.ts'

const senders = alias(users, 'senders')
const receivers = alias(users, 'receivers')

const personColumns = (person: typeof users | typeof senders | typeof receivers) => ({
  ...publicColumns(person),
  sharesReadReceipts: person.sharesReadReceipts,
})

function selectMessages(db: Db) {
  return db
    .select({
      message: messages,
      sender: personColumns(senders),
      receiver: personColumns(receivers),
      wantedItem: itemSummaryColumns,
      agreed: offerRequestColumns,
      isBlocked: areBlocked(messages.senderId, messages.receiverId),
    })
    .from(messages)
    .innerJoin(senders, eq(senders.id, messages.senderId))
    .innerJoin(receivers, eq(receivers.id, messages.receiverId))
    .innerJoin(wantedItems, eq(wantedItems.id, messages.wantedItemId))
    .leftJoin(
      offerRequests,
      eq(offerRequests.offerId, agreedOffer(messages.wantedItemId, messages.senderId, messages.receiverId)),
    )
}

/** The offer on which two people last agreed. */
const agreedOffer = (wantedItemId: SQLWrapper, one: SQLWrapper, other: SQLWrapper) => sql`(
  select id from offers where wanted_item_id = ${wantedItemId} and status = 'accepted'
    and seller_id in (${one}, ${other}) and buyer_id in (${one}, ${other})
  order by accepted_at desc limit 1)`

export interface MessageFilter {
  wantedItemId?: number | undefined
  /** Only messages exchanged with this person. */
  userId?: string | undefined
  before?: number | undefined
  limit: number
}

/**
 * A user's messages, newest first. Sent and received messages are read from separate indexes and then merged;
 * with a single condition, PostgreSQL would sort all messages of the user.
 */
export function findMessages(db: Db, me: string, filter: MessageFilter) {
  return messagesStatement(db, filter).execute({ ...filter, me })
}

const messagesStatement = prepareByFilter((db, has: (filter: keyof MessageFilter) => boolean) => {
  const limit = sql.placeholder('limit')
  const select = (mine: PgColumn, other: PgColumn) =>
    db
      .select({ id: messages.id })
      .from(messages)
      .where(
        and(
          eq(mine, sql.placeholder('me')),
          has('userId') ? eq(other, sql.placeholder('userId')) : undefined,
          has('wantedItemId') ? eq(messages.wantedItemId, sql.placeholder('wantedItemId')) : undefined,
          has('before') ? lt(messages.id, sql.placeholder('before')) : undefined,
        ),
      )
      .orderBy(desc(messages.id))
      .limit(limit)
  const sent = select(messages.senderId, messages.receiverId)
  const received = select(messages.receiverId, messages.senderId)
  const page = unionAll(sent, received).orderBy(sql`id desc`).limit(limit)
  return selectMessages(db).where(inArray(messages.id, page)).orderBy(desc(messages.id)).prepare('')
})

export async function findMessage(db: Db, id: number) {
  const [found] = await messageStatement(db).execute({ id })
  return found
}

const messageStatement = prepareOnce((db) =>
  selectMessages(db)
    .where(eq(messages.id, sql.placeholder('id')))
    .prepare(''),
)

/** Returns the id, or null if the sender has already sent a message with this client id. */
export async function insertMessage(
  tx: Tx,
  message: Pick<
    typeof messages.$inferInsert,
    'wantedItemId' | 'senderId' | 'receiverId' | 'content' | 'clientId' | 'photoCount' | 'warnings'
  >,
): Promise<number | null> {
  const [inserted] = await tx
    .insert(messages)
    .values({ ...message, createdAt: tx.now })
    .onConflictDoNothing({ target: [messages.senderId, messages.clientId] })
    .returning({ id: messages.id })
  return inserted?.id ?? null
}

export async function findByClientId(db: Db, senderId: string, clientId: string) {
  const [found] = await selectMessages(db).where(
    and(eq(messages.senderId, senderId), eq(messages.clientId, clientId)),
  )
  return found
}

interface Contact {
  wantedItemId: number
  ownerId: string
  /** The person who is not the owner of the request. */
  guestId: string
  receiverId: string
}

/**
 * The facts that decide whether a message may be sent and how it is checked. One statement, because messages
 * are frequent.
 */
export async function findContact(db: Db, { wantedItemId, ownerId, guestId, receiverId }: Contact) {
  const { rows } = await db.execute<{
    isActive: boolean
    isBlocked: boolean
    isParticipant: boolean
    isPaid: boolean
  }>(sql`
    select exists (select from ${users} where id = ${receiverId} and deleted_at is null) as "isActive",
      ${areBlocked(ownerId, guestId)} as "isBlocked",
      exists (select from ${messages} where wanted_item_id = ${wantedItemId} and sender_id = ${guestId})
        or exists (select from ${offers} where wanted_item_id = ${wantedItemId} and seller_id = ${guestId})
        as "isParticipant",
      exists (select from ${payments} where wanted_item_id = ${wantedItemId} and buyer_id = ${ownerId}
        and seller_id = ${guestId} and status not in ('pending', 'refunded')) as "isPaid"`)
  const [found] = rows
  if (!found) throw new Error('a select without a table has one row')
  return found
}

/** Marks received messages about a request as read and returns their senders. */
export async function markRead(
  tx: Tx,
  receiverId: string,
  { wantedItemId, senderId }: { wantedItemId: number; senderId?: string | undefined },
): Promise<string[]> {
  const read = await tx
    .update(messages)
    .set({ isRead: true, readAt: tx.now })
    .where(
      and(
        eq(messages.receiverId, receiverId),
        eq(messages.wantedItemId, wantedItemId),
        eq(messages.isRead, false),
        senderId ? eq(messages.senderId, senderId) : undefined,
      ),
    )
    .returning({ senderId: messages.senderId })
  return read.map((message) => message.senderId)
}

export interface ConversationRow extends Record<string, unknown> {
  wanted_item_id: number
  other_id: string
  last_message_id: number | null
  active_at: Date
  unread_count: number
  agreed_offer_id: number | null
}

/** One row per request and other user with whom messages or offers were exchanged, newest first. */
export async function findConversations(
  db: Db,
  me: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<ConversationRow[]> {
  const [atMs, itemId, otherId] = cursor?.split('~') ?? []
  const isAfter = sql`(max(at), wanted_item_id, other_id) < (to_timestamp(${atMs}::float8 / 1000), ${itemId}::bigint, ${otherId})`
  const { rows } = await db.execute<ConversationRow>(sql`
    with conversations as (
      select wanted_item_id, other_id, max(message_id) as last_message_id, max(at) as active_at,
        sum(unread)::int as unread_count
      from (
        select wanted_item_id, receiver_id as other_id, id as message_id, created_at as at, 0 as unread
          from messages where sender_id = ${me}
        union all
        select wanted_item_id, sender_id, id, created_at, case when is_read then 0 else 1 end
          from messages where receiver_id = ${me}
        union all
        select wanted_item_id, seller_id, null, updated_at, 0 from offers where buyer_id = ${me}
        union all
        select wanted_item_id, buyer_id, null, updated_at, 0 from offers where seller_id = ${me}
      ) exchanged
      group by wanted_item_id, other_id
      ${cursor === undefined ? sql`` : sql`having ${isAfter}`}
      order by active_at desc, wanted_item_id desc, other_id desc
      limit ${limit}
    )
    select *, ${agreedOffer(sql`conversations.wanted_item_id`, sql`conversations.other_id`, sql`${me}`)} as agreed_offer_id
    from conversations
    order by active_at desc, wanted_item_id desc, other_id desc`)
  return rows
}

export function findMessagesById(db: Db, ids: number[]) {
  return db.select().from(messages).where(inArray(messages.id, ids))
}

export function findItemsById(db: Db, ids: number[]) {
  return db.select(itemSummaryColumns).from(wantedItems).where(inArray(wantedItems.id, ids))
}

export function findAgreedItems(db: Db, offerIds: number[]) {
  return db
    .select({ offerId: offerRequests.offerId, ...offerRequestColumns })
    .from(offerRequests)
    .where(inArray(offerRequests.offerId, offerIds))
}

export function findUsersById(db: Db, ids: string[]) {
  return db.select(personColumns(users)).from(users).where(inArray(users.id, ids))
}

export async function findItem(db: Db, id: number) {
  const { userId, status, expiresAt, hiddenAt } = wantedItems
  const [found] = await db
    .select({ userId, status, expiresAt, hiddenAt })
    .from(wantedItems)
    .where(eq(wantedItems.id, id))
  return found
}

export async function findFirstUnread(
  tx: Tx,
  { wantedItemId, senderId, receiverId }: { wantedItemId: number; senderId: string; receiverId: string },
) {
  const [found] = await tx
    .select({ id: messages.id, createdAt: messages.createdAt })
    .from(messages)
    .where(
      and(
        eq(messages.wantedItemId, wantedItemId),
        eq(messages.senderId, senderId),
        eq(messages.receiverId, receiverId),
        eq(messages.isRead, false),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(1)
  return found
}
