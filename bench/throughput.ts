import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listWantedItems } from '@sought/contract/requests'
import { requestsPerSecond } from './load.ts'
import { type Row, report } from './measure.ts'
import { PAGE, statementOfHome } from './serve.ts'

const CONNECTIONS = 16
const ROUND_SECONDS = 3
const ROUNDS = 5
const LEAST_OF_MINIMAL = 0.9
const LEAST_OF_PGBENCH = 0.2

/** Home's list through the whole server, a minimal one and no server at all, round by round. */
export async function compareServers(databaseUrl: string): Promise<boolean> {
  const [whole, minimal] = [
    await startServer('whole', databaseUrl),
    await startServer('minimal', databaseUrl),
  ]
  const pgbench = findPgbench()
  if (!pgbench)
    console.log('\npgbench is neither in PATH nor in /usr/lib/postgresql: its row is not measured.')
  const rates = { whole: [] as number[], minimal: [] as number[], pgbench: [] as number[] }
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const measured = {
        whole: await askHome(whole.port),
        minimal: await askHome(minimal.port),
        pgbench: pgbench ? await runPgbench(pgbench, databaseUrl) : Number.NaN,
      }
      // The first round only warms up.
      if (round === 0) continue
      for (const name of ['whole', 'minimal', 'pgbench'] as const) rates[name].push(measured[name])
    }
  } finally {
    whole.stop()
    minimal.stop()
  }
  const ours = median(rates.whole)
  const row = (title: string, of: number, least: number): Row => ({
    cells: [title, perSecond(of), perSecond(ours), (ours / of).toFixed(2), `at least ${least}`],
    ok: Number.isNaN(of) ? null : ours / of >= least,
  })
  return report(
    `Home's list, signed out, ${CONNECTIONS} connections, median of ${ROUNDS} rounds of ${ROUND_SECONDS} s`,
    ['', 'it', 'the whole server', 'ratio', 'bound'],
    [
      row('a minimal Fastify route, same SQL', median(rates.minimal), LEAST_OF_MINIMAL),
      row('pgbench, same SQL', median(rates.pgbench), LEAST_OF_PGBENCH),
    ],
  )
}

const askHome = (port: number) =>
  requestsPerSecond(port, `${listWantedItems.path}?limit=${PAGE}`, CONNECTIONS, ROUND_SECONDS)

async function startServer(which: 'whole' | 'minimal', databaseUrl: string) {
  const child = fork(join(import.meta.dirname, 'serve.ts'), [which, databaseUrl])
  const [port] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`the ${which} server did not start`))),
  ])
  return { port: Number(port), stop: () => child.disconnect() }
}

export function findPgbench(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: where programs are is no setting of the product
  const folders = (process.env.PATH ?? '').split(':')
  return [...folders, ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()]
    .map((folder) => join(folder, 'pgbench'))
    .find((file) => existsSync(file))
}

async function runPgbench(pgbench: string, databaseUrl: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sought-bench-'))
  const script = join(folder, 'home.sql')
  writeFileSync(script, `${statementOfHome().text};\n`)
  try {
    const counts = ['-c', String(CONNECTIONS), '-j', '1', '-T', String(ROUND_SECONDS)]
    const { stdout } = await promisify(execFile)(pgbench, [
      '-n',
      '-M',
      'prepared',
      ...counts,
      '-f',
      script,
      databaseUrl,
    ])
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

export const perSecond = (rate: number) =>
  Number.isNaN(rate) ? '-' : `${Math.round(rate).toLocaleString('en')}/s`
