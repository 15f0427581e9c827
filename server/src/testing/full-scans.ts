import pg from 'pg'
import { vi } from 'vitest'

/** Tables that grow with the market. Others are small, and other parts of the server read them at the same time. */
const GROWING = [
  'audit_log',
  'chargebacks',
  'dispute_cases',
  'dispute_timeline',
  'goodwill_payments',
  'ledger_entries',
  'messages',
  'moderation_cases',
  'moderation_decisions',
  'offers',
  'payments',
  'payouts',
  'provider_facts',
  'provider_transactions',
  'reports',
  'request_versions',
  'reviews',
  'support_tickets',
  'users',
  'wanted_items',
]

type Query = string | { text: string; values?: unknown[] }

/**
 * The growing tables that statements of `act` read completely because no index supports their condition. The planner
 * may use only bitmaps here. Otherwise it would read small tables completely and walk through primary keys.
 */
export async function findFullScans(sql: pg.Pool, act: () => Promise<unknown>): Promise<string[]> {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  let statements: [query: Query, values?: unknown[]][]
  try {
    await act()
    statements = asked.mock.calls as unknown as typeof statements
  } finally {
    asked.mockRestore()
  }
  const client = await sql.connect()
  const scanned = new Set<string>()
  try {
    await client.query(
      'begin; set local enable_seqscan = off; set local enable_indexscan = off; set local enable_indexonlyscan = off',
    )
    for (const [query, values] of statements) {
      const { text, values: ownValues } =
        typeof query === 'string' ? { text: query, values: undefined } : query
      if (!/^\W*(select|with)\b/i.test(text)) continue
      const plan = await client.query(`explain ${text}`, values ?? ownValues ?? [])
      const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
      for (const [, table = ''] of lines.matchAll(/Seq Scan on (\w+)/g)) scanned.add(table)
    }
  } finally {
    await client.query('rollback')
    client.release()
  }
  return GROWING.filter((table) => scanned.has(table))
}
