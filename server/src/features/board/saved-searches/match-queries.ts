import { sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { areBlocked } from '../../users/blocks.ts'

export interface Match {
  itemId: number
  /** Ignores searches that were saved later. */
  at: Date
  /** The request before it was changed. Searches that it already matched are not alerted. */
  before?: object | undefined
}

const DIGEST_INTERVAL = sql.raw(`interval '24 hours'`)

interface AlertRow extends Record<string, unknown> {
  user_id: string
  owner_id: string
}

interface Alerted {
  ownerId: string
  people: string[]
}

/**
 * Records the people for whom an open request is new, and returns those who are alerted immediately. One statement:
 * the request's keys find candidates in the index of saved searches, which are then checked against all filters.
 * `offset 0` keeps the planner from reading all searches instead. The order prevents deadlocks with a second job
 * for the same request.
 */
export async function insertAlerts(tx: Tx, { itemId, at, before }: Match): Promise<Alerted> {
  const now = sql`${tx.now.toISOString()}::timestamptz`
  const since = sql`${at.toISOString()}::timestamptz`
  const { rows } = await tx.execute<AlertRow>(sql`
    with item as materialized (
      select *, ${SEARCHABLE} from wanted_items
      where id = ${itemId} and status = 'open' and expires_at > ${now}
    ), before as materialized (
      select *, ${SEARCHABLE}
      from jsonb_populate_record(null::wanted_items, ${before ? JSON.stringify(before) : null}::jsonb)
      where status = 'open' and expires_at > ${since}
    ), matching as (
      select distinct on (search.user_id) search.user_id, search.id, search.alerts,
        coalesce(search.digest_at, search.created_at) as last_digest_at, item.user_id as owner_id
      from item, lateral (
        select search_keys(item.words) as key union select unnest(item.marks) union select ':$' || item.currency
      ) has, lateral (
        select * from saved_searches
        where keys @> array[has.key] and alerts <> 'off' and ${MAY_CONTAIN_PARTS} offset 0
      ) search
      where search.user_id <> item.user_id and search.created_at <= ${since}
        and ${fits('item')}
        and not ${areBlocked(sql`search.user_id`, sql`item.user_id`)}
        and not exists (select from before where ${fits('before')})
      order by search.user_id, search.alerts = 'immediately' desc, search.id
    ), alerted as (
      insert into search_alerts (user_id, wanted_item_id, saved_search_id, due_at, created_at)
      select user_id, ${itemId}, id,
        case alerts when 'daily' then greatest(${now}, last_digest_at + ${DIGEST_INTERVAL}) end, ${now}
      from matching order by user_id
      on conflict do nothing
      returning user_id, due_at
    )
    select matching.user_id, matching.owner_id from alerted join matching using (user_id)
    where alerted.due_at is null`)
  return { ownerId: rows[0]?.owner_id ?? '', people: rows.map(({ user_id }) => user_id) }
}

/** Words have no spaces, so a part that occurs in one of these texts occurs within one word. */
const SEARCHABLE = sql.raw(`
  ' ' || array_to_string(words, ' ') as all_words,
  ' ' || array_to_string(search_lexemes(location), ' ') as location_words`)

/**
 * Most candidates lack one of the searched words. This check excludes them faster than `fits`, which checks all
 * parts exactly.
 */
const MAY_CONTAIN_PARTS = sql.raw(`
  coalesce(strpos(item.all_words, parts[1]) > 0, true) and coalesce(strpos(item.all_words, parts[2]) > 0, true)`)

/** Without a currency, budgets mean the market's first one. */
const HAS_BUDGET = `search.filters ?| '{minBudget,maxBudget}'`

/** Whether a request matches `search`: the same rules as for the list of requests (ADR 30), without similar spellings. */
const fits = (item: 'item' | 'before') =>
  sql.raw(`
    coalesce(search.filters ->> 'category' = ${item}.category, true)
    and coalesce(search.filters ->> 'urgency' = ${item}.urgency, true)
    and coalesce(search.filters ->> 'currency' = ${item}.currency, not ${HAS_BUDGET}
      or ${item}.currency = (select market_currency()))
    and coalesce((search.filters ->> 'minBudget')::numeric <= ${item}.max_budget or ${item}.max_budget = 0, true)
    and coalesce((search.filters ->> 'maxBudget')::numeric >= ${item}.min_budget or ${item}.max_budget = 0, true)
    and coalesce((search.filters ->> 'since')::timestamptz <= ${item}.created_at, true)
    and coalesce((search.filters ->> 'hasImage')::boolean = (${item}.image_url is not null), true)
    and ${contains(`${item}.all_words`, 'search.parts')}
    and ${contains(`${item}.location_words`, 'search.location_parts')}
    and (search.area is null or coalesce(${isWithinArea(`${item}.place`)}, false))`)

/** Parts of one or two letters must start a word. */
const contains = (words: string, parts: string) => `not exists (
      select from unnest(${parts}) part
      where strpos(${words}, case when char_length(part) < 3 then ' ' || part else part end) = 0
    )`

/** The haversine formula, as for the list of requests. */
function isWithinArea(place: string): string {
  const [latitude, longitude, radiusKm] = ['latitude', 'longitude', 'radiusKm'].map(
    (name) => `(search.area ->> '${name}')::float8`,
  )
  return `12742 * asin(least(1, sqrt(
      sind((${place}[1] - ${latitude}) / 2) ^ 2
      + cosd(${latitude}) * cosd(${place}[1]) * sind((${place}[0] - ${longitude}) / 2) ^ 2
    ))) <= ${radiusKm}`
}
