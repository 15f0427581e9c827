import type { BodyOf } from '@sought/contract/call'
import type { createTicket } from '@sought/contract/support'
import { partyIn } from '@sought/escrow/moves'
import { refuse } from '../../../core/errors.ts'
import type { Keys } from '../../../core/keys.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { deleteRows, findRow } from '../../../database/rows.ts'
import { supportTickets } from '../../../database/schema.ts'
import type { User } from '../../../http/session.ts'
import { findAdmins } from '../../identity/accounts/actions.ts'
import { lockActiveUser } from '../../identity/accounts/active-users.ts'
import { notify } from '../../notifications/actions.ts'
import { enqueueVisitorEmail } from '../../notifications/enqueue-emails.ts'
import { ticketReceivedEmail, ticketsWaiting } from './notifications.ts'
import { asMessage } from './presenters.ts'
import type { Ticket } from './queries.ts'
import * as queries from './queries.ts'
import { readTicketToken } from './ticket-tokens.ts'

type Person = Pick<User, 'id'>

/**
 * The person who asks for a ticket: the signed-in user, and the ticket that a link gives access to. Either can be
 * null.
 */
export interface Visit {
  user: Person | null
  linkedId: number | null
}

export function visitOf(user: Person | null, token: string | undefined, sessionKeys: Keys): Visit {
  return { user, linkedId: token === undefined ? null : readTicketToken(token, sessionKeys) }
}

/**
 * The key for counting messages. Refuses visitors without a valid link, because they have no ticket to write to.
 */
export function senderKey({ user, linkedId }: Visit): string {
  if (user) return user.id
  if (linkedId === null) throw refuse('ticket_not_found')
  return `ticket ${linkedId}`
}

/** A link opens only visitors' tickets, never those of accounts. */
function authorise(ticket: Ticket | undefined, { user, linkedId }: Visit): Ticket {
  const isOwn = ticket && user !== null && ticket.userId === user.id
  const isLinked = ticket && ticket.userId === null && ticket.id === linkedId
  if (!isOwn && !isLinked) throw refuse('ticket_not_found')
  return ticket
}

export async function openTicket(tx: Tx, body: BodyOf<typeof createTicket>, user: Person | null) {
  const { topic, subject, message, paymentId } = body
  const email = user ? null : requireEmail(body.email)
  if (user) await lockActiveUser(tx, user.id)
  const ticket = await queries.insertTicket(tx, {
    userId: user?.id ?? null,
    email,
    topic,
    subject,
    paymentId: await findOwnPaymentId(tx, paymentId, user),
  })
  const { id: supportMessageId } = await queries.insertMessage(tx, {
    ticketId: ticket.id,
    kind: 'question',
    content: message,
  })
  if (email !== null) await enqueueVisitorEmail(tx, ticketReceivedEmail, { supportMessageId, address: email })
  await notifyAdmins(tx)
  return { id: ticket.id }
}

export function requireEmail(email: string | undefined): string {
  if (email === undefined)
    throw refuse('invalid', { issues: [{ path: 'email', message: 'Please enter your email address' }] })
  return email
}

/** A visitor cannot prove who they are, so their question is not linked to a payment. */
async function findOwnPaymentId(
  tx: Tx,
  paymentId: number | undefined,
  user: Person | null,
): Promise<number | null> {
  if (paymentId === undefined || user === null) return null
  const deal = await queries.findDeal(tx, paymentId)
  if (!deal || !partyIn(deal, user.id)) throw refuse('payment_not_found')
  return deal.id
}

async function notifyAdmins(tx: Tx): Promise<void> {
  await notify(tx, ticketsWaiting(await findAdmins(tx), tx.now))
}

export function ticketsOf(db: Db, { id }: Person, page: Parameters<typeof queries.findTicketsOf>[2]) {
  return queries.findTicketsOf(db, id, page)
}

export async function readTicket(db: Db, id: number, visit: Visit) {
  const ticket = authorise(await findRow(db, supportTickets, { id }), visit)
  const messages = (await queries.findMessages(db, id)).filter(({ message }) => message.kind !== 'note')
  return {
    ...ticket,
    payment: ticket.paymentId === null ? null : ((await queries.findDeal(db, ticket.paymentId)) ?? null),
    messages: messages.map(({ message }) => asMessage(message)),
  }
}

/** Adds a message to the ticket, which then waits for our team again. */
export async function addToTicket(tx: Tx, id: number, content: string, visit: Visit) {
  // Locks the user first, like account deletion.
  if (visit.user) await lockActiveUser(tx, visit.user.id)
  authorise(await queries.lockTicket(tx, id), visit)
  const added = await queries.insertMessage(tx, { ticketId: id, kind: 'question', content })
  await queries.updateStatus(tx, id, 'open')
  await notifyAdmins(tx)
  return asMessage(added)
}

export async function deleteTicketsOf(tx: Tx, userId: string): Promise<void> {
  await deleteRows(tx, supportTickets, { userId })
}
