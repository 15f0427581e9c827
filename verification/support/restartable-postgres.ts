import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@sought/server/database/embedded-postgres/embedded-postgres'
import pg from 'pg'

/**
 * A PostgreSQL that can be crashed, like with `pg_ctl stop -m immediate`, and restarts by itself like the product's
 * own. The PostgreSQL of the run cannot be used for this, because other tests use it and it runs without fsync.
 */
export interface RestartablePostgres {
  url: string
  /** Resolves once it is running again. */
  crash(): Promise<void>
  stop(): Promise<void>
}

const RESTART_WITHIN_MS = 30_000

export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-restartable-'))
  const postgres = await startEmbeddedPostgres({ dataDir, say: () => {} })
  return {
    url: postgres.url,
    async crash() {
      const pid = await postmasterPid(postgres.url)
      process.kill(pid, 'SIGQUIT')
      const deadline = Date.now() + RESTART_WITHIN_MS
      while ((await postmasterPid(postgres.url).catch(() => pid)) === pid) {
        if (Date.now() > deadline) throw new Error('PostgreSQL does not restart')
        await wait(50)
      }
    },
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL writes its process id to the first line of this file. */
async function postmasterPid(url: string): Promise<number> {
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
