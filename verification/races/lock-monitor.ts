import pg from 'pg'

const LOOK_EVERY_MS = 250
/** PostgreSQL itself begins to look for a deadlock after one second. */
const TOO_LONG_MS = 2_000

const WAITING = `
  select coalesce(max(extract(epoch from clock_timestamp() - l.waitstart)) * 1000, 0)::int as ms
  from pg_locks l join pg_stat_activity a using (pid)
  where not l.granted and a.datname = current_database()`

/** Looks at the locks of a database for as long as it is wanted. */
export function watchLocks(databaseUrl: string): { problems(): Promise<string[]> } {
  let [longestMs, stopped] = [0, false]
  const watching = look()

  async function look() {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    while (!stopped) {
      const { rows } = await client.query<{ ms: number }>(WAITING)
      longestMs = Math.max(longestMs, rows[0]?.ms ?? 0)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    }
    await client.end()
  }

  return {
    /** Ends the watching. The deadlocks are counted for good once the connections that had them are closed. */
    async problems() {
      stopped = true
      await watching
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      const { rows } = await client.query<{ deadlocks: string }>(
        'select deadlocks from pg_stat_database where datname = current_database()',
      )
      await client.end()
      const deadlocks = Number(rows[0]?.deadlocks)
      return [
        ...(deadlocks > 0 ? [`${deadlocks} deadlocks`] : []),
        ...(longestMs > TOO_LONG_MS ? [`somebody waited ${longestMs} ms for a lock`] : []),
      ]
    },
  }
}
