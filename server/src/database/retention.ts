import { EXPORT_KEPT_DAYS } from '@sought/contract/exports'
import { and, eq, lt, lte, ne, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './database.ts'
import {
  accountTokens,
  auditLog,
  emailChanges,
  exportJobs,
  knownDevices,
  mailEvents,
  mails,
  notifications,
  passkeyChallenges,
  phoneCodes,
  rateLimits,
  searchAlerts,
  sessions,
  supportTickets,
  suppressedEmails,
  webhookEvents,
} from './schema.ts'

/* Data that is not kept permanently, and how long it is kept. docs/retention.md lists every table. */

/** Counted from the creation of a row, unless noted otherwise. */
export const KEPT_DAYS = {
  /** Counted from the last use. */
  session: 30,
  /** Counted from the last use. Browsers keep no cookie for longer. */
  knownDevice: 400,
  /** Longer than the undo link is valid, so that the screen can say that it has expired. */
  emailChange: 30,
  email: 30,
  notification: 365,
  suppressedEmail: 365,
  /** Longer than mail services repeat an event. */
  mailEvent: 30,
  /** Longer than the provider repeats and lists an event. Those that are not handled are kept. */
  webhookEvent: 90,
  /** Until then, nobody is alerted to the same request again. */
  searchAlert: 365,
  /** A trigger refuses to delete these entries of the audit log earlier, and all others at any time. */
  signInEntry: 730,
  export: EXPORT_KEPT_DAYS,
  /** Counted from the last message. The privacy policy promises three years. */
  supportTicket: 3 * 365 + 1,
} as const

const SIGN_IN_ACTIONS = ['signed_in', 'sign_in_failed', 'signed_out'] as const

const DAY_MS = 86_400_000
const BATCH = 1_000

interface Rule {
  table: PgTable
  /** Selects the expired rows. */
  where: SQL | undefined
  /** For tables without an index on the time. Their ids grow with time, so only the oldest rows are checked. */
  oldest?: { by: PgColumn; of?: SQL }
}

function rulesAt(now: Date): Rule[] {
  const isOlder = (column: PgColumn, days: number) => lt(column, new Date(now.getTime() - days * DAY_MS))
  return [
    { table: sessions, where: lte(sessions.expire, now) },
    { table: rateLimits, where: lt(rateLimits.expire, now.getTime()) },
    { table: accountTokens, where: lte(accountTokens.expiresAt, now) },
    { table: phoneCodes, where: lte(phoneCodes.expiresAt, now) },
    { table: passkeyChallenges, where: lte(passkeyChallenges.expiresAt, now) },
    { table: emailChanges, where: isOlder(emailChanges.createdAt, KEPT_DAYS.emailChange) },
    { table: knownDevices, where: isOlder(knownDevices.seenAt, KEPT_DAYS.knownDevice) },
    { table: mails, where: isOlder(mails.createdAt, KEPT_DAYS.email) },
    { table: suppressedEmails, where: isOlder(suppressedEmails.refusedAt, KEPT_DAYS.suppressedEmail) },
    { table: mailEvents, where: isOlder(mailEvents.receivedAt, KEPT_DAYS.mailEvent) },
    { table: supportTickets, where: isOlder(supportTickets.updatedAt, KEPT_DAYS.supportTicket) },
    { table: searchAlerts, where: isOlder(searchAlerts.createdAt, KEPT_DAYS.searchAlert) },
    {
      table: webhookEvents,
      where: and(
        isOlder(webhookEvents.receivedAt, KEPT_DAYS.webhookEvent),
        ne(webhookEvents.status, 'parked'),
      ),
    },
    {
      table: notifications,
      where: isOlder(notifications.createdAt, KEPT_DAYS.notification),
      oldest: { by: notifications.id },
    },
    // The file is deleted later (purgeAbandonedFiles).
    {
      table: exportJobs,
      where: isOlder(exportJobs.createdAt, KEPT_DAYS.export),
      oldest: { by: exportJobs.id },
    },
    ...SIGN_IN_ACTIONS.map((action) => ({
      table: auditLog,
      // The trigger uses the database's clock.
      where: and(
        isOlder(auditLog.createdAt, KEPT_DAYS.signInEntry),
        lt(auditLog.createdAt, sql`now() - ${KEPT_DAYS.signInEntry} * interval '1 day'`),
      ),
      oldest: { by: auditLog.id, of: eq(auditLog.action, action) },
    })),
  ]
}

/** Deletes expired rows, in short statements that lock few of them. */
export async function purgeExpired(db: Db, now: Date, batch = BATCH): Promise<void> {
  for (const rule of rulesAt(now)) {
    while ((await deleteBatch(db, rule, batch)) === batch);
  }
}

async function deleteBatch(db: Db, { table, where, oldest }: Rule, batch: number): Promise<number> {
  const candidates = oldest
    ? sql`select ctid from ${table} where ${oldest.of ?? sql`true`} order by ${oldest.by} limit ${batch}`
    : sql`select ctid from ${table} where ${where} limit ${batch} for update skip locked`
  const { rowCount } = await db.execute(
    sql`delete from ${table} where ctid = any(array(${candidates})) and ${where}`,
  )
  return rowCount ?? 0
}
