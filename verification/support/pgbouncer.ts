import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/core/free-port'
import { chooseServiceUser, identity } from '@sought/server/database/embedded-postgres/service-user'
import { ensureProgram } from './debian-packages.ts'

const START_WITHIN_MS = 10_000

interface PgBouncer {
  port: number
  /** The same database, through the pooler. */
  urlOf(databaseUrl: string): string
  stop(): Promise<void>
}

/** PgBouncer of Debian's packages in transaction mode, for all databases of a server. */
export async function startPgBouncer(postgresUrl: string): Promise<PgBouncer> {
  const program = await ensureProgram('pgbouncer')
  const target = new URL(postgresUrl)
  const [folder, port, user] = [
    await mkdtemp(join(tmpdir(), 'sought-pgbouncer-')),
    await freePort(),
    chooseServiceUser(),
  ]
  const password = decodeURIComponent(target.password)
  await writeFile(join(folder, 'users.txt'), `"${target.username}" "${password}"\n`)
  await writeFile(join(folder, 'pgbouncer.ini'), settings(target, port, folder))
  if (user) for (const path of [folder, join(folder, 'users.txt')]) await chown(path, user.uid, user.gid)
  const pooler = spawn(program, [join(folder, 'pgbouncer.ini')], {
    ...identity(user),
    cwd: '/',
    stdio: 'ignore',
  })
  const ended = once(pooler, 'exit')
  process.once('exit', () => pooler.kill('SIGKILL'))
  const stop = async () => {
    pooler.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilListening(port)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    port,
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl)
      url.host = `127.0.0.1:${port}`
      url.searchParams.delete('host')
      return url.href
    },
    stop,
  }
}

/** Its default settings, apart from the limits, because tests open hundreds of databases. */
const settings = ({ hostname, port }: URL, listenPort: number, folder: string) => `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 20
autodb_idle_timeout = 5
logfile = ${join(folder, 'pgbouncer.log')}
`

async function waitUntilListening(port: number): Promise<void> {
  const deadline = Date.now() + START_WITHIN_MS
  while (!(await accepts(port))) {
    if (Date.now() > deadline) throw new Error('PgBouncer does not start')
    await wait(50)
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
    socket.once('connect', () => socket.end())
  })
}
