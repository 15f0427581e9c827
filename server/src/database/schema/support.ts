import { SUPPORT_MESSAGE_KINDS, SUPPORT_TOPICS, TICKET_STATUSES } from '@sought/contract/support'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, id, updatedAt } from './columns.ts'

/** Questions to our team (ADR 54). */
export const supportTickets = pgTable('support_tickets', {
  id: id(),
  /** Null for a visitor, who left an address instead. */
  userId: text(),
  email: text(),
  topic: text({ enum: SUPPORT_TOPICS }).notNull(),
  subject: text().notNull(),
  /** The deal in question. Its buyer or seller asked. */
  paymentId: integer(),
  status: text({ enum: TICKET_STATUSES }).notNull().default('open'),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

/** Messages of the person, replies of our team, and notes that only admins see. */
export const supportMessages = pgTable('support_messages', {
  id: id(),
  ticketId: integer().notNull(),
  kind: text({ enum: SUPPORT_MESSAGE_KINDS }).notNull(),
  /** The admin who wrote the reply or the note. */
  adminId: text(),
  content: text().notNull(),
  createdAt: createdAt(),
})
