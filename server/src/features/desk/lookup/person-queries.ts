import { LOOKUP_LIMIT, type PersonEvent } from '@sought/contract/lookup'
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import { columns } from '../../../database/rows.ts'
import {
  auditLog,
  disputeTimeline,
  goodwillPayments,
  moderationCases,
  moderationDecisions,
  offers,
  passkeys,
  payments,
  reports,
  reviews,
  supportTickets,
  totpFactors,
  wantedItems,
} from '../../../database/schema.ts'

export async function findFigures(db: Db, userId: string) {
  const { rows } = await db.execute<
    Record<'requests' | 'offers' | 'bought' | 'sold' | 'disputes' | 'reviews', number>
  >(sql`
    select
      (select count(*)::int from ${wantedItems} where user_id = ${userId}) as requests,
      (select count(*)::int from ${offers} where seller_id = ${userId}) as offers,
      (select count(*)::int from ${payments} where buyer_id = ${userId} and status <> 'pending') as bought,
      (select count(*)::int from ${payments} where seller_id = ${userId} and status <> 'pending') as sold,
      (select count(*)::int from ${payments} where (buyer_id = ${userId} or seller_id = ${userId})
         and exists (select from ${disputeTimeline} where dispute_id = payments.id)) as disputes,
      (select count(*)::int from ${reviews} where subject_id = ${userId}) as reviews`)
  const [found] = rows
  if (!found) throw new Error('figures are always counted')
  return found
}

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const { rows } = await db.execute<{ has: boolean }>(sql`
    select exists (select from ${totpFactors} where user_id = ${userId} and enabled_at is not null)
      or exists (select from ${passkeys} where user_id = ${userId}) as has`)
  return rows[0]?.has ?? false
}

export const findTicketsOf = (db: Db, userId: string) =>
  db
    .select()
    .from(supportTickets)
    .where(eq(supportTickets.userId, userId))
    .orderBy(desc(supportTickets.id))
    .limit(LOOKUP_LIMIT)

export const findCasesOf = (db: Db, userId: string) =>
  db
    .select({
      ...columns(moderationCases, 'id', 'kind', 'status', 'createdAt'),
      reports: db.$count(reports, eq(reports.caseId, moderationCases.id)),
    })
    .from(moderationCases)
    .where(eq(moderationCases.personId, userId))
    .orderBy(desc(moderationCases.id))
    .limit(LOOKUP_LIMIT)

export const findDecisionsOf = (db: Db, userId: string) =>
  db
    .select()
    .from(moderationDecisions)
    .where(eq(moderationDecisions.personId, userId))
    .orderBy(desc(moderationDecisions.id))
    .limit(LOOKUP_LIMIT)

export interface EventPage {
  limit: number
  /** The last entry of the previous page. */
  after: { at: Date; key: string }
}

type EventRow = Record<string, unknown> & Omit<PersonEvent, 'id' | 'at'> & { key: string; at: string }

/** No person has more events of one kind than this in the same millisecond. */
const TIES_MAX = 20

/** Events of a person, newest first. Each kind is read from its own index, and only as far as the page needs. */
export async function findPersonEvents(db: Db, userId: string, { limit, after }: EventPage) {
  const from = sql`${after.at.toISOString()}::timestamptz`
  const newest = sql`and created_at <= ${from} order by id desc limit ${limit + TIES_MAX}`
  const { rows } = await db.execute<EventRow>(sql`
    select * from (
      (select 'request_posted:' || id as key, 'request_posted' as kind, created_at as at, id::text as "refId", title as detail
       from ${wantedItems} where user_id = ${userId} ${newest})
      union all
      (select 'bought:' || id, 'bought', created_at, id::text, status from ${payments}
       where buyer_id = ${userId} ${newest})
      union all
      (select 'sold:' || id, 'sold', created_at, id::text, status from ${payments}
       where seller_id = ${userId} ${newest})
      union all
      (select 'review_written:' || id, 'review_written', created_at, payment_id::text, rating::text from ${reviews}
       where author_id = ${userId} ${newest})
      union all
      (select 'ticket_opened:' || id, 'ticket_opened', created_at, id::text, subject from ${supportTickets}
       where user_id = ${userId} ${newest})
      union all
      (select 'case_opened:' || id, 'case_opened', created_at, id::text, kind from ${moderationCases}
       where person_id = ${userId} ${newest})
      union all
      (select 'decision:' || id, 'decision', created_at, case_id::text, action from ${moderationDecisions}
       where person_id = ${userId} ${newest})
      union all
      (select 'goodwill:' || id, 'goodwill', created_at, payment_id::text, status from ${goodwillPayments}
       where recipient_id = ${userId} ${newest})
      union all
      (select 'recorded:' || id, 'recorded', created_at, null, action from ${auditLog}
       where subject_id = ${userId} ${newest})
    ) event
    where (at, key collate "C") < (${from}, ${after.key})
    order by at desc, key collate "C" desc limit ${limit}`)
  return rows.map(({ key, ...row }) => {
    const at = new Date(row.at)
    return { ...row, at, id: `${at.toISOString()}/${key}` }
  })
}
