import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../database/database.ts'
import {
  moderationCases,
  moderationDecisions,
  notifications,
  savedSearches,
  searchAlerts,
  supportMessages,
  supportTickets,
} from '../../database/schema.ts'

/*
 * What only the texts of a few kinds need. Joined to every list of notifications, these tables would take most of its
 * time, because PostgreSQL plans ten joins more slowly than it runs them.
 */

interface WithNotification {
  notification: Pick<typeof notifications.$inferSelect, 'id' | 'kind' | 'supportMessageId'>
}

/** Adds the saved search that matched, the ticket that was answered and the decision of the moderators. */
export async function withDetails<Row extends WithNotification>(db: Db, rows: Row[]) {
  const idsWhere = (needs: (notification: Row['notification']) => boolean) =>
    rows.filter(({ notification }) => needs(notification)).map(({ notification }) => notification.id)
  const matched = idsWhere(({ kind }) => kind === 'search_match')
  const answered = idsWhere(({ supportMessageId }) => supportMessageId !== null)
  const decided = idsWhere(({ kind }) => kind === 'moderation')
  const searches = await findSearches(db, matched)
  const tickets = await findTickets(db, answered)
  const decisions = await findDecisions(db, decided)
  return rows.map((row) => ({
    ...row,
    search: searches.get(row.notification.id) ?? null,
    ticket: tickets.get(row.notification.id) ?? null,
    decision: decisions.get(row.notification.id) ?? null,
  }))
}

async function findSearches(db: Db, ids: number[]) {
  if (ids.length === 0) return new Map<number, never>()
  const found = await db
    .select({ id: notifications.id, search: { name: savedSearches.name } })
    .from(notifications)
    .innerJoin(
      searchAlerts,
      and(
        eq(searchAlerts.userId, notifications.userId),
        eq(searchAlerts.wantedItemId, notifications.wantedItemId),
      ),
    )
    .innerJoin(savedSearches, eq(savedSearches.id, searchAlerts.savedSearchId))
    .where(inArray(notifications.id, ids))
  return new Map(found.map(({ id, search }) => [id, search]))
}

async function findTickets(db: Db, ids: number[]) {
  if (ids.length === 0) return new Map<number, never>()
  const found = await db
    .select({
      id: notifications.id,
      ticket: { id: supportTickets.id, subject: supportTickets.subject, reply: supportMessages.content },
    })
    .from(notifications)
    .innerJoin(supportMessages, eq(supportMessages.id, notifications.supportMessageId))
    .innerJoin(supportTickets, eq(supportTickets.id, supportMessages.ticketId))
    .where(inArray(notifications.id, ids))
  return new Map(found.map(({ id, ticket }) => [id, ticket]))
}

async function findDecisions(db: Db, ids: number[]) {
  if (ids.length === 0) return new Map<number, never>()
  const found = await db
    .select({
      id: notifications.id,
      decision: {
        action: moderationDecisions.action,
        reason: moderationDecisions.reason,
        until: moderationDecisions.until,
        appealAnswer: moderationDecisions.appealAnswer,
        kind: moderationCases.kind,
      },
    })
    .from(notifications)
    .innerJoin(
      moderationDecisions,
      and(
        eq(moderationDecisions.personId, notifications.userId),
        sql`${moderationDecisions.id}::text = split_part(${notifications.key}, ':', 2)`,
      ),
    )
    .innerJoin(moderationCases, eq(moderationCases.id, moderationDecisions.caseId))
    .where(inArray(notifications.id, ids))
  return new Map(found.map(({ id, decision }) => [id, decision]))
}
