import { PAYMENT_STATUSES } from '@sought/escrow/payment-status'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { SUPPORT_MESSAGE_MAX_LENGTH } from './constants.ts'
import { Currency } from './currency-code.ts'
import { Amount, Done, Email, Id, PathId, pageLimit, Timestamp, text } from './fields.ts'

const call = callsOf({ subjects: ['tickets'], fresh: 'on open' })

/** The topics of questions. The help page groups its answers in the same way. */
export const SUPPORT_TOPICS = ['buying', 'selling', 'payments', 'disputes', 'account', 'other'] as const
export const SupportTopic = z.enum(SUPPORT_TOPICS)
export type SupportTopic = z.output<typeof SupportTopic>

/** `open`: our team has to reply. `answered`: our team has replied. */
export const TICKET_STATUSES = ['open', 'answered', 'closed'] as const
const TicketStatus = z.enum(TICKET_STATUSES)
export type TicketStatus = z.output<typeof TicketStatus>

export const SUPPORT_MESSAGE_KINDS = ['question', 'reply', 'note'] as const

/** The deal that a question is about. */
const TicketPayment = z.object({
  id: Id,
  transactionNumber: z.string(),
  title: z.string(),
  amount: Amount,
  currency: Currency,
})

const Ticket = z.object({
  id: Id,
  topic: SupportTopic,
  subject: z.string(),
  status: TicketStatus,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

/** A message of the person who asked, or a reply of our team. */
export const SupportMessage = z.object({
  id: Id,
  from: z.enum(['you', 'team']),
  content: z.string(),
  createdAt: Timestamp,
})
export type SupportMessage = z.output<typeof SupportMessage>

export const SupportTicket = z.extend(Ticket, {
  payment: z.nullable(TicketPayment),
  messages: z.array(SupportMessage),
})
export type SupportTicket = z.output<typeof SupportTicket>

const MessageText = text(SUPPORT_MESSAGE_MAX_LENGTH, 'Please write a message')

export const NewTicket = z.object({
  topic: SupportTopic,
  subject: text(120, 'Please enter a subject'),
  message: MessageText,
  /** Required for visitors. Signed-in users are contacted through their account. */
  email: z.optional(Email),
  /** A payment that the user makes or receives. */
  paymentId: z.optional(Id),
})

export const createTicket = call({
  method: 'POST',
  path: '/api/support/tickets',
  access: 'public',
  summary: 'Asks our team a question. Visitors get a link to the conversation by email',
  body: NewTicket,
  reply: z.object({ id: Id }),
  status: 201,
  refuses: ['payment_not_found', 'too_many'],
})

export const listTickets = call({
  method: 'GET',
  path: '/api/support/tickets',
  access: 'user',
  summary: "Lists the user's own questions to our team, newest first",
  query: z.object({ limit: pageLimit(20, 100), cursor: z.optional(PathId) }),
  reply: z.array(Ticket),
})

/** The token in the link that a visitor got by email. */
const TicketToken = z.optional(z.string().check(z.regex(/^\d{1,10}\.[\w-]{43}(\.[\w-]{8})?$/)))

const onTicket = { params: z.object({ id: PathId }) }

export const getTicket = call({
  ...onTicket,
  method: 'GET',
  path: '/api/support/tickets/:id',
  access: 'public',
  summary: 'Gets a question with its replies, for the user who asked or with the link from the email',
  query: z.object({ token: TicketToken }),
  reply: SupportTicket,
  refuses: ['ticket_not_found', 'too_many'],
})

export const TicketReply = z.object({ content: MessageText })

export const replyToTicket = call({
  ...onTicket,
  method: 'POST',
  path: '/api/support/tickets/:id/messages',
  access: 'public',
  summary: 'Adds a message to a question. A closed one is opened again',
  body: z.extend(TicketReply, { token: TicketToken }),
  reply: SupportMessage,
  status: 201,
  refuses: ['ticket_not_found', 'too_many'],
})

/** A ticket on the desk. Visitors have no account, and their email address is not verified. */
export const AdminTicket = z.extend(Ticket, {
  person: z.nullable(PublicUser),
  email: z.nullable(z.string()),
  /** The start of the latest message that is not a note. */
  excerpt: z.string(),
})
export type AdminTicket = z.output<typeof AdminTicket>

const AdminMessage = z.object({
  id: Id,
  kind: z.enum(SUPPORT_MESSAGE_KINDS),
  content: z.string(),
  /** The admin who wrote the reply or the note. */
  author: z.nullable(PublicUser),
  createdAt: Timestamp,
})
export type AdminMessage = z.output<typeof AdminMessage>

const PersonDeal = z.extend(TicketPayment, {
  wantedItemId: Id,
  status: z.enum(PAYMENT_STATUSES),
  role: z.enum(['buyer', 'seller']),
  /** Whether the desk lists the payment as a dispute. */
  disputed: z.boolean(),
  createdAt: Timestamp,
})
export type PersonDeal = z.output<typeof PersonDeal>

export const AdminTicketDetails = z.extend(AdminTicket, {
  payment: z.nullable(z.extend(TicketPayment, { buyer: PublicUser, seller: PublicUser })),
  messages: z.array(AdminMessage),
  /** The latest deals of the person. Empty for visitors. */
  deals: z.array(PersonDeal),
})
export type AdminTicketDetails = z.output<typeof AdminTicketDetails>

export const listAdminTickets = call({
  method: 'GET',
  path: '/api/admin/tickets',
  access: 'admin',
  summary: 'Lists questions to our team, newest first, by status or by words in them',
  query: z.object({
    status: z.optional(TicketStatus),
    search: z.optional(text(200)),
    limit: pageLimit(20, 100),
    cursor: z.optional(PathId),
  }),
  reply: z.array(AdminTicket),
})

export const getDeskCounts = call({
  method: 'GET',
  path: '/api/admin/counts',
  access: 'admin',
  about: ['tickets', 'disputes'],
  summary: 'Counts the open disputes and unanswered questions',
  reply: z.object({ disputes: z.int(), tickets: z.int() }),
})

export const getAdminTicket = call({
  ...onTicket,
  method: 'GET',
  path: '/api/admin/tickets/:id',
  access: 'admin',
  summary: 'Gets a question with its replies and notes, and the deals of the person',
  reply: AdminTicketDetails,
  refuses: ['ticket_not_found'],
})

/** A reply or a note of our team. */
export const TeamMessage = z.object({
  content: text(SUPPORT_MESSAGE_MAX_LENGTH, 'Please write something first'),
})

const written = { body: TeamMessage, reply: AdminMessage, status: 201 } as const

export const answerTicket = call({
  ...onTicket,
  ...written,
  method: 'POST',
  path: '/api/admin/tickets/:id/reply',
  access: 'admin',
  summary: 'Replies to a question. The person gets the reply by email too',
  refuses: ['ticket_not_found'],
})

export const noteTicket = call({
  ...onTicket,
  ...written,
  method: 'POST',
  path: '/api/admin/tickets/:id/notes',
  access: 'admin',
  summary: 'Adds a note to a question that only admins see',
  refuses: ['ticket_not_found'],
})

export const closeTicket = call({
  ...onTicket,
  method: 'POST',
  path: '/api/admin/tickets/:id/close',
  access: 'admin',
  summary: 'Closes a question',
  reply: Done,
  refuses: ['ticket_not_found', 'ticket_wrong_state'],
})

export const reopenTicket = call({
  ...onTicket,
  method: 'POST',
  path: '/api/admin/tickets/:id/reopen',
  access: 'admin',
  summary: 'Opens a closed question again',
  reply: Done,
  refuses: ['ticket_not_found', 'ticket_wrong_state'],
})
