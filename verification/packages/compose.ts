import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/core/free-port'
import { startS3Server } from '@sought/server/testing/s3-server'
import { parse } from 'yaml'
import { root, run } from '../../scripts/child.ts'
import { serverFlags } from '../../scripts/installed.mjs'
import { startCaddy } from '../rolling-restart/proxies.ts'
import { ensureProgram } from '../support/debian-packages.ts'
import type { Line } from '../support/part.ts'
import { withEmptyDatabase } from '../support/temporary-database.ts'
import type { Context } from './context.ts'
import { findForeignProcess, type StartedService, startService } from './start-service.ts'

const TOKEN = 'the token of the metrics'
const READY_SECONDS = '180'
const BACKUP_WITHIN_MS = 120_000
const METRICS_MAX_AGE_MS = 31_000

interface Service {
  image: string
  entrypoint?: string[]
  command: string[]
  environment: Record<string, string>
  healthcheck: { test: string[] }
}

const SETTINGS: Record<string, string> = {
  SESSION_SECRET: 'the session secret of compose',
  DATA_KEY: 'the data key of compose',
  BACKUP_PASSPHRASE: 'the passphrase of backups',
  METRICS_TOKEN: TOKEN,
}

/** Replaces ${NAME}, ${NAME:-default} and ${NAME:?message}, as Compose does. */
const substitute = (text: string) =>
  text.replace(/\$\{(\w+)(?::[-?]([^}]*))?\}/g, (whole, name: string, fallback: string) =>
    whole.includes(':?') ? (SETTINGS[name] ?? '') : (SETTINGS[name] ?? fallback ?? ''),
  )

/**
 * The services of compose.yaml as processes of this machine: with its commands and variables, but another PostgreSQL
 * and S3, and a port of its own for each process.
 */
export function startCompose({ postgresUrl, release, folder }: Context): Promise<Line[]> {
  return withEmptyDatabase(postgresUrl, async (databaseUrl) => {
    const { services }: { services: Record<string, Service> } = parse(
      await readFile(join(root, 'deploy/compose.yaml'), 'utf8'),
      { merge: true },
    )
    const data = join(folder, 'compose')
    const backups = join(data, 'backups')
    await mkdir(backups, { recursive: true })
    const violations: string[] = []
    const started: StartedService[] = []
    const stops: (() => Promise<unknown>)[] = []
    const node = join(release, 'node_modules/node/bin/node')
    try {
      const s3 = await startS3Server()
      stops.push(s3.close)
      const image = await readImageVariables()
      const environmentOf = ({ environment }: Service) => ({
        ...image,
        ...Object.fromEntries(
          Object.entries(environment).map(([name, value]) => [name, substitute(String(value))]),
        ),
        ...s3.env,
        DATABASE_URL: databaseUrl,
        DATA_DIR: data,
        PATH: '/usr/local/bin:/usr/bin:/bin',
        LOG_LEVEL: 'warn',
      })
      const ports: number[] = []
      const metricsPorts: number[] = []
      for (const name of ['web-1', 'web-2', 'worker']) {
        const service = services[name]
        if (!service) throw new Error(`compose.yaml has no service ${name}`)
        const [port, metricsPort] = [await freePort(), await freePort()]
        ports.push(port)
        metricsPorts.push(metricsPort)
        const env = { ...environmentOf(service), PORT: String(port), METRICS_PORT: String(metricsPort) }
        const command = [node, ...serverFlags, 'server/src/main.ts', ...service.command]
        const running = startService(name, command, env, release)
        started.push(running)
        const [, , ...check] = service.healthcheck.test
        const { ok } = await run(node, [...check, READY_SECONDS], { cwd: release, env })
        if (!ok) throw new Error(`${name} is not healthy:\n${running.output()}`)
        violations.push(...(await findForeignProcess(running, command)))
      }
      const [httpPort, httpsPort] = [await freePort(), await freePort()]
      const upstreams = [ports[0] ?? 0, ports[1] ?? 0] as const
      const caddy = await startCaddy({
        ...{ folder: data, httpPort, httpsPort, upstreams },
        address: `http://localhost:${httpPort}`,
      })
      stops.push(caddy.stop)
      violations.push(...(await checkMetrics(metricsPorts)))
      const before = await readBackupAge(metricsPorts[2] ?? 0)
      const service = services.backup
      if (!service) throw new Error('compose.yaml has no service backup')
      const [, ...script] = service.entrypoint ?? []
      const args = service.command.map((word) => word.replace(/^\/backups$/, backups))
      const backup = startService('backup', [node, ...script, ...args], environmentOf(service), release)
      started.push(backup)
      for (
        const end = Date.now() + BACKUP_WITHIN_MS;
        !backup.output().includes('Backed up as');
        await wait(200)
      )
        if (Date.now() > end || backup.child.exitCode !== null)
          throw new Error(`no backup:\n${backup.output()}`)
      await wait(METRICS_MAX_AGE_MS)
      const after = await readBackupAge(metricsPorts[2] ?? 0)
      if (!(before > 0 && after > 0 && after < before + METRICS_MAX_AGE_MS / 1000))
        violations.push(`sought_backup_age_seconds was ${before} and is ${after}`)
    } finally {
      for (const service of started) {
        const code = await service.stop()
        if (code !== 0) violations.push(`${service.name} ended with ${code}:\n${service.output()}`)
      }
      for (const stop of stops.toReversed()) await stop()
    }
    const prometheus = await checkPrometheus(data)
    const what = 'services of compose.yaml, each started from the release and stopped'
    return [{ what, times: started.length, violations }, prometheus]
  })
}

/** The variables that the image sets. */
async function readImageVariables(): Promise<Record<string, string>> {
  const text = (await readFile(join(root, 'deploy/Dockerfile'), 'utf8')).replaceAll('\\\n', ' ')
  const [, line = ''] = text.match(/^ENV (.+)$/m) ?? []
  return Object.fromEntries(
    line
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split('=')),
  )
}

/** Prometheus runs elsewhere, so it reads the metrics of each process from outside, and needs the token. */
async function checkMetrics(metricsPorts: number[]): Promise<string[]> {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  const host = outside?.address ?? '127.0.0.1'
  const violations: string[] = []
  for (const port of metricsPorts) {
    const url = `http://${host}:${port}/metrics`
    const refused = await fetch(url)
    if (refused.ok) violations.push(`${url} needs no token`)
    const answered = await fetch(url, { headers: { authorization: `Bearer ${TOKEN}` } })
    if (!(await answered.text()).includes('nodejs_eventloop_lag_p99_seconds'))
      violations.push(`${url} has no metrics`)
  }
  return violations
}

async function readBackupAge(port: number): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text()
  return Number(metrics.match(/^sought_backup_age_seconds (\S+)$/m)?.[1])
}

/** Prometheus' own tool reads its settings and the alerts. */
async function checkPrometheus(folder: string): Promise<Line> {
  const promtool = await ensureProgram('promtool', 'prometheus')
  const deploy = join(root, 'deploy/prometheus')
  const [file, token] = [join(folder, 'prometheus.yml'), join(folder, 'token')]
  const text = await readFile(join(deploy, 'prometheus.yml'), 'utf8')
  await writeFile(token, TOKEN)
  await writeFile(
    file,
    text
      .replace('/run/secrets/metrics-token', token)
      .replace('[rules.yml]', `[${join(deploy, 'rules.yml')}]`),
  )
  const { ok, output } = await run(promtool, ['check', 'config', file])
  return { what: 'settings of Prometheus, checked by promtool', times: 1, violations: ok ? [] : [output] }
}
