import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

const RETRY_SECONDS = [0, 1, 2, 4, 8, 16, 32]

/** Watches a connection, and calls `bringBack` for a new one when it breaks. */
export function keepConnected(
  first: pg.Client,
  bringBack: () => Promise<pg.Client>,
  say: (line: string) => void,
) {
  let client = first
  let comingBack: Promise<void> | undefined
  const givenUp = new AbortController()
  watch()

  function watch() {
    client.once('end', () => {
      if (!givenUp.signal.aborted) comingBack = comeBack()
    })
  }

  async function comeBack() {
    say('PostgreSQL has gone away.')
    for (const seconds of RETRY_SECONDS) {
      try {
        await pause(seconds * 1000, undefined, { signal: givenUp.signal })
        client = await bringBack()
        watch()
        say('PostgreSQL is back.')
        return
      } catch (error) {
        if (givenUp.signal.aborted) return
        say(`PostgreSQL does not come back: ${error instanceof Error ? error.message : error}`)
      }
    }
  }

  return {
    /** Stops watching, and hands out the connection as it is. */
    async giveUp(): Promise<pg.Client> {
      givenUp.abort()
      await comingBack
      return client
    },
  }
}
