import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { systemClock } from '@sought/server/core/clock'
import { readConfig } from '@sought/server/core/config'
import { freePort } from '@sought/server/core/free-port'
import { createServices } from '@sought/server/create-services'
import {
  startTestPostgres,
  startTestReplica,
} from '@sought/server/database/embedded-postgres/embedded-postgres'
import { migrate } from '@sought/server/database/migrate'
import type { Services } from '@sought/server/services'
import { startS3Server } from '@sought/server/testing/s3-server'
import { openTcpProxy, type TcpProxy } from '@sought/server/testing/tcp-proxy'
import { pino } from 'pino'
import { SMTPServer } from 'smtp-server'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { createServerProcess, type ServerProcess } from '../support/server-process.ts'

export type ServerName = 'direct' | 'pooled'
export type Dependency = 'postgres' | 'pooler' | 'replica' | 's3' | 'smtp' | 'stripe'

/** Two server processes of one market, with a proxy before everything that they depend on. */
export interface Deployment {
  /** One is connected to PostgreSQL itself and to a replica, the other one through a pooler. */
  servers: Record<ServerName, ServerProcess>
  proxies: Record<Dependency, TcpProxy>
  /** Of this process, which reaches everything without a proxy. */
  services: Services
  /** The ids of all emails that the mail server accepted. */
  accepted: Set<string>
  close(): Promise<void>
}

const SECRETS = { SESSION_SECRET: 'the session secret of both', DATA_KEY: 'the data key of both processes' }

export async function openDeployment(): Promise<Deployment> {
  const closing: (() => Promise<unknown>)[] = []
  const open = async <Opened>(opened: Promise<Opened>, close: (opened: Opened) => Promise<unknown>) => {
    const it = await opened
    closing.push(() => close(it))
    return it
  }
  const close = async () => {
    for (const each of closing.toReversed()) await each()
  }
  try {
    const folder = await open(mkdtemp(join(tmpdir(), 'sought-silence-')), (it) =>
      rm(it, { recursive: true, force: true }),
    )
    const primary = await open(startTestPostgres(), (it) => it.stop())
    await migrate(primary.url)
    const replica = await open(startTestReplica(primary), (it) => it.stop())
    const pooler = await open(startPgBouncer(primary.url), (it) => it.stop())
    const s3 = await open(startS3Server(), (it) => it.close())
    const accepted = new Set<string>()
    const smtp = await open(startMailServer(accepted), (it) => it.close())
    const services = await open(openServices(primary.url, join(folder, 'checks')), async (it) => {
      await it.sandbox?.close()
      await it.database.close()
    })
    const proxy = (url: string) => open(openTcpProxy(url), (it) => it.close())
    const proxies = {
      postgres: await proxy(primary.url),
      pooler: await proxy(pooler.urlOf(primary.url)),
      replica: await proxy(replica.url),
      s3: await proxy(s3.env.S3_ENDPOINT),
      smtp: await proxy(smtp.url),
      stripe: await proxy(services.sandbox?.keys.apiUrl ?? ''),
    }
    const env = {
      ...SECRETS,
      ...s3.env,
      S3_ENDPOINT: originOf(proxies.s3),
      SMTP_URL: proxies.smtp.url,
      STRIPE_API_URL: originOf(proxies.stripe),
      ESCROW_SWEEP_SECONDS: '5',
      RATE_LIMIT: 'off',
      LOG_LEVEL: 'error',
    }
    const start = async (name: ServerName, databases: Record<string, string>) => {
      const address = `http://127.0.0.1:${await freePort()}`
      const settings = { ...env, ...databases, DATA_DIR: join(folder, name) }
      const server = createServerProcess(address, settings, () => 0)
      server.start()
      closing.push(() => server.stop())
      await server.ready()
      return server
    }
    const servers = {
      direct: await start('direct', {
        DATABASE_URL: proxies.postgres.url,
        DATABASE_REPLICA_URLS: proxies.replica.url,
      }),
      pooled: await start('pooled', { DATABASE_URL: proxies.pooler.url, DATABASE_DIRECT_URL: primary.url }),
    }
    return { servers, proxies, services, accepted, close }
  } catch (error) {
    await close()
    throw error
  }
}

const originOf = ({ url }: TcpProxy) => new URL(url).origin

/** With the sandbox that both servers use. */
async function openServices(databaseUrl: string, dataDir: string): Promise<Services> {
  const config = readConfig({ ...SECRETS, DATABASE_URL: databaseUrl, DATA_DIR: dataDir })
  const services = await createServices(config, databaseUrl, systemClock, pino({ level: 'silent' }))
  await services.sandbox?.start(null)
  return services
}

async function startMailServer(accepted: Set<string>) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, _session, callback) {
      text(stream).then((email) => {
        accepted.add(/^message-id: *(.+)$/im.exec(email)?.[1] ?? '')
        callback()
      }, callback)
    },
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
