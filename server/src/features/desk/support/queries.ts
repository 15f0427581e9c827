import type { SupportTopic, TicketStatus } from '@sought/contract/support'
import { parseTransactionNumber } from '@sought/contract/transaction-number'
import { and, asc, count, desc, eq, ilike, inArray, lt, ne, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../database/database.ts'
import { insertRow } from '../../../database/rows.ts'
import {
  notifications,
  offerRequests,
  payments,
  supportMessages,
  supportTickets,
  users,
} from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'

export type Ticket = typeof supportTickets.$inferSelect
export type StoredMessage = typeof supportMessages.$inferSelect

interface NewTicket {
  userId: string | null
  email: string | null
  topic: SupportTopic
  subject: string
  paymentId: number | null
}

export async function insertTicket(tx: Tx, ticket: NewTicket): Promise<Ticket> {
  return insertRow(tx, supportTickets, { ...ticket, createdAt: tx.now, updatedAt: tx.now })
}

export async function insertMessage(
  tx: Tx,
  message: Pick<typeof supportMessages.$inferInsert, 'ticketId' | 'kind' | 'adminId' | 'content'>,
): Promise<StoredMessage> {
  return insertRow(tx, supportMessages, { ...message, createdAt: tx.now })
}

export async function lockTicket(tx: Tx, id: number): Promise<Ticket | undefined> {
  const [found] = await tx.select().from(supportTickets).where(eq(supportTickets.id, id)).for('update')
  return found
}

export async function updateStatus(tx: Tx, id: number, status: TicketStatus): Promise<void> {
  await tx.update(supportTickets).set({ status, updatedAt: tx.now }).where(eq(supportTickets.id, id))
}

interface Page {
  limit: number
  cursor?: number | undefined
}

const isBefore = (cursor: number | undefined) =>
  cursor === undefined ? undefined : lt(supportTickets.id, cursor)

export function findTicketsOf(db: Db, userId: string, { limit, cursor }: Page) {
  return db
    .select()
    .from(supportTickets)
    .where(and(eq(supportTickets.userId, userId), isBefore(cursor)))
    .orderBy(desc(supportTickets.id))
    .limit(limit)
}

const admins = alias(users, 'ticket_admins')

/** All messages with the admins who wrote them, earliest first. */
export function findMessages(db: Db, ticketId: number) {
  return db
    .select({ message: supportMessages, admin: publicColumns(admins) })
    .from(supportMessages)
    .leftJoin(admins, eq(admins.id, supportMessages.adminId))
    .where(eq(supportMessages.ticketId, ticketId))
    .orderBy(asc(supportMessages.id))
}

const EXCERPT_LENGTH = 300

/** The start of the latest message that is not a note. */
const excerpt = sql<string>`(select left(content, ${EXCERPT_LENGTH}) from ${supportMessages}
  where ticket_id = ${supportTickets.id} and kind <> 'note' order by id desc limit 1)`

function selectTickets(db: Db) {
  return db
    .select({ ticket: supportTickets, person: users, excerpt })
    .from(supportTickets)
    .leftJoin(users, eq(users.id, supportTickets.userId))
}

export async function findTicketWithPerson(db: Db, id: number) {
  const [found] = await selectTickets(db).where(eq(supportTickets.id, id))
  return found
}

export interface TicketFilter extends Page {
  status?: TicketStatus | undefined
  search?: string | undefined
}

/** Newest first. The search text may be a ticket or transaction number, or part of a name, an address, a subject or a message. */
export function findTickets(db: Db, { status, search, limit, cursor }: TicketFilter) {
  return selectTickets(db)
    .where(
      and(
        status && eq(supportTickets.status, status),
        search === undefined ? undefined : matches(db, search),
        isBefore(cursor),
      ),
    )
    .orderBy(desc(supportTickets.id))
    .limit(limit)
}

function matches(db: Db, search: string) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const inMessages = db
    .select({ id: supportMessages.ticketId })
    .from(supportMessages)
    .where(ilike(supportMessages.content, pattern))
  const number = parseTransactionNumber(search)
  const ofPayment =
    number && db.select({ id: payments.id }).from(payments).where(eq(payments.transactionNumber, number))
  return or(
    eq(sql`${supportTickets.id}::text`, search.replace(/^#/, '')),
    ilike(supportTickets.subject, pattern),
    ilike(supportTickets.email, pattern),
    ilike(users.email, pattern),
    ilike(sql`concat_ws(' ', ${users.firstName}, ${users.lastName})`, pattern),
    inArray(supportTickets.id, inMessages),
    ofPayment ? inArray(supportTickets.paymentId, ofPayment) : undefined,
  )
}

export async function countOpenTickets(db: Db): Promise<number> {
  const [found] = await db
    .select({ open: count() })
    .from(supportTickets)
    .where(eq(supportTickets.status, 'open'))
  return found?.open ?? 0
}

const dealColumns = {
  id: payments.id,
  transactionNumber: payments.transactionNumber,
  buyerId: payments.buyerId,
  sellerId: payments.sellerId,
  amount: payments.amount,
  currency: payments.currency,
  status: payments.status,
  deskStatus: payments.deskStatus,
  wantedItemId: payments.wantedItemId,
  title: offerRequests.title,
  createdAt: payments.createdAt,
}

export async function findDeal(db: Db, paymentId: number) {
  const [found] = await db
    .select(dealColumns)
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .where(eq(payments.id, paymentId))
  return found
}

const buyers = alias(users, 'buyers')
const sellers = alias(users, 'sellers')

export async function findDealWithParties(db: Db, paymentId: number) {
  const [found] = await db
    .select({ ...dealColumns, buyer: buyers, seller: sellers })
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(buyers, eq(buyers.id, payments.buyerId))
    .innerJoin(sellers, eq(sellers.id, payments.sellerId))
    .where(eq(payments.id, paymentId))
  return found
}

/** The latest paid deals of a person, as buyer or seller. */
export function findDealsOf(db: Db, userId: string, limit: number) {
  return db
    .select(dealColumns)
    .from(payments)
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .where(
      and(or(eq(payments.buyerId, userId), eq(payments.sellerId, userId)), ne(payments.status, 'pending')),
    )
    .orderBy(desc(payments.id))
    .limit(limit)
}

/** The ticket of a message. Undefined once it is deleted. */
export async function findTicketOfMessage(tx: Tx, supportMessageId: number) {
  const [found] = await tx
    .select({ id: supportTickets.id, message: supportMessages.content })
    .from(supportMessages)
    .innerJoin(supportTickets, eq(supportTickets.id, supportMessages.ticketId))
    .where(eq(supportMessages.id, supportMessageId))
  return found
}

/** The tickets that our team answered, and the replies, by the ids of the notifications. */
export async function findAnsweredTickets(db: Db, ids: number[]) {
  const found = await db
    .select({
      notificationId: notifications.id,
      id: supportTickets.id,
      subject: supportTickets.subject,
      reply: supportMessages.content,
    })
    .from(notifications)
    .innerJoin(supportMessages, eq(supportMessages.id, notifications.supportMessageId))
    .innerJoin(supportTickets, eq(supportTickets.id, supportMessages.ticketId))
    .where(inArray(notifications.id, ids))
  return new Map(found.map((ticket) => [ticket.notificationId, ticket]))
}
