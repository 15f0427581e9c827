import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@sought/server/platform/embedded-postgres'
import pg from 'pg'

/*
 * A PostgreSQL that can be stopped at once, as by `pg_ctl stop -m immediate`, and comes back by itself, as the
 * product's own does. It is not the one of the run, which others use at the same time, and which may forget what
 * was committed a moment ago.
 */

export interface OwnPostgres {
  url: string
  /** Resolves once it is back. */
  stopAtOnce(): Promise<void>
  stop(): Promise<void>
}

const BACK_WITHIN_MS = 30_000

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-stopped-'))
  const postgres = await startEmbeddedPostgres({ dataDir, say: () => {} })
  return {
    url: postgres.url,
    async stopAtOnce() {
      const pid = await postmasterOf(postgres.url)
      process.kill(pid, 'SIGQUIT')
      const deadline = Date.now() + BACK_WITHIN_MS
      while ((await postmasterOf(postgres.url).catch(() => pid)) === pid) {
        if (Date.now() > deadline) throw new Error('PostgreSQL does not come back')
        await wait(50)
      }
    },
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL writes the process id on the first line of the file. */
async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(
      "select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)::int as pid",
    )
    return rows[0].pid
  } finally {
    await client.end()
  }
}
