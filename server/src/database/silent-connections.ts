import type pg from 'pg'

/*
 * A connection can go silent: its host dies or a firewall forgets it, and nobody tells us. So the client gives up a
 * statement a little later than PostgreSQL would, and closes the connection. To give up only the statement is not
 * enough: the connection would go back to the pool, and a rollback would wait behind the statement (ADR 104).
 */

/** For every connection, also those outside pools. A host that is gone is noticed even if nothing is sent. */
export const CONNECTION_LIMITS = {
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
} as const satisfies pg.ClientConfig

interface Watched {
  close(): void
  /** When the running statement began. Null if there is none. */
  beganMs: number | null
  /** When PostgreSQL last answered. */
  heardMs: number
}

const watchedOf = new WeakMap<pg.Pool, Set<Watched>>()

/** Closes this new connection of the pool when a statement has had no answer for `limitMs`. */
export function closeWhenSilent(
  pool: pg.Pool,
  client: pg.Client,
  limitMs: number,
  onSilent: (error: Error) => void,
): void {
  const all = watchedOf.get(pool) ?? new Set()
  watchedOf.set(pool, all)
  let timer: NodeJS.Timeout | undefined
  const forget = () => {
    clearTimeout(timer)
    all.delete(watched)
  }
  const watched: Watched = {
    beganMs: null,
    heardMs: performance.now(),
    close() {
      forget()
      // Ends the statement with an error, and the pool replaces the connection.
      client.end().catch(() => {})
    },
  }
  const giveUp = () => {
    const beganMs = watched.beganMs ?? 0
    onSilent(new Error(`a connection to the database was silent for ${limitMs / 1000} s`))
    // What else has not answered since then is likely to be silent too.
    for (const other of all) if (other.beganMs !== null && other.heardMs < beganMs) other.close()
    watched.close()
  }
  const begin = () => {
    if (watched.beganMs !== null || !all.has(watched)) return
    watched.beganMs = performance.now()
    timer = setTimeout(giveUp, limitMs).unref()
  }
  const query = client.query.bind(client) as (...given: unknown[]) => unknown
  client.query = ((...given: unknown[]) => {
    begin()
    return query(...given)
  }) as pg.Client['query']
  // The driver emits it when all statements of the connection have been answered.
  client.on('drain', () => {
    clearTimeout(timer)
    watched.beganMs = null
    watched.heardMs = performance.now()
  })
  client.on('end', forget)
  all.add(watched)
}

/** For how long the oldest running statement of these pools has had no answer. 0 if there is none. */
export function oldestStatementMs(pools: readonly pg.Pool[]): number {
  const began = pools.flatMap((pool) => [...(watchedOf.get(pool) ?? [])].map(({ beganMs }) => beganMs))
  const running = began.filter((beganMs) => beganMs !== null)
  return running.length === 0 ? 0 : performance.now() - Math.min(...running)
}
