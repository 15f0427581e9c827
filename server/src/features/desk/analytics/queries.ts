import type { Step } from '@sought/contract/analytics'
import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { figureChanges, marketFigures, wantedItems } from '../../../database/schema.ts'
import type { Days } from './periods.ts'

/** Any number that no other advisory lock of the product uses. */
const FOLD_LOCK = 840_077

/** Only one process at a time adds changes to the figures. Returns false if another process holds the lock. */
export async function lockFigures(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${FOLD_LOCK}) as locked`,
  )
  return rows[0]?.locked === true
}

export async function needsRecount(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute(sql`select from ${figureChanges} where figure = 'recount' limit 1`)
  return rows.length > 0
}

/**
 * Adds changes to the stored figures: of the whole market, of the category and of the country, each by day and by
 * month.
 */
const addToFigures = (changes: SQL) => sql`
  insert into ${marketFigures} (slice, grain, start, name, figure, value)
  select slice, grain, start, name, figure, sum(change)
  from (${changes}) changed
  cross join lateral (values ('all', ''), ('category', category), ('country', country)) slices (slice, name)
  cross join lateral (values ('day', day), ('month', date_trunc('month', day)::date)) grains (grain, start)
  group by slice, grain, start, name, figure
  having sum(change) <> 0
  on conflict (slice, grain, start, name, figure)
  do update set value = ${marketFigures}.value + excluded.value`

/**
 * The values that changes add to the figures. All changes of a request that moved to another category or country
 * are counted under the first one. Then everything that was counted for the request is moved to the current one.
 * The whole statement reads the same snapshot of the data.
 */
const valuesOf = (changes: SQL) => sql`
  with moved as (
    select distinct on (wanted_item_id) wanted_item_id, category, country
    from ${changes} where figure = 'moved' order by wanted_item_id, id
  )
  select changed.day, changed.figure, changed.change,
    coalesce(moved.category, item.category, '') as category,
    coalesce(moved.country, item.country, '') as country
  from ${changes} changed
  left join moved on moved.wanted_item_id = changed.wanted_item_id
  left join ${wantedItems} item on item.id = changed.wanted_item_id
  where changed.day is not null
  union all
  select fact.day, fact.figure, -fact.value, moved.category, moved.country
  from moved cross join lateral figure_facts_of(moved.wanted_item_id) fact
  union all
  select fact.day, fact.figure, fact.value, item.category, coalesce(item.country, '')
  from moved
  join ${wantedItems} item on item.id = moved.wanted_item_id
  cross join lateral figure_facts_of(item.id) fact`

/** Adds all changes to the figures and deletes the changes. */
export async function foldChanges(tx: Tx): Promise<void> {
  await tx.execute(sql`
    with gone as (delete from ${figureChanges} returning *)
    ${addToFigures(valuesOf(sql`gone`))}`)
}

/** Counts everything again. Later changes are recorded by the triggers. */
export async function recountFigures(tx: Tx): Promise<void> {
  await tx.execute(sql`set local statement_timeout = 0`)
  // Enough for the sums of a few years. With less memory, PostgreSQL would write every counted row to disk and
  // read it again.
  await tx.execute(sql`set local work_mem = '128MB'`)
  await tx.execute(sql`delete from ${marketFigures}`)
  await tx.execute(sql`
    with gone as (delete from ${figureChanges})
    ${addToFigures(sql`
      select fact.day, fact.figure, fact.value as change,
        coalesce(item.category, '') as category,
        coalesce(item.country, '') as country
      from figure_facts fact left join ${wantedItems} item on item.id = fact.wanted_item_id`)}`)
}

interface FigureRow extends Record<string, unknown> {
  part: 'series' | 'previous' | 'category' | 'country'
  /** The first day of the period, the category or the country. */
  name: string
  figures: Record<string, number>
}

/**
 * The figures of a period and of the previous one, including changes that are not folded yet. One statement,
 * so that a concurrent fold is seen completely or not at all.
 */
export async function findFigures(
  db: Db,
  { current, previous, by }: { current: Days; previous: Days; by: Step },
): Promise<FigureRow[]> {
  const { rows } = await db.execute<FigureRow>(sql`
    with changes as (${valuesOf(sql`${figureChanges}`)}),
    found as (
      select 'series' as part, ${periodOf(by)} as name, figure, value from ${marketFigures}
      where slice = 'all' and ${by === 'month' ? isWithin(current) : isDayWithin(current)}
      union all
      select 'previous', '', figure, value from ${marketFigures} where slice = 'all' and ${isWithin(previous)}
      union all
      select slice, name, figure, value from ${marketFigures}
      where slice in ('category', 'country') and ${isWithin(current)}
      union all
      select part, name, figure, change
      from changes
      cross join lateral (
        values ('series', ${periodOf(by, sql`day`)}), ('category', category), ('country', country)
      ) parts (part, name)
      where day between ${current.from} and ${current.to}
      union all
      select 'previous', '', figure, change from changes where day between ${previous.from} and ${previous.to}
    ),
    summed as (select part, name, figure, sum(value)::bigint as value from found group by part, name, figure)
    select part, name, json_object_agg(figure, value) as figures from summed group by part, name`)
  return rows
}

const periodOf = (by: Step, day: SQL = sql`start`) => sql`date_trunc(${by}, ${day})::date::text`

const isDayWithin = ({ from, to }: Days) => sql`(grain = 'day' and start between ${from} and ${to})`

/**
 * Reads whole months from the monthly figures, so that a query over years takes hardly longer than one over
 * weeks.
 */
function isWithin(days: Days): SQL {
  const { from, to, months } = days
  if (!months) return isDayWithin(days)
  return sql`(
    (grain = 'month' and start between ${months.first} and ${months.last})
    or (grain = 'day' and start >= ${from} and start < ${months.first})
    or (grain = 'day' and start >= ${months.end} and start <= ${to})
  )`
}
