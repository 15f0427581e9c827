import pg from 'pg'

const CHECK_EVERY_MS = 250
/** PostgreSQL checks for deadlocks after one second. */
const TOO_LONG_MS = 2_000

const WAITING = `
  select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)) * 1000, 0)::int as ms
  from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and a.datname = current_database()`

/** Monitors lock waits in a database until `problems` is called. */
export function monitorLocks(databaseUrl: string): { problems(): Promise<string[]> } {
  let [longestMs, stopped] = [0, false]
  const monitoring = monitor()

  async function monitor() {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    while (!stopped) {
      const { rows } = await client.query<{ ms: number }>(WAITING)
      longestMs = Math.max(longestMs, rows[0]?.ms ?? 0)
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS))
    }
    await client.end()
  }

  return {
    /** Stops monitoring. Call it after the servers have closed their connections: then the deadlock counter is final. */
    async problems() {
      stopped = true
      await monitoring
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      const { rows } = await client.query<{ deadlocks: string }>(
        'select deadlocks from pg_stat_database where datname = current_database()',
      )
      await client.end()
      const deadlocks = Number(rows[0]?.deadlocks)
      return [
        ...(deadlocks > 0 ? [`${deadlocks} deadlocks`] : []),
        ...(longestMs > TOO_LONG_MS ? [`a lock wait of ${longestMs} ms`] : []),
      ]
    },
  }
}
