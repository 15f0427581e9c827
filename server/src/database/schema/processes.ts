import type { DoctorCheck } from '@sought/contract/doctor'
import { sql } from 'drizzle-orm'
import { bigint, customType, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, currency, id, moment } from './columns.ts'

/** Always has one row. */
export const installation = pgTable('installation', {
  /** Distinguishes our objects at the card provider from those of other databases (ADR 39). */
  id: uuid().primaryKey().defaultRandom(),
  /** When a process of release 0.1.0 last read the announcements. */
  announcementsReadAt: moment(),
  /** The process that passes announcements on, when it last did, and up to which transactions (ADR 107). */
  notifier: text(),
  notifiedAt: moment(),
  notifiedUntil: text(),
  /** Until when the provider's events were read. */
  eventsReadUntil: moment(),
  /** While the following events are being read: until when, and after which event of theirs to go on. */
  eventsReadingUntil: moment(),
  eventsReadAfter: text(),
  /** What the checks of the deployment found when they last ran at the desk. */
  doctorRanAt: moment(),
  doctorChecks: jsonb().$type<DoctorCheck[]>(),
  /** The currency of the first start. Counts until the operator chooses others. */
  currency: currency().default(sql`deployment_currency()`),
  createdAt: createdAt(),
})

/** Each finished run of `npm run backup`. */
export const backups = pgTable('backups', {
  id: id(),
  name: text().notNull(),
  finishedAt: createdAt(),
})

const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/** Announcements that the notifier passes on, and that processes behind a pooler read themselves (ADR 107). */
export const announcements = pgTable('announcements', {
  id: bigint({ mode: 'number' }).generatedAlwaysAsIdentity().primaryKey(),
  transactionId: transactionId().notNull().default(sql`pg_current_xact_id()`),
  channel: text().notNull(),
  payload: text().notNull(),
  createdAt: createdAt(),
})

/** Attempts per key. rate-limiter-flexible defines the columns. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
})

/** The keys that write: what scrypt makes of each, by the name of its variable (ADR 105). */
export const keyChecks = pgTable('key_checks', {
  name: text().primaryKey(),
  keyCheck: text().notNull(),
  since: createdAt(),
})

/** The versions that have migrated the database. */
export const releases = pgTable('releases', {
  version: text().primaryKey(),
  createdAt: createdAt(),
})

/** The running processes, with the checks of their first keys. */
export const runningProcesses = pgTable('running_processes', {
  id: uuid().primaryKey(),
  keyChecks: text().array().notNull(),
  seenAt: createdAt(),
})

/** The heartbeats of the job workers of all processes. Jobs of a worker that stops sending them are released. */
export const jobWorkers = pgTable('job_workers', {
  id: text().primaryKey(),
  seenAt: moment().notNull(),
})
