import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@sought/server/core/free-port'
import { startS3Server } from '@sought/server/testing/s3-server'
import { runJourneys } from '../../scripts/journeys.ts'
import { startCaddy } from '../rolling-restart/proxies.ts'
import type { Line, Part } from '../support/part.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { createServerProcess } from '../support/server-process.ts'
import { withTemporaryDatabase } from '../support/temporary-database.ts'

/**
 * All browser journeys on the services of deploy/compose.yaml: two web processes and a worker, PgBouncer, S3 and
 * Caddy.
 */
export const deployment: Part = ({ postgresUrl }) => withTemporaryDatabase(postgresUrl, runOnDeployment)

async function runOnDeployment(databaseUrl: string): Promise<Line[]> {
  /** Functions that stop the started parts. */
  const started: (() => Promise<unknown>)[] = []
  try {
    const folder = await mkdtemp(join(tmpdir(), 'sought-deployment-'))
    started.push(() => rm(folder, { recursive: true, force: true }))
    const pooler = await startPgBouncer(databaseUrl)
    started.push(pooler.stop)
    const s3 = await startS3Server()
    started.push(s3.close)
    const [httpPort, httpsPort] = [await freePort(), await freePort()]
    const upstreams = [await freePort(), await freePort()] as const
    const address = `http://localhost:${httpPort}`
    const sessionSecret = randomUUID()
    const env = {
      ...s3.env,
      PUBLIC_URL: address,
      TRUST_PROXY: 'on',
      HOST: '127.0.0.1',
      DATABASE_URL: pooler.urlOf(databaseUrl),
      DATABASE_DIRECT_URL: databaseUrl,
      SESSION_SECRET: sessionSecret,
      DATA_KEY: randomUUID(),
      DEMO: 'on',
      RATE_LIMIT: 'off',
      LOAD_SHEDDING: 'off',
      LOG_LEVEL: 'warn',
    }
    const metricsPort = String(await freePort())
    const processes = [
      ...upstreams.map((port) => ({ port, role: 'web' as const, more: {} })),
      { port: Number(metricsPort), role: 'worker' as const, more: { METRICS_PORT: metricsPort } },
    ]
    // Each has its own folder, so that they share only the database and S3.
    for (const [index, { port, role, more }] of processes.entries()) {
      const own = { ...env, ...more, DATA_DIR: join(folder, String(index)) }
      const server = createServerProcess(`http://127.0.0.1:${port}`, own, () => 0, { role })
      server.start()
      started.push(server.stop)
      await server.ready()
    }
    const caddy = await startCaddy({ folder, httpPort, httpsPort, upstreams, address })
    started.push(caddy.stop)
    const { passed, failed, output } = await runJourneys('all', {
      SOUGHT_ADDRESS: address,
      SOUGHT_SECOND_ADDRESS: `http://localhost:${upstreams[1]}`,
      SOUGHT_DATABASE_URL: databaseUrl,
      SESSION_SECRET: sessionSecret,
    })
    const what = 'browser journeys through Caddy, with two processes, PgBouncer and S3'
    return [{ what, times: passed + failed, violations: failed > 0 ? [output] : [] }]
  } finally {
    for (const stop of started.toReversed()) await stop()
  }
}
