import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {} from '@fastify/cookie'
import { pino } from 'pino'
import { buildApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/core/config.ts'
import { createServices } from '../server/src/create-services.ts'
import { releaseDue } from '../server/src/features/money/payments/release-payments.ts'
import { ADMIN_SESSION } from './seed-deals.ts'

/*
 * A full server in its own process that releases due payments on command. As in production, releases and web
 * requests share one thread.
 */

interface Started {
  port: number
  adminCookie: string
}

interface ReleaseServer extends Started {
  startReleasing(): void
  /** Returns how many payments were released. */
  stopReleasing(): Promise<number>
  stop(): void
}

export async function startReleaseServer(databaseUrl: string): Promise<ReleaseServer> {
  const child = fork(import.meta.filename, [databaseUrl])
  const answer = async () => {
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('the release server has exited'))),
    ])
    return message
  }
  const started: Started = await answer()
  return {
    ...started,
    startReleasing: () => void child.send('start'),
    async stopReleasing() {
      child.send('stop')
      return answer()
    },
    stop: () => child.disconnect(),
  }
}

async function serve(databaseUrl: string): Promise<void> {
  const dataDir = join(tmpdir(), `sought-bench-${process.pid}`)
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'silent', RATE_LIMIT: 'off' }
  const log = pino({ level: 'silent' })
  const services = await createServices(readConfig(settings), databaseUrl, () => new Date(), log)
  const app = await buildApp(services, { ready: true }, log)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const adminCookie = `sid=${encodeURIComponent(app.signCookie(ADMIN_SESSION))}`
  process.send?.({ port: Number(port), adminCookie } satisfies Started)

  let stopping = new AbortController()
  let releasing: Promise<number> = Promise.resolve(0)
  process.on('message', async (message) => {
    if (message === 'start') {
      stopping = new AbortController()
      releasing = releaseDue(services, stopping.signal)
    } else {
      stopping.abort()
      process.send?.(await releasing)
    }
  })
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  process.once('disconnect', () => process.exit())
}

const [databaseUrl] = process.argv.slice(2)
if (import.meta.main && databaseUrl) await serve(databaseUrl)
