import type { TwoServers } from './two-servers.ts'

/** Nothing processes jobs and emails here, so they would pile up. */
export async function deleteLeftovers({ sql, provider }: TwoServers): Promise<void> {
  provider.clear()
  await sql.query('truncate mails, notifications, graphile_worker._private_jobs')
}

/** Autovacuum runs too rarely for a run of minutes, and query plans for empty tables are slow on full ones. */
export async function vacuum({ sql }: TwoServers): Promise<void> {
  await sql.query('vacuum analyze')
}
