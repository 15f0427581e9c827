import type { TwoServers } from './two-servers.ts'

/** Deletes jobs and emails, which would pile up because no worker processes them here. */
export async function deleteLeftovers({ sql, provider }: TwoServers): Promise<void> {
  provider.clear()
  await sql.query('truncate mails, notifications, graphile_worker._private_jobs')
}

/** Autovacuum runs too rarely for a run of minutes, and query plans for empty tables are slow on full ones. */
export async function vacuum({ sql }: TwoServers): Promise<void> {
  await sql.query('vacuum analyze')
}
