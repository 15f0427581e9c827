import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startEmbeddedPostgres, startTestPostgres } from './embedded-postgres.ts'
import { findPostmaster } from './postmaster.ts'

// Creating a cluster is slow, so all tests share one. Each test starts and stops it.
let dataDir: string
let said: string[]
const cluster = () => join(dataDir, 'postgres')
const start = () => startEmbeddedPostgres({ dataDir, say: (line) => said.push(line) })

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

beforeAll(() => {
  dataDir = makeDataDir()
})

beforeEach(() => {
  said = []
})

afterEach(() => {
  const left = findPostmaster(cluster())
  if (left) process.kill(left.pid, 'SIGKILL')
  expect(left).toBeUndefined()
})

afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** If we run as root, PostgreSQL runs as another user and needs access. */
function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sought-embedded-'))
  chmodSync(folder, 0o755)
  return folder
}

async function query(url: string, sql: string) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

/** A separate process that starts PostgreSQL and sends its URL. Tests kill it. */
async function startElsewhere(call: string) {
  const module = import.meta.resolve('./embedded-postgres.ts')
  const code = `
    const { startEmbeddedPostgres, startTestPostgres } = await import(${JSON.stringify(module)})
    const { url } = await ${call}
    process.send(url)
    setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [url] = await once(owner, 'message')
  return {
    url: String(url),
    async kill() {
      owner.kill('SIGKILL')
      await once(owner, 'exit')
    },
  }
}

test('data survives a restart', { tags: ['proof'] }, async () => {
  const first = await start()
  await query(first.url, `create table kept as select 'a bicycle' as wanted`)
  await first.stop()
  expect(findPostmaster(cluster())).toBeUndefined()

  const second = await start()
  expect(await query(second.url, 'select wanted from kept')).toEqual([{ wanted: 'a bicycle' }])
  expect(said).toEqual(['Creating the database ...', 'Starting PostgreSQL ...', 'Starting PostgreSQL ...'])
  await second.stop()
})

test('commits are durable, text sorts by code point, and the password is required', {
  tags: ['proof'],
}, async () => {
  const { url, stop } = await start()
  const settings = `select name, setting from pg_settings
    where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'lc_collate', 'server_encoding')
    order by name`
  expect(await query(url, settings)).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'lc_collate', setting: 'C' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'server_encoding', setting: 'UTF8' },
    { name: 'synchronous_commit', setting: 'on' },
  ])
  const stranger = new URL(url)
  stranger.password = 'guessed'
  await expect(query(stranger.href, 'select 1')).rejects.toThrow('password authentication failed')
  await stop()
})

test('two servers with the same data folder share one PostgreSQL, and the last one stops it', {
  tags: ['proof'],
}, async () => {
  const [first, second] = await Promise.all([start(), start()])
  expect(first.url).toBe(second.url)
  await first.stop()
  expect(await query(second.url, 'select 1 as alive')).toEqual([{ alive: 1 }])
  await second.stop()
  expect(findPostmaster(cluster())).toBeUndefined()
})

test('each data folder has its own PostgreSQL', { tags: ['proof'] }, async () => {
  const other = makeDataDir()
  const [first, second] = await Promise.all([
    start(),
    startEmbeddedPostgres({ dataDir: other, say: () => {} }),
  ])
  expect(new URL(first.url).port).not.toBe(new URL(second.url).port)
  await Promise.all([first.stop(), second.stop()])
  rmSync(other, { recursive: true })
})

describe('after a crash', () => {
  test('a new server joins the PostgreSQL of a killed server, with all committed data', {
    tags: ['proof'],
  }, async () => {
    const options = JSON.stringify({ dataDir })
    const server = await startElsewhere(`startEmbeddedPostgres({ ...${options}, say() {} })`)
    await query(server.url, `create table committed as select 'a bicycle' as wanted`)
    await server.kill()
    const orphan = findPostmaster(cluster())
    expect(orphan).toBeDefined()

    const next = await start()
    expect(findPostmaster(cluster())).toEqual(orphan)
    expect(await query(next.url, 'select wanted from committed')).toEqual([{ wanted: 'a bicycle' }])
    await next.stop()
    expect(findPostmaster(cluster())).toBeUndefined()
  })

  test('a killed PostgreSQL is restarted on the same port', { tags: ['proof'] }, async () => {
    const { url, stop } = await start()
    await query(url, `create table survived as select 'a bicycle' as wanted`)
    process.kill(findPostmaster(cluster())?.pid ?? 0, 'SIGKILL')
    await expect.poll(() => said.at(-1)).toBe('Reconnected to PostgreSQL.')
    expect(await query(url, 'select wanted from survived')).toEqual([{ wanted: 'a bicycle' }])
    await stop()
  })

  test('a process id that another program now has is not mistaken for PostgreSQL', {
    tags: ['proof'],
  }, async () => {
    const first = await start()
    const pidFile = join(cluster(), 'postmaster.pid')
    const whileRunning = readFileSync(pidFile, 'utf8')
    await first.stop()
    const stranger = spawn('sleep', ['60'])
    writeFileSync(pidFile, whileRunning.replace(/^\d+/, String(stranger.pid)))
    const second = await start()
    await second.stop()
    stranger.kill()
  })
})

test('a cluster of another major version is refused with one line', { tags: ['proof'] }, async () => {
  writeFileSync(join(cluster(), 'PG_VERSION'), '14\n')
  await expect(start()).rejects.toThrow(
    `${cluster()} was created by PostgreSQL 14 and this is PostgreSQL 15: use another DATA_DIR, or move the data with pg_dump.`,
  )
  writeFileSync(join(cluster(), 'PG_VERSION'), '15\n')
})

test('a cluster whose password is lost is refused and stays unchanged', { tags: ['proof'] }, async () => {
  rmSync(join(dataDir, 'postgres.json'))
  await expect(start()).rejects.toThrow('with its password is missing')
})

describe('the test PostgreSQL', () => {
  const folderOf = async (url: string) => {
    const [row] = await query(url, 'show data_directory')
    return dirname(row.data_directory)
  }

  test('removes itself', { tags: ['proof'] }, async () => {
    const { url, stop } = await startTestPostgres()
    const folder = await folderOf(url)
    expect(existsSync(folder)).toBe(true)
    await stop()
    expect(existsSync(folder)).toBe(false)
  })

  test('removes itself if the test run is killed', { tags: ['proof'] }, async () => {
    const run = await startElsewhere('startTestPostgres()')
    const folder = await folderOf(run.url)
    await run.kill()
    await expect.poll(() => existsSync(folder)).toBe(false)
  })
})
