import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

const RETRY_SECONDS = [0, 1, 2, 4, 8, 16, 32]

/** Calls `reconnect` for a new connection whenever the connection breaks. */
export function keepConnected(
  first: pg.Client,
  reconnect: () => Promise<pg.Client>,
  say: (line: string) => void,
) {
  let client = first
  let reconnecting: Promise<void> | undefined
  const stopped = new AbortController()
  watch()

  function watch() {
    client.once('end', () => {
      if (!stopped.signal.aborted) reconnecting = retryReconnect()
    })
  }

  async function retryReconnect() {
    say('Lost the connection to PostgreSQL.')
    for (const seconds of RETRY_SECONDS) {
      try {
        await pause(seconds * 1000, undefined, { signal: stopped.signal })
        client = await reconnect()
        watch()
        say('Reconnected to PostgreSQL.')
        return
      } catch (error) {
        if (stopped.signal.aborted) return
        say(`Could not reconnect to PostgreSQL: ${error instanceof Error ? error.message : error}`)
      }
    }
  }

  return {
    /** Stops watching and returns the current connection. */
    async stop(): Promise<pg.Client> {
      stopped.abort()
      await reconnecting
      return client
    },
  }
}
