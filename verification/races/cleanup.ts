import type { TwoServers } from './two-servers.ts'

/** Jobs that nobody runs here, and mails that nobody reads, would only pile up. */
export async function clearAway({ sql, provider }: TwoServers): Promise<void> {
  provider.forgetAll()
  await sql.query('truncate mails, notifications, graphile_worker._private_jobs')
}

/** Plans for empty tables serve full ones badly, and PostgreSQL gets round to it too late for a run of minutes. */
export async function vacuum({ sql }: TwoServers): Promise<void> {
  await sql.query('vacuum analyze')
}
