import type { AuditAction } from '@sought/contract/audit'
import type { TicketStatus } from '@sought/contract/support'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import type { Actor } from '../../../http/session.ts'
import { countOpenDisputes } from '../../money/disputes/desk.ts'
import { notify } from '../../notifications/actions.ts'
import { enqueueVisitorEmail } from '../../notifications/enqueue-emails.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { ticketAnswered, ticketAnsweredEmail } from './notifications.ts'
import { asAdminMessage, asAdminTicket, asDeal } from './presenters.ts'
import type { Ticket, TicketFilter } from './queries.ts'
import * as queries from './queries.ts'

const DEALS_MAX = 20

export async function searchTickets(db: Db, filter: TicketFilter) {
  const found = await queries.findTickets(db, filter)
  return found.map(asAdminTicket)
}

export async function deskCounts(db: Db) {
  return { disputes: await countOpenDisputes(db), tickets: await queries.countOpenTickets(db) }
}

/** The conversation with its notes, and the person's deals. Records in the audit log who reads it. */
export async function readAdminTicket(tx: Tx, id: number, admin: Actor) {
  const row = await queries.findTicketWithPerson(tx, id)
  if (!row) throw refuse('ticket_not_found')
  await record(tx, 'ticket_viewed', row.ticket, admin)
  const { userId, paymentId } = row.ticket
  const deals = userId === null ? [] : await queries.findDealsOf(tx, userId, DEALS_MAX)
  return {
    ...asAdminTicket(row),
    payment: paymentId === null ? null : await readDeal(tx, paymentId),
    messages: (await queries.findMessages(tx, id)).map(asAdminMessage),
    deals: deals.map((deal) => asDeal(deal, userId ?? '')),
  }
}

async function readDeal(tx: Tx, paymentId: number) {
  const deal = await queries.findDealWithParties(tx, paymentId)
  return deal ? { ...deal, buyer: asPublicUser(deal.buyer), seller: asPublicUser(deal.seller) } : null
}

function record(tx: Tx, action: AuditAction, { id, userId }: Ticket, admin: Actor): Promise<void> {
  return recordAudit(tx, { action, ...by(admin), subjectId: userId, details: { ticketId: id } })
}

async function lockForDesk(tx: Tx, id: number): Promise<Ticket> {
  const ticket = await queries.lockTicket(tx, id)
  if (!ticket) throw refuse('ticket_not_found')
  return ticket
}

/** Sends the reply by email: to users as a notification, to visitors with a link. */
export async function answer(tx: Tx, id: number, content: string, admin: Actor) {
  const ticket = await lockForDesk(tx, id)
  const message = await queries.insertMessage(tx, { ticketId: id, kind: 'reply', adminId: admin.id, content })
  await queries.updateStatus(tx, id, 'answered')
  if (ticket.userId !== null) await notify(tx, ticketAnswered(ticket.userId, message.id))
  else if (ticket.email !== null)
    await enqueueVisitorEmail(tx, ticketAnsweredEmail, {
      supportMessageId: message.id,
      address: ticket.email,
    })
  await record(tx, 'ticket_answered', ticket, admin)
  return asAdminMessage({ message, admin })
}

export async function addNote(tx: Tx, id: number, content: string, admin: Actor) {
  const ticket = await lockForDesk(tx, id)
  const message = await queries.insertMessage(tx, { ticketId: id, kind: 'note', adminId: admin.id, content })
  await record(tx, 'ticket_noted', ticket, admin)
  return asAdminMessage({ message, admin })
}

export function close(tx: Tx, id: number, admin: Actor) {
  return changeStatus(tx, id, { from: ['open', 'answered'], to: 'closed', action: 'ticket_closed' }, admin)
}

export function reopen(tx: Tx, id: number, admin: Actor) {
  return changeStatus(tx, id, { from: ['closed'], to: 'open', action: 'ticket_reopened' }, admin)
}

interface StatusChange {
  from: readonly TicketStatus[]
  to: TicketStatus
  action: AuditAction
}

async function changeStatus(tx: Tx, id: number, { from, to, action }: StatusChange, admin: Actor) {
  const ticket = await lockForDesk(tx, id)
  if (!from.includes(ticket.status)) throw refuse('ticket_wrong_state')
  await queries.updateStatus(tx, id, to)
  await record(tx, action, ticket, admin)
  return { ok: true as const }
}
