import { paths } from '@sought/contract/paths'
import type { Keys } from '../../../core/keys.ts'
import { defineVisitorEmail } from '../../notifications/define-email.ts'
import { defineNotification } from '../../notifications/define-notification.ts'
import * as queries from './queries.ts'
import { createTicketToken } from './ticket-tokens.ts'

const HOUR_MS = 3_600_000

/** Replies to the sender address of our emails are not read. */
const withInstructions = (reply: string) =>
  `${reply}\n\nPlease do not reply to this email. Use the button to read the conversation and to reply.`

export const ticketAnswered = defineNotification('ticket_answered', {
  kind: 'support',
  to: (to: string, supportMessageId: number) => ({ to, about: [supportMessageId], supportMessageId }),
  load: queries.findAnsweredTickets,
  title: ({ details }) => `We answered your question “${details?.subject ?? ''}”`,
  text: 'Read our answer. If something is still unclear, reply in the same conversation.',
  link: ({ details }) => ({ path: paths.ticket(details?.id ?? 0), action: 'Open the conversation' }),
  email: (_, { details }, content) =>
    details ? { ...content, text: withInstructions(details.reply) } : content,
})

export const ticketsWaiting = defineNotification('tickets_waiting', {
  kind: 'support',
  // Admins are told at most once an hour.
  to: (admins: { userId: string }[], now: Date) =>
    admins.map(({ userId: to }) => ({ to, about: [Math.floor(now.getTime() / HOUR_MS)] })),
  title: 'New questions are waiting for an answer',
  text: 'People have written to support. We tell you at most once an hour, so there may be several.',
  link: () => ({ path: paths.adminTickets({ status: 'open' }), action: 'Open the tickets' }),
})

const linkForVisitor = (ticketId: number, sessionKeys: Keys) => ({
  path: paths.ticket(ticketId, { token: createTicketToken(ticketId, sessionKeys) }),
  action: 'Open the conversation',
  reason:
    'You get this email because your address was entered in our contact form. If that was not you, please ignore it.',
})

/**
 * Contains no text of the visitor: anyone can enter any address, and our emails must not deliver a stranger's text to
 * it (ADR 54).
 */
export const ticketReceivedEmail = defineVisitorEmail({
  kind: 'ticket_received',
  async content(tx, { supportMessageId }, { sessionKeys }) {
    const ticket = await queries.findTicketOfMessage(tx, supportMessageId)
    return ticket
      ? {
          ...linkForVisitor(ticket.id, sessionKeys),
          title: `We received your question (ticket ${ticket.id})`,
          text: 'Our team will read it and answer by email. The button opens the conversation, where you can add to your question. Keep the link to yourself: whoever has it can read the conversation.',
        }
      : null
  },
})

export const ticketAnsweredEmail = defineVisitorEmail({
  kind: 'ticket_answered',
  async content(tx, { supportMessageId }, { sessionKeys }) {
    const ticket = await queries.findTicketOfMessage(tx, supportMessageId)
    return ticket
      ? {
          ...linkForVisitor(ticket.id, sessionKeys),
          title: `Our answer to your question (ticket ${ticket.id})`,
          text: withInstructions(ticket.message),
        }
      : null
  },
})
