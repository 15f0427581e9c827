import type { VisitorEmailKind } from '@sought/contract/notification-kinds'
import { paths } from '@sought/contract/paths'
import type { EmailContent } from './email-template.ts'
import { createTicketToken } from './ticket-tokens.ts'

interface Ticket {
  id: number
  subject: string
  message: string
}

const REASON =
  'You get this email because your address was entered in our contact form. If that was not you, please ignore it.'

/** Replies to the sender address of our emails are not read. */
const HOW_TO_REPLY =
  'Please do not reply to this email. Use the button to read the conversation and to reply.'

/**
 * The first email contains no text of the visitor: anyone can enter any address, and our emails must not
 * deliver a stranger's text to it (ADR 54).
 */
export function visitorEmailContent(
  kind: VisitorEmailKind,
  ticket: Ticket,
  sessionSecret: string,
): EmailContent {
  const link = {
    path: paths.ticket(ticket.id, { token: createTicketToken(ticket.id, sessionSecret) }),
    action: 'Open the conversation',
    reason: REASON,
  }
  if (kind === 'ticket_received') {
    return {
      ...link,
      title: `We received your question (ticket ${ticket.id})`,
      text: `Our team will read it and answer by email. The button opens the conversation, where you can add to your question. Keep the link to yourself: whoever has it can read the conversation.`,
    }
  }
  return {
    ...link,
    title: `Our answer to your question (ticket ${ticket.id})`,
    text: replyText(ticket.message),
  }
}

/** The reply of our team, with instructions for answering it. */
export const replyText = (reply: string) => `${reply}\n\n${HOW_TO_REPLY}`
