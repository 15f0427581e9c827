import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/core/free-port'
import { chooseServiceUser, identity } from '@sought/server/database/embedded-postgres/service-user'
import pg from 'pg'
import { ensureProgram } from '../support/debian-packages.ts'
import { findPostgres } from '../support/find-postgres.ts'
import type { Line, Part } from '../support/part.ts'
import { checkMarket, createUploader, deploymentAt, startMarket } from './market.ts'

/*
 * Recovery to a point in time with pgBackRest, as described in docs/operations.md: a full backup, then people make
 * changes, then somebody deletes all messages. The database is recovered to the moment before.
 */

const STANZA = 'sought'
const START_WITHIN_MS = 120_000
const RECOVER_WITHIN_MS = 120_000
const CHANGES = 20

export const provePointInTime: Part = async () => {
  const cluster = await createCluster()
  try {
    await cluster.start()
    await cluster.query('postgres', 'create database sought')
    return [await proveRecovery(cluster)]
  } finally {
    await cluster.remove()
  }
}

type Cluster = Awaited<ReturnType<typeof createCluster>>

/** The contents of the market at some moment. */
const STATE = `select (select count(*) from messages)::int as messages, (select count(*) from ledger_entries)::int as entries,
  (select count(*) from audit_log)::int as audit, (select profile_image_url from users where email like 'buyer@%') as picture`

async function proveRecovery(cluster: Cluster): Promise<Line> {
  const line: Line = {
    what: 'recovery to the moment before all messages were deleted',
    times: 1,
    violations: [],
  }
  const env = deploymentAt(cluster.url('sought'), join(cluster.folder, 'data-dir'))
  const server = await startMarket(env)
  await cluster.pgbackrest('stanza-create')
  await cluster.pgbackrest('check')
  await cluster.pgbackrest('backup', '--type=full')

  const upload = await createUploader(server.address)
  for (let count = 0; count < CHANGES; count++)
    if (!(await upload(count))) line.violations.push('a picture could not be changed')
  await server.stop()
  const before = await checkMarket(env)
  const [state] = await cluster.query('sought', STATE)
  const [{ now }] = await cluster.query('postgres', 'select now()::text as now')
  await cluster.query('sought', 'truncate messages cascade')
  await cluster.query('sought', 'select pg_switch_wal()')

  const startMs = performance.now()
  await cluster.stop()
  await cluster.pgbackrest('restore', '--delta', '--type=time', `--target=${now}`, '--target-action=promote')
  await cluster.start()
  const deadline = Date.now() + RECOVER_WITHIN_MS
  while ((await cluster.query('postgres', 'select pg_is_in_recovery() as it'))[0].it) {
    if (Date.now() > deadline) throw new Error('PostgreSQL is still in recovery')
    await wait(200)
  }
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
  const after = await checkMarket(env)
  const [recovered] = await cluster.query('sought', STATE)
  console.log(`  recovered to ${now} in ${seconds} s: ${JSON.stringify({ ...recovered, ...after.figures })}`)
  line.violations.push(...before.violations, ...after.violations)
  if (!state.messages || JSON.stringify(recovered) !== JSON.stringify(state))
    line.violations.push(`${JSON.stringify(recovered)} was recovered instead of ${JSON.stringify(state)}`)
  if (JSON.stringify(after.figures) !== JSON.stringify(before.figures))
    line.violations.push(`${JSON.stringify(after.figures)} instead of ${JSON.stringify(before.figures)}`)
  return line
}

/** A PostgreSQL from Debian's packages whose log pgBackRest archives. */
async function createCluster() {
  const bin = await findPostgres()
  const pgbackrest = await ensureProgram('pgbackrest')
  const [folder, port, user] = [
    await mkdtemp(join(tmpdir(), 'sought-pitr-')),
    await freePort(),
    chooseServiceUser(),
  ]
  const [data, config] = [join(folder, 'data'), join(folder, 'pgbackrest.conf')]
  const own = async (path: string) => user && chown(path, user.uid, user.gid)
  await own(folder)
  // The test's server runs as another user than PostgreSQL.
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'repository'))
  await own(join(folder, 'repository'))
  await writeFile(config, pgbackrestSettings(folder, data, port))
  await own(config)

  const execute = async (program: string, args: string[]) => {
    const child = spawn(program, args, { ...identity(user), cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output}`)
  }
  await execute(join(bin, 'initdb'), [
    '-D',
    data,
    '-U',
    'sought',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ])
  await writeFile(
    join(data, 'postgresql.auto.conf'),
    postgresSettings(folder, port, `${pgbackrest} --config=${config}`),
  )

  const url = (database: string) => `postgres://sought@127.0.0.1:${port}/${database}`
  const query = async (database: string, statement: string) => {
    const client = new pg.Client({ connectionString: url(database) })
    await client.connect()
    return (await client.query(statement).finally(() => client.end())).rows
  }

  let postgres: ChildProcess | undefined
  process.once('exit', () => postgres?.kill('SIGQUIT'))
  const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
    if (!postgres || postgres.exitCode !== null) return
    const ended = once(postgres, 'exit')
    postgres.kill(signal)
    await ended
  }

  return {
    folder,
    url,
    query,
    async start() {
      postgres = spawn(join(bin, 'postgres'), ['-D', data], { ...identity(user), cwd: '/', stdio: 'ignore' })
      const deadline = Date.now() + START_WITHIN_MS
      while (!(await query('postgres', 'select 1').catch(() => null))) {
        if (Date.now() > deadline) throw new Error('PostgreSQL does not start')
        await wait(200)
      }
    },
    stop: () => end('SIGINT'),
    pgbackrest: (command: string, ...options: string[]) =>
      execute(pgbackrest, [`--config=${config}`, `--stanza=${STANZA}`, ...options, command]),
    async remove() {
      await end('SIGQUIT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const postgresSettings = (folder: string, port: number, pgbackrest: string) => `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = '${folder}'
archive_mode = on
archive_command = '${pgbackrest} --stanza=${STANZA} archive-push %p'
archive_timeout = 60
`

const pgbackrestSettings = (folder: string, data: string, port: number) => `
[global]
repo1-path=${join(folder, 'repository')}
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=the passphrase of a proof
repo1-retention-full=2
start-fast=y
log-path=${folder}
lock-path=${folder}
spool-path=${folder}
log-level-console=warn

[${STANZA}]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${folder}
pg1-user=sought
`
