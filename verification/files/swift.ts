import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@sought/server/core/free-port'
import type { S3Settings } from '@sought/server/core/s3-settings'
import { run } from '../../scripts/child.ts'
import { ensureProgram } from '../support/debian-packages.ts'

/* OpenStack Swift from Debian's packages. Unlike s3rver, it checks every signature and the region. */

const STORES = ['account', 'container', 'object'] as const
const ensureServer = (name: string) => ensureProgram(`swift-${name}-server`, `swift-${name}`)
const START_WITHIN_MS = 180_000

interface Swift {
  settings: S3Settings
  stop(): Promise<void>
}

/** One copy of everything, on one device, without a bucket. */
export async function startSwift(): Promise<Swift> {
  const names = ['proxy', ...STORES]
  const programs: string[] = []
  for (const name of names) programs.push(await ensureServer(name))
  const folder = await mkdtemp(join(tmpdir(), 'sought-swift-'))
  await mkdir(join(folder, 'devices', 'one'), { recursive: true })
  await writeFile(join(folder, 'swift.conf'), SHARED_SETTINGS)
  const port = await freePort()
  await writeFile(join(folder, 'proxy.conf'), commonSettings(folder, port) + PROXY_SETTINGS)
  for (const name of STORES) await addStore(folder, name)
  const servers = programs.map((program, index) =>
    spawn(program, [join(folder, `${names[index]}.conf`)], { stdio: 'ignore' }),
  )
  const stop = async () => {
    await Promise.all(servers.map(kill))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilUp(port)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'sought-files',
      region: 'us-east-1',
      accessKeyId: 'sought:tester',
      secretAccessKey: 'the-secret',
    },
    stop,
  }
}

async function kill(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit')
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGKILL')
  await ended
}

async function addStore(folder: string, name: string): Promise<void> {
  const port = await freePort()
  const builder = await ensureProgram('swift-ring-builder', 'swift')
  const ring = join(folder, `${name}.builder`)
  for (const step of [['create', '4', '1', '1'], ['add', `r1z1-127.0.0.1:${port}/one`, '1'], ['rebalance']]) {
    const { ok, output } = await run(builder, [ring, ...step])
    if (!ok) throw new Error(output)
  }
  const pipeline = `[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`
  await writeFile(join(folder, `${name}.conf`), commonSettings(folder, port) + pipeline)
}

async function waitUntilUp(port: number): Promise<void> {
  const deadline = Date.now() + START_WITHIN_MS
  while (!(await fetch(`http://127.0.0.1:${port}/healthcheck`).catch(() => null))?.ok) {
    if (Date.now() > deadline) throw new Error('Swift does not start')
    await wait(100)
  }
}

const SHARED_SETTINGS = `[swift-hash]
swift_hash_path_suffix = sought
[storage-policy:0]
name = only
default = yes
`

/** Without workers, a server is one process. */
const commonSettings = (folder: string, port: number) => `[DEFAULT]
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
workers = 0
`

const PROXY_SETTINGS = `[pipeline:main]
pipeline = catch_errors healthcheck cache listing_formats bulk s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_sought_tester = the-secret .admin
[filter:slo]
use = egg:swift#slo
`
