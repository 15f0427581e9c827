import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listenOnLoopback } from '@sought/sandbox/listen'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openTarget, writeParts } from '../commands/backup/backup-target.ts'
import { nameAt, writeFileList, writeManifest } from '../commands/backup/manifest.ts'
import { openStorages } from '../commands/backup-command.ts'
import { freePort } from '../core/free-port.ts'
import { createKeyUse } from '../database/key-use.ts'
import { shareMailbox } from '../testing/mailbox.ts'
import { createDatabase, openWorld, shareWorld } from '../testing/world.ts'
import { examineEnvironment } from './examine.ts'

const SESSION_SECRET = 'a session secret of these tests'
const DATA_KEY = 'a data key of these tests'
const METRICS_TOKEN = 'a metrics token of these tests'
const port = await freePort()
const PUBLIC_URL = `http://localhost:${port}`
const BACKUP_PASSPHRASE = 'a passphrase of these tests'

const world = shareWorld({ NODE_ENV: 'production', SESSION_SECRET, DATA_KEY, PUBLIC_URL, METRICS_TOKEN })
const mailbox = shareMailbox()
let folder = ''

const records: Record<string, string[]> = {
  'sought.example': ['v=spf1 mx -all', 'another text'],
  '_dmarc.sought.example': ['v=DMARC1; p=reject'],
}
const missing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))
const dns = {
  resolveTxt: (name: string) =>
    records[name]
      ? Promise.resolve(records[name].map((text) => [text.slice(0, 5), text.slice(5)]))
      : missing(name === '_domainkey.sought.example' ? 'ENODATA' : 'ENOTFOUND'),
  resolveMx: async () => [{ priority: 1, exchange: 'mail.sought.example' }],
  resolve4: (() => missing('ENODATA')) as never,
  resolve6: (() => missing('ENODATA')) as never,
}
const noRecords = { ...dns, resolveTxt: () => missing('ENOTFOUND'), resolveMx: () => missing('ENOTFOUND') }

type Environment = Record<string, string | undefined>
type Options = Parameters<typeof examineEnvironment>[1]

beforeAll(async () => {
  const { app, sql, services, signUp } = world()
  folder = await mkdtemp(join(tmpdir(), 'sought-doctor-'))
  await app.listen({ port })
  const admin = await signUp('Ada', 'admin')
  await sql.query(`insert into totp_factors (user_id, secret, enabled_at) values ($1, '', now())`, [admin.id])
  await sql.query(`insert into job_workers values ('worker', now() + interval '1 hour')`)
  await createKeyUse(services.database.pool, services.secrets, services.log).start()
  await writeFile(join(folder, 'pg_restore'), PG_RESTORE)
  await chmod(join(folder, 'pg_restore'), 0o700)
  await addBackup(new Date(), 'in order')
})
afterAll(() => rm(folder, { recursive: true }))

/** Replaces PostgreSQL's program, which is not installed everywhere. */
const PG_RESTORE = `#!/bin/sh
[ "$1" = --version ] && echo 'pg_restore (PostgreSQL) 99.1' && exit
read -r dump
[ "$dump" = 'in order' ] || { echo 'pg_restore: error: damaged' >&2; exit 1; }
echo '; Archive created'
echo '3001; 0 16400 TABLE DATA public payments sought'
`

const targetOf = (name: string) => join(folder, name)

async function addBackup(at: Date, dump: string, to = 'backups'): Promise<void> {
  const storages = await openStorages(targetOf(to), undefined)
  const target = await openTarget(storages, BACKUP_PASSPHRASE, { create: true })
  async function* stream() {
    yield Buffer.from(`${dump}\n`)
  }
  const name = nameAt(at)
  await writeManifest(target, name, {
    version: '0.2.0',
    createdAt: at.toISOString(),
    installation: 'one',
    migration: 1,
    postgres: 'PostgreSQL 99.1',
    database: await writeParts(target, `${name}.database`, stream()),
    files: await writeFileList(target, name, []),
    fileCount: 0,
    fileBytes: 0,
  })
}

/** The settings of a deployment in which everything is in order. */
const sound = (): Environment => ({
  NODE_ENV: 'production',
  PUBLIC_URL,
  PORT: String(port),
  SESSION_SECRET,
  DATA_KEY,
  METRICS_TOKEN,
  DATABASE_URL: world().services.config.databaseUrl,
  DATA_DIR: world().services.config.dataDir,
  SMTP_URL: mailbox().url,
  MAIL_FROM: 'Sought <no-reply@sought.example>',
  BACKUP_TARGET: targetOf('backups'),
  BACKUP_PASSPHRASE,
  PATH: folder,
})

/** What the tests' PostgreSQL and the missing Stripe account cause: it runs without fsync, as a superuser. */
const OF_TESTS = new Set(['FAIL database-durability', 'warn database-role', 'warn stripe'])

/** The checks that found something. */
async function findProblems(environment: Environment = {}, options: Options = {}) {
  const checks = await examineEnvironment({ ...sound(), ...environment }, { dns, ...options })
  const problems = checks.filter(({ state }) => state !== 'ok').map(({ check, state }) => `${state} ${check}`)
  return problems.filter((problem) => !OF_TESTS.has(problem)).toSorted()
}

/** Changes the database for one test. */
async function withDatabase(change: string, back: string): Promise<void> {
  await world().sql.query(change)
  onTestFinished(() => void world().sql.query(back))
}

async function serve(answer: RequestListener): Promise<string> {
  const server = await listenOnLoopback(answer, 0)
  onTestFinished(server.close)
  return server.url
}

test('a sound deployment has no problem, and every check has a name in kebab case and a sentence', async () => {
  expect(await findProblems()).toEqual([])
  const checks = await examineEnvironment(sound(), { dns })
  for (const { check, message } of checks) {
    expect(check).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(message, check).toMatch(/^[A-Za-z0-9][^\n]*\.$/)
  }
  expect(new Set(checks.map(({ check }) => check)).size).toBe(checks.length)
})

test('all bad settings are found', async () => {
  const bad = { PORT: 'many', DATA_KEY: 'short', S3_BUCKET: 'sought' }
  expect(await examineEnvironment({ ...sound(), ...bad })).toEqual([
    { check: 'settings', state: 'FAIL', message: 'PORT: must be a whole number.' },
    { check: 'settings', state: 'FAIL', message: 'DATA_KEY: must have at least 16 characters.' },
    { check: 'settings', state: 'FAIL', message: 'S3_REGION is required if S3_BUCKET is set.' },
    { check: 'settings', state: 'FAIL', message: 'S3_ACCESS_KEY_ID is required if S3_BUCKET is set.' },
    { check: 'settings', state: 'FAIL', message: 'S3_SECRET_ACCESS_KEY is required if S3_BUCKET is set.' },
  ])
})

test('no secret is in a message', async () => {
  const PASSWORD = 'a password of the tests'
  const url = await serve((_, reply) => reply.writeHead(500).end(METRICS_TOKEN))
  const environment = {
    DATABASE_URL: `postgres://me:${encodeURIComponent(PASSWORD)}@127.0.0.1:1/sought`,
    SMTP_URL: `smtp://me:${encodeURIComponent(PASSWORD)}@127.0.0.1:1`,
    STRIPE_SECRET_KEY: 'sk_test_of_the_doctor',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_doctor',
    STRIPE_API_URL: url,
    EASYPOST_API_KEY: 'EZTK_of_the_doctor',
    EASYPOST_WEBHOOK_SECRET: 'a webhook secret',
    EASYPOST_API_URL: url,
  }
  const text = JSON.stringify(await examineEnvironment({ ...sound(), ...environment }, { dns }))
  for (const secret of [
    PASSWORD,
    SESSION_SECRET,
    DATA_KEY,
    METRICS_TOKEN,
    'sk_test_of',
    'EZTK_of',
    'a%20password',
  ])
    expect(text).not.toContain(secret)
  expect(text).toContain('FAIL')
})

interface Fault {
  finds: string[]
  environment?: () => Environment | Promise<Environment>
  options?: Options
  /** A change of the database, and how to undo it. */
  sql?: [change: string, back: string]
}

const PROXY_WITHOUT_POLICY: RequestListener = (request, reply) => {
  void fetch(`${PUBLIC_URL}${request.url}`).then(async (answer) => {
    const headers = Object.fromEntries(answer.headers)
    for (const name of ['content-security-policy', 'content-encoding', 'content-length']) delete headers[name]
    reply.writeHead(answer.status, headers).end(Buffer.from(await answer.arrayBuffer()))
  })
}
const EASYPOST_WITH =
  (status: number, webhooks: object[]): RequestListener =>
  (_, reply) => {
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ webhooks }))
  }
const tracked = (EASYPOST_API_URL: string): Environment => ({
  EASYPOST_API_KEY: 'EZTK_of_the_doctor',
  EASYPOST_WEBHOOK_SECRET: 'a webhook secret',
  EASYPOST_API_URL,
})
const bucketAt = (S3_ENDPOINT: string): Environment => ({
  S3_ENDPOINT,
  S3_BUCKET: 'sought',
  S3_REGION: 'us-east-1',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret of the bucket',
})
const inDatabase = (setting: string): [string, string] => [
  `do $$ begin execute format('alter database %I ${setting}', current_database()); end $$`,
  `do $$ begin execute format('alter database %I reset all', current_database()); end $$`,
]
const DAY_MS = 86_400_000

const faults: Record<string, Fault> = {
  'a database that does not answer': {
    finds: ['FAIL database'],
    environment: () => ({ DATABASE_URL: 'postgres://127.0.0.1:1/sought' }),
  },
  'a read-only database': {
    finds: ['FAIL database-limits'],
    sql: inDatabase('set default_transaction_read_only = on'),
  },
  'a short time limit for statements': {
    finds: ['warn database-limits'],
    sql: inDatabase('set statement_timeout = 2000'),
  },
  'too few connections': {
    finds: ['FAIL database-connections'],
    sql: [
      `do $$ begin execute format('alter database %I connection limit 20', current_database()); end $$`,
      `do $$ begin execute format('alter database %I connection limit -1', current_database()); end $$`,
    ],
  },
  'a replica that is none': {
    finds: ['FAIL database-replicas'],
    environment: () => ({ DATABASE_REPLICA_URLS: world().services.config.databaseUrl }),
  },
  'a direct address of another database': {
    finds: ['FAIL database-pooler'],
    async environment() {
      const other = await createDatabase()
      onTestFinished(other.drop)
      return { DATABASE_URL: world().services.config.databaseUrl, DATABASE_DIRECT_URL: other.url }
    },
  },
  'a pending migration': {
    finds: ['warn migrations'],
    sql: [
      `with last as (select max(created_at) as number from drizzle.__drizzle_migrations)
       update drizzle.__drizzle_migrations set created_at = 1 from last where created_at = last.number`,
      `update drizzle.__drizzle_migrations set created_at = 20261120110002 where created_at = 1`,
    ],
  },
  'the schema of a much later version': {
    finds: ['FAIL migrations'],
    sql: [
      `insert into releases (version) values ('99.0.0'), ('99.1.0')`,
      `delete from releases where version like '99.%'`,
    ],
  },
  'another DATA_KEY': {
    finds: ['FAIL keys'],
    environment: () => ({ DATA_KEY: 'the data key of another deployment' }),
  },
  'another SESSION_SECRET': {
    finds: ['FAIL keys'],
    environment: () => ({ SESSION_SECRET: 'the session secret of another' }),
  },
  'a rotation that is not finished': {
    finds: ['warn keys'],
    environment: () => ({ DATA_KEY: `a new data key for the tests,${DATA_KEY}` }),
  },
  'the same secret twice': {
    finds: ['FAIL keys', 'warn secrets'],
    environment: () => ({ SESSION_SECRET: DATA_KEY, DATA_KEY }),
  },
  'a secret that can be guessed': {
    finds: ['FAIL keys', 'warn secrets'],
    environment: () => ({ SESSION_SECRET: 'aaaaaaaaaaaaaaaaaaaa' }),
  },
  'a clock that is a minute late': {
    finds: ['FAIL clock', 'FAIL site-clock'],
    options: { now: () => new Date(Date.now() - 60_000) },
  },
  'no worker': {
    finds: ['FAIL jobs'],
    sql: [
      `update job_workers set seen_at = '2026-01-01'`,
      `update job_workers set seen_at = now() + interval '1 hour'`,
    ],
  },
  'late jobs': {
    finds: ['warn jobs'],
    sql: [
      `select graphile_worker.add_job('tidy-up', run_at => now() - interval '1 hour')`,
      'delete from graphile_worker._private_jobs',
    ],
  },
  'nobody who is an admin': {
    finds: ['warn admins'],
    sql: [`update admins set role = 'finance'`, `update admins set role = 'admin'`],
  },
  'an admin without a second factor': {
    finds: ['warn admins'],
    sql: ['update totp_factors set enabled_at = null', 'update totp_factors set enabled_at = now()'],
  },
  'a site that does not answer': {
    finds: ['FAIL metrics', 'FAIL public-url'],
    environment: () => ({ PUBLIC_URL: 'http://localhost:1' }),
  },
  'something else at the public address': {
    finds: ['FAIL metrics', 'FAIL public-url'],
    environment: async () => ({ PUBLIC_URL: await serve((_, reply) => reply.end('Welcome to nginx!')) }),
  },
  'a proxy that does not reach the server': {
    finds: ['FAIL metrics', 'FAIL public-url'],
    environment: async () => ({ PUBLIC_URL: await serve((_, reply) => reply.writeHead(502).end()) }),
  },
  'a proxy that removes headers': {
    finds: ['FAIL metrics', 'FAIL security-headers'],
    environment: async () => ({ PUBLIC_URL: await serve(PROXY_WITHOUT_POLICY) }),
  },
  'another metrics token': {
    finds: ['FAIL metrics'],
    environment: () => ({ METRICS_TOKEN: 'the token of another' }),
  },
  'no monitoring': {
    finds: ['warn metrics'],
    environment: () => ({ METRICS_TOKEN: '' }),
  },
  'a folder that cannot be written to': {
    finds: ['FAIL files'],
    async environment() {
      const DATA_DIR = join(folder, 'data')
      await writeFile(DATA_DIR, 'a file')
      return { DATA_DIR }
    },
  },
  'a bucket that does not exist': {
    finds: ['FAIL files'],
    environment: async () => bucketAt(await serve((_, reply) => reply.writeHead(404).end())),
  },
  'a bucket that anybody can list': {
    finds: ['FAIL files', 'FAIL files-private'],
    environment: async () => bucketAt(await serve((_, reply) => reply.end())),
  },
  'a full disk': {
    finds: ['FAIL disk-space'],
    options: { statfs: async () => ({ bavail: 100, blocks: 100_000, bsize: 4096 }) },
  },
  'a disk that is nearly full': {
    finds: ['warn disk-space'],
    options: { statfs: async () => ({ bavail: 5_000_000, blocks: 100_000_000, bsize: 4096 }) },
  },
  'no mail server': { finds: ['warn mail'], environment: () => ({ SMTP_URL: '' }) },
  'a mail server that does not answer': {
    finds: ['FAIL mail'],
    environment: () => ({ SMTP_URL: 'smtp://127.0.0.1:1' }),
  },
  'a sender without DNS records': {
    finds: ['FAIL mail-sender', 'warn mail-dkim', 'warn mail-dmarc', 'warn mail-spf'],
    options: { dns: noRecords },
  },
  'two SPF records': {
    finds: ['FAIL mail-spf'],
    options: {
      dns: {
        ...dns,
        resolveTxt: async (name) =>
          name === 'sought.example' ? [['v=spf1 -all'], ['v=spf1 mx -all']] : dns.resolveTxt(name),
      },
    },
  },
  'an SPF record that allows everybody': {
    finds: ['warn mail-spf'],
    options: {
      dns: {
        ...dns,
        resolveTxt: async (name) => (name === 'sought.example' ? [['v=spf1 +all']] : dns.resolveTxt(name)),
      },
    },
  },
  'push keys that are no pair': {
    finds: ['FAIL push'],
    environment: () => ({ VAPID_PUBLIC_KEY: 'another', VAPID_PRIVATE_KEY: 'AQ'.repeat(21) }),
  },
  'Stripe refuses the key': {
    finds: ['FAIL stripe-secret-key'],
    environment: async () => ({
      STRIPE_SECRET_KEY: 'sk_test_of_the_doctor',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_doctor',
      STRIPE_API_URL: await serve((_, reply) =>
        reply
          .writeHead(401, { 'content-type': 'application/json' })
          .end('{"error":{"type":"invalid_request_error","message":"Invalid API Key provided"}}'),
      ),
    }),
  },
  'EasyPost refuses the key': {
    finds: ['FAIL tracking'],
    environment: async () => tracked(await serve(EASYPOST_WITH(401, []))),
  },
  'EasyPost does not know our webhook': {
    finds: ['FAIL tracking'],
    environment: async () => tracked(await serve(EASYPOST_WITH(200, [{ url: 'https://another.example' }]))),
  },
  'no backup': {
    finds: ['FAIL backup-age', 'FAIL backup-catalogue'],
    environment: () => ({ BACKUP_TARGET: targetOf('none') }),
  },
  'nobody knows of a backup': {
    finds: ['warn backup-age'],
    environment: () => ({ BACKUP_TARGET: '' }),
  },
  'an old backup': {
    finds: ['FAIL backup-age'],
    options: { now: () => new Date() },
    async environment() {
      await addBackup(new Date(Date.now() - 4 * DAY_MS), 'in order', 'old')
      return { BACKUP_TARGET: targetOf('old') }
    },
  },
  'a damaged backup': {
    finds: ['FAIL backup-catalogue'],
    async environment() {
      await addBackup(new Date(), 'damaged', 'damaged')
      return { BACKUP_TARGET: targetOf('damaged') }
    },
  },
  'another passphrase for the backups': {
    finds: ['FAIL backup-catalogue'],
    environment: () => ({ BACKUP_PASSPHRASE: 'the passphrase of another' }),
  },
}

const FAST = new Set(['another DATA_KEY', 'a full disk', 'two SPF records'])

for (const [name, { finds, environment, options, sql }] of Object.entries(faults)) {
  test(`finds ${name}`, { tags: FAST.has(name) ? [] : ['proof'] }, async () => {
    if (sql) await withDatabase(...sql)
    expect(await findProblems((await environment?.()) ?? {}, options)).toEqual(finds)
  })
}

test('an admin runs the checks at the desk, and the others see what they found', async () => {
  const { signUp } = await openWorld()
  const [ada, bob, eve] = [await signUp('Ada', 'admin'), await signUp('Bob', 'admin'), await signUp('Eve')]
  expect((await bob.call('GET /api/admin/doctor')).json()).toEqual({ ranAt: null, checks: [] })
  const report = (await ada.call('POST /api/admin/doctor')).json()
  expect(report.checks).toContainEqual({ check: 'database', state: 'ok', message: 'The database answers.' })
  expect((await bob.call('GET /api/admin/doctor')).json()).toEqual(report)
  expect((await eve.call('GET /api/admin/doctor')).statusCode).toBe(403)
  const statuses: number[] = []
  for (let run = 0; run < 6; run++) statuses.push((await bob.call('POST /api/admin/doctor')).statusCode)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
})
