import type pg from 'pg'
import type { Person } from './people.ts'

const ownPayments = 'select id from payments where buyer_id = any($1) or seller_id = any($1)'

/** Every admin gets these notifications, including those of other calls that are checked at the same time. */
const toAllAdmins = "select id from notifications where key like 'tickets_waiting:%'"

/** For each table, the condition that a row belongs to a user. */
const tables: Record<string, string> = {
  users: 'id = any($1)',
  admins: 'user_id = any($1)',
  sessions: "sess ->> 'userId' = any($1)",
  account_tokens: 'user_id = any($1)',
  phone_codes: 'user_id = any($1)',
  totp_factors: 'user_id = any($1)',
  recovery_codes: 'user_id = any($1)',
  passkeys: 'user_id = any($1)',
  mails: `user_id = any($1) and coalesce(notification_id, 0) not in (${toAllAdmins})`,
  support_tickets: 'user_id = any($1)',
  support_messages:
    'admin_id = any($1) or ticket_id in (select id from support_tickets where user_id = any($1))',
  notifications: `user_id = any($1) and id not in (${toAllAdmins})`,
  saved_searches: 'user_id = any($1)',
  search_alerts: 'user_id = any($1)',
  push_subscriptions: 'user_id = any($1)',
  delivery_addresses: 'user_id = any($1)',
  files: 'owner_id = any($1)',
  photos: 'owner_id = any($1)',
  wanted_items: 'user_id = any($1)',
  messages: 'sender_id = any($1) or receiver_id = any($1)',
  offers: 'buyer_id = any($1) or seller_id = any($1)',
  payments: 'buyer_id = any($1) or seller_id = any($1)',
  reviews: 'author_id = any($1) or subject_id = any($1)',
  blocks: 'blocker_id = any($1) or blocked_id = any($1)',
  reports: 'reporter_id = any($1)',
  moderation_cases: 'person_id = any($1) or claimed_by = any($1)',
  moderation_decisions: 'person_id = any($1) or decided_by = any($1)',
  payouts: 'seller_id = any($1)',
  payout_steps: `admin_id = any($1) or payout_id in (select id from payouts where seller_id = any($1))`,
  refund_steps: `admin_id = any($1) or payment_id in (${ownPayments})`,
  payment_refunds: `made_by = any($1) or payment_id in (${ownPayments})`,
  dispute_evidence: `submitted_by = any($1) or dispute_id in (${ownPayments})`,
  dispute_timeline: `actor = any($1) or dispute_id in (${ownPayments})`,
  documents: `seller_id = any($1) or payment_id in (${ownPayments})`,
  ledger_entries: `payment_id in (${ownPayments})`,
}

const statement = Object.entries(tables)
  .map(
    ([table, ownRows]) =>
      `select '${table}' as table, md5(string_agg(it::text, E'\\n' order by it::text)) as rows
       from ${table} it where ${ownRows}`,
  )
  .join(' union all ')

/** The connections that have prepared the statement. */
const prepared = new WeakSet<pg.PoolClient>()

/** A hash of these users' rows for each table, to detect changes. */
export async function hashOwnedRows(sql: pg.Pool, people: Person[]): Promise<Record<string, string>> {
  if (people.length === 0) return {}
  const client = await sql.connect()
  let failed = true
  try {
    if (!prepared.has(client)) await client.query(`prepare hash_owned_rows (text[]) as ${statement}`)
    prepared.add(client)
    const ids = people.map(({ id }) => client.escapeLiteral(id))
    // Planning the long statement takes longer than running it. PostgreSQL would plan it again for each array.
    const results = (await client.query(
      `begin; set local plan_cache_mode = force_generic_plan;
       execute hash_owned_rows(array[${ids.join(', ')}]); commit`,
    )) as unknown as pg.QueryResult[]
    failed = false
    const rows = results.flatMap((result) => result.rows)
    return Object.fromEntries(rows.map((row) => [row.table, row.rows]))
  } finally {
    // A failed statement leaves the connection in its transaction.
    client.release(failed)
  }
}
