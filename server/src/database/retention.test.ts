import { readFile } from 'node:fs/promises'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { openWorld } from '../testing/world.ts'
import { purgeExpired } from './retention.ts'
import * as schema from './schema.ts'

/** Inserts a row with the time `at` into each table with limited retention. `key` makes it unique. */
const inserts: Record<string, string> = {
  sessions: `insert into sessions values ($1, '{}', $2)`,
  rate_limits: 'insert into rate_limits values ($1, 1, extract(epoch from $2::timestamptz) * 1000)',
  account_tokens: `insert into account_tokens (hash, user_id, purpose, email, expires_at) values ($1, 'ada', 'verify_email', '', $2)`,
  passkey_challenges: `insert into passkey_challenges (challenge, purpose, user_id, expires_at) values ($1, 'confirm', 'ada', $2)`,
  email_changes: `insert into email_changes (old_email, user_id, payout_methods_hash, created_at) values ($1, 'ada', '', $2)`,
  known_devices: `insert into known_devices (hash, user_id, name, seen_at) values ($1, 'ada', 'Firefox', $2)`,
  mails: `insert into mails (address, user_id, kind, created_at) values ($1, 'ada', 'new_device', $2)`,
  suppressed_emails: 'insert into suppressed_emails values ($1, $2)',
  support_tickets: `insert into support_tickets (subject, user_id, topic, updated_at) values ($1, 'ada', 'other', $2)`,
  search_alerts: `with item as (
      insert into wanted_items (title, description, category, location, user_id)
      values ($1, 'Green', 'Other', 'Ipoh', 'ada') returning id
    )
    insert into search_alerts (user_id, wanted_item_id, created_at) select 'ada', id, $2 from item`,
  webhook_events: `insert into webhook_events (id, type, object_id, status, received_at) values ($1, '', '', 'handled', $2)`,
  notifications: `insert into notifications (key, user_id, kind, created_at) values ($1, 'ada', 'message', $2)`,
  audit_log: `insert into audit_log (action, details, created_at) values ('sign_in_failed', jsonb_build_object('key', $1::text), $2)`,
}

const KEPT: [table: string, days: number][] = [
  ['sessions', 0],
  ['rate_limits', 0],
  ['account_tokens', 0],
  ['passkey_challenges', 0],
  ['email_changes', 30],
  ['known_devices', 400],
  ['mails', 30],
  ['suppressed_emails', 365],
  ['support_tickets', 1_096],
  ['search_alerts', 365],
  ['webhook_events', 90],
  ['notifications', 365],
  ['audit_log', 730],
]

test('expired rows are deleted in batches, everything else stays', async () => {
  const { sql, services } = await openWorld()
  const now = services.clock()
  const hoursBefore = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  await sql.query(`insert into users (id, email) values ('ada', 'ada@example.com')`)
  await sql.query(`insert into audit_log (action, created_at) values ('password_changed', '2001-01-01')`)
  for (const [table, days] of KEPT) {
    for (const key of ['a', 'b', 'c', 'd', 'e'])
      await sql.query(inserts[table] ?? '', [key, hoursBefore(days * 24 + 1)])
    await sql.query(inserts[table] ?? '', ['kept', hoursBefore(days * 24 - 1)])
  }
  await purgeExpired(services.database.read, now, 2)
  const left = Object.fromEntries(
    await Promise.all(
      KEPT.map(async ([table]) => [table, (await sql.query(`select from ${table}`)).rowCount] as const),
    ),
  )
  expect(left).toEqual({ ...Object.fromEntries(KEPT.map(([table]) => [table, 1])), audit_log: 2 })
})

test('the audit log keeps everything except old entries about signing in', async () => {
  const { sql } = await openWorld()
  await sql.query(
    `insert into audit_log (action, created_at) values ('signed_in', now() - interval '729 days'),
       ('password_changed', now() - interval '9 years')`,
  )
  for (const action of ['signed_in', 'password_changed'])
    await expect(sql.query('delete from audit_log where action = $1', [action])).rejects.toThrow(
      'never changed or removed',
    )
})

test('docs/retention.md lists how long each table is kept', async () => {
  const text = await readFile(new URL('../../../docs/retention.md', import.meta.url), 'utf8')
  const listed = [...text.matchAll(/^- (`[^:]+`): ([^.]+)\./gm)].flatMap(([, names = '', kept = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, kept.trim()] as const),
  )
  const tables = Object.values(schema)
    .filter((it) => is(it, PgTable))
    .map(getTableName)
  expect(listed.map(([name]) => name).toSorted()).toEqual(tables.toSorted())
  const daysIn = new Map(
    listed.map(([name, kept]) => [name, Number(kept.match(/^([\d,]+) days/)?.[1]?.replace(',', ''))]),
  )
  for (const [table, days] of KEPT)
    if (days > 0 && table !== 'audit_log') expect(daysIn.get(table), table).toBe(days)
})
