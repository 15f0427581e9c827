import { SUPPORT_MESSAGE_KINDS, SUPPORT_TOPICS, TICKET_STATUSES } from '@sought/contract/support'
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { createdAt, id, quoteAll, updatedAt } from './columns.ts'
import { payments } from './payments.ts'

/** Questions to our team (ADR 54). */
export const supportTickets = pgTable(
  'support_tickets',
  {
    id: id(),
    /** Null for a visitor, who left an address instead. */
    userId: text().references(() => users.id),
    email: text(),
    topic: text({ enum: SUPPORT_TOPICS }).notNull(),
    subject: text().notNull(),
    /** The deal in question. Its buyer or seller asked. */
    paymentId: integer().references(() => payments.id, { onDelete: 'set null' }),
    status: text({ enum: TICKET_STATUSES }).notNull().default('open'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (it) => [
    index('support_tickets_user').on(it.userId, it.id),
    index('support_tickets_status').on(it.status, it.id),
    index('support_tickets_payment').on(it.paymentId),
    index('support_tickets_updated').on(it.updatedAt),
    check('support_tickets_person', sql`num_nonnulls(${it.userId}, ${it.email}) = 1`),
    check('support_tickets_visitor', sql`${it.userId} is not null or ${it.paymentId} is null`),
    check('support_tickets_subject', sql`${it.subject} <> ''`),
    check('support_tickets_topic', sql`${it.topic} in (${quoteAll(SUPPORT_TOPICS)})`),
    check('support_tickets_status', sql`${it.status} in (${quoteAll(TICKET_STATUSES)})`),
  ],
)

/** Messages of the person, replies of our team, and notes that only admins see. */
export const supportMessages = pgTable(
  'support_messages',
  {
    id: id(),
    ticketId: integer()
      .notNull()
      .references(() => supportTickets.id, { onDelete: 'cascade' }),
    kind: text({ enum: SUPPORT_MESSAGE_KINDS }).notNull(),
    /** The admin who wrote the reply or the note. */
    adminId: text().references(() => users.id),
    content: text().notNull(),
    createdAt: createdAt(),
  },
  (it) => [
    index('support_messages_ticket').on(it.ticketId, it.id),
    check('support_messages_kind', sql`${it.kind} in (${quoteAll(SUPPORT_MESSAGE_KINDS)})`),
    check('support_messages_admin', sql`(${it.kind} = 'question') = (${it.adminId} is null)`),
    check('support_messages_content', sql`btrim(${it.content}) <> ''`),
  ],
)
