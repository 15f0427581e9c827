import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '@sought/server/core/clock'
import { readConfig } from '@sought/server/core/config'
import { freePort } from '@sought/server/core/free-port'
import { type Database, openDatabase } from '@sought/server/database/database'
import { copyFiles } from '@sought/server/files/copy-files'
import { findMissingFiles, findOrphans, removeOrphans } from '@sought/server/files/orphaned-files'
import { type FileStorage, StorageUnavailable } from '@sought/server/providers/files/file-storage'
import { openFolder, openStorage } from '@sought/server/providers/files/open-storage'
import { filePart, MULTIPART, multipart } from '@sought/server/testing/multipart'
import { type S3Server, startS3Server } from '@sought/server/testing/s3-server'
import sharp from 'sharp'
import { createClient, type Reply, type RequestOptions } from '../load/http-client.ts'
import type { Line, Part } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { lineOfTests } from '../support/run-test-files.ts'
import { createServerProcess, type ServerProcess } from '../support/server-process.ts'
import { withTemporaryDatabase } from '../support/temporary-database.ts'

/*
 * Two processes with separate disks keep their files in S3. While people upload and view pictures, the processes
 * and S3 are killed in turn, and orphaned files are removed. Both processes must serve every acknowledged upload,
 * nothing may be left over, and a copy of all files must be complete although S3 is killed during it.
 */

const MINUTES = 5
const UPLOADERS = 6
const READERS = 4
const PAUSE_MS = { least: 2_000, most: 6_000 }
/** Replaces the age of one day for orphans. Longer than an upload takes. */
const ORPHANED_AFTER_MS = 60_000
const DAY_MS = 24 * 3_600_000
const COPY_KILLS = 5
const MAX_REPORTED = 10

interface Upload {
  url: string
  cookie: string
}

interface Run {
  s3: S3Server
  servers: ServerProcess[]
  database: Database
  storage: FileStorage
  random: Random
  uploads: Upload[]
  violations: string[]
  isOver(): boolean
}

export const files: Part = async (options) => [
  await lineOfTests('tests of S3 with OpenStack Swift', ['verification/files/swift.test.ts']),
  await lineOfTests('tests of the virus scan with clamd', ['verification/files/clamd.test.ts']),
  ...(await killProcesses(options)),
]

const killProcesses: Part = ({ postgresUrl, seed, share }) =>
  withTemporaryDatabase(postgresUrl, async (databaseUrl) => {
    const folder = await mkdtemp(join(tmpdir(), 'sought-files-'))
    const s3 = await startS3Server()
    const database = openDatabase(databaseUrl, systemClock, () => {})
    const servers = await Promise.all(
      ['one', 'other'].map(async (name) => {
        const env = { ...s3.env, DATABASE_URL: databaseUrl, DATA_DIR: join(folder, name), ...SETTINGS }
        return createServerProcess(`http://127.0.0.1:${await freePort()}`, env, () => 0)
      }),
    )
    try {
      for (const server of servers) server.start()
      await Promise.all(servers.map((server) => server.ready()))
      const endMs = performance.now() + Math.max(30, MINUTES * 60 * share) * 1000
      const run: Run = {
        s3,
        servers,
        database,
        storage: await openStorage(readConfig({ ...s3.env, DATA_DIR: folder })),
        random: seeded(seed),
        uploads: [],
        violations: [],
        isOver: () => performance.now() > endMs,
      }
      return [...(await killUnderLoad(run)), await copyAll(run, openFolder(join(folder, 'copy')))]
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
      await database.close()
      await s3.close()
      await rm(folder, { recursive: true, force: true })
    }
  })

const SETTINGS = {
  SESSION_SECRET: 'the session secret of both',
  DATA_KEY: 'the data key of both processes',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'warn',
}

async function killUnderLoad(run: Run): Promise<Line[]> {
  const { servers, database, storage, uploads, violations } = run
  const cookies = await Promise.all(Array.from({ length: UPLOADERS }, (_, index) => signUp(run, index)))
  const [refusals, reads, kills, removals] = await Promise.all([
    sumOf(cookies.map((cookie) => keepUploading(run, cookie, run.random.split()))),
    sumOf(Array.from({ length: READERS }, () => keepReading(run, run.random.split()))),
    keepKilling(run, run.random.split()),
    keepRemoving(run),
  ])
  for (const server of servers) {
    for (const upload of uploads) {
      const { status, body } = await get(server, upload)
      if (status !== 200 || body === '') violations.push(`${upload.url} of ${server.address}: ${status}`)
    }
  }
  const missing = await findMissingFiles(database, storage)
  const later = new Date(Date.now() + 2 * DAY_MS)
  const { orphans } = await findOrphans(database, storage, later)
  const removed = removals + (await removeOrphans(database, storage, orphans))
  const { orphans: left, count } = await findOrphans(database, storage, later)
  return [
    {
      what: `uploads acknowledged during kills (${refusals} were refused), each served by both processes`,
      times: uploads.length,
      violations: violations.slice(0, MAX_REPORTED),
    },
    { what: 'kills of a process or of S3', times: kills, violations: [] },
    { what: 'pictures read meanwhile', times: reads, violations: [] },
    {
      what: `files in S3 after ${removed} that no row named were removed`,
      times: count,
      violations: [
        ...missing,
        ...(await findMissingFiles(database, storage)),
        ...left.map(({ name }) => `${name} is left over`),
      ],
    },
  ]
}

const sumOf = async (counts: Promise<number>[]) =>
  (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)

async function signUp({ servers: [server] }: Run, index: number): Promise<string> {
  if (!server) throw new Error('there is no server')
  const person = { email: `user${index}@example.com`, password: 'correct horse' }
  const reply = await createClient(server.address)('POST /api/auth/signup', {
    json: { ...person, firstName: 'Files', lastName: 'Tester' },
  })
  if (!reply.cookie) throw new Error(`sign-up failed: ${reply.body}`)
  return reply.cookie
}

/** Null if the process is down. */
async function ask(server: ServerProcess, call: string, options: RequestOptions): Promise<Reply | null> {
  return createClient(server.address)(call, options).catch(() => null)
}

const UPLOADS = [
  {
    call: 'POST /api/wanted-items/image',
    field: 'image',
    urlOf: (reply: Reply) => JSON.parse(reply.body).imageUrl,
  },
  { call: 'POST /api/photos', field: 'photo', urlOf: (reply: Reply) => JSON.parse(reply.body).url },
] as const

/** Returns the number of uploads that were refused or had no reply. */
async function keepUploading(run: Run, cookie: string, random: Random): Promise<number> {
  let refusals = 0
  while (!run.isOver()) {
    const { call, field, urlOf } = random.pick(UPLOADS)
    const body = multipart([filePart(field, 'picture.png', await draw(random))])
    const reply = await ask(random.pick(run.servers), call, { cookie, bytes: { type: MULTIPART, body } })
    if (reply && reply.status < 300) run.uploads.push({ url: urlOf(reply), cookie })
    else {
      refusals++
      if (reply && !(reply.status === 503 && reply.retryAfter))
        run.violations.push(`${call}: ${reply.status} ${reply.body}`)
      await wait(100)
    }
  }
  return refusals
}

function draw(random: Random): Promise<Buffer> {
  const background = { r: random.below(256), g: random.below(256), b: random.below(256) }
  return sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer()
}

const get = async (server: ServerProcess, { url, cookie }: Upload) =>
  (await ask(server, `GET ${url}`, { cookie })) ?? { status: 0, body: '', retryAfter: undefined }

async function keepReading(run: Run, random: Random): Promise<number> {
  let reads = 0
  while (!run.isOver()) {
    await wait(50)
    if (run.uploads.length === 0) continue
    const upload = random.pick(run.uploads)
    const reply = await get(random.pick(run.servers), upload)
    // A process that is starting or down is not a failure. A missing picture is.
    const isAway = reply.status === 0 || (reply.status === 503 && reply.retryAfter)
    if (reply.status === 200) reads++
    else if (!isAway) run.violations.push(`${upload.url}: ${reply.status} ${reply.body}`)
  }
  return reads
}

async function keepKilling({ servers, s3, isOver }: Run, random: Random): Promise<number> {
  const pause = () => wait(PAUSE_MS.least + random.below(PAUSE_MS.most - PAUSE_MS.least))
  let kills = 0
  while (!isOver()) {
    await pause()
    const victim = random.pick([...servers, s3])
    await victim.kill()
    kills++
    await wait(random.below(PAUSE_MS.least))
    await victim.start()
    if (victim !== s3) await Promise.all(servers.map((server) => server.ready()))
  }
  return kills
}

/** Returns the number of removed files. */
async function keepRemoving({ database, storage, isOver }: Run): Promise<number> {
  let removed = 0
  while (!isOver()) {
    await wait(PAUSE_MS.least)
    const now = new Date(Date.now() + DAY_MS - ORPHANED_AFTER_MS)
    try {
      const { orphans } = await findOrphans(database, storage, now)
      removed += await removeOrphans(database, storage, orphans)
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error
    }
  }
  return removed
}

/** Copies all files from S3 to a folder. S3 is killed during the first attempts. */
async function copyAll({ s3, database, storage, random }: Run, copy: FileStorage): Promise<Line> {
  for (let kill = 0; kill < COPY_KILLS; kill++) {
    const copying = copyFiles(storage, copy).catch((error) => {
      if (!(error instanceof StorageUnavailable)) throw error
    })
    await wait(random.below(500))
    await s3.kill()
    await copying
    await s3.start()
  }
  const { copied, same, problems } = await copyFiles(storage, copy)
  return {
    what: `files copied to a folder from S3, which was killed ${COPY_KILLS} times`,
    times: copied + same,
    violations: [...problems, ...(await findMissingFiles(database, copy))],
  }
}
