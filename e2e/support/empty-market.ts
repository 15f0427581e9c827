import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@sought/server/database/database'
import { setting } from './fixtures.ts'
import { type Server, startServer } from './start-servers.ts'

/** Starts a server for a market without people and requests, with its own database. */
export async function startEmptyMarket({ pool }: Database): Promise<Server> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await pool.query(`create database ${name}`)
  const url = new URL(setting('SOUGHT_DATABASE_URL'))
  url.pathname = `/${name}`
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-e2e-'))
  const { address, stop } = await startServer(url.href, dataDir, { DEMO: 'off' })
  return {
    address,
    async stop() {
      await stop()
      await rm(dataDir, { recursive: true, force: true })
      await pool.query(`drop database ${name} with (force)`)
    },
  }
}
