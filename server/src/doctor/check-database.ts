import { createECDH } from 'node:crypto'
import pg from 'pg'
import { BadConfig } from '../core/config.ts'
import { createEncryption, Unreadable } from '../core/encryption.ts'
import { readVersion } from '../core/installed-release.ts'
import { DatabaseRefused } from '../database/apply-migrations.ts'
import { checkDatabaseUrls } from '../database/database-urls.ts'
import { checkKeys } from '../database/key-use.ts'
import { MIGRATIONS } from '../database/migrate.ts'
import { planMigrations } from '../database/plan-migrations.ts'
import { refuseLaterSchema } from '../database/releases.ts'
import { PUSH_KEYS_OWNER, type PushKeys } from '../providers/push/push-keys.ts'
import { type Check, type Finding, fail, ok, type Patient, reasonOf, warn } from './check.ts'

/* The checks of PostgreSQL, and of what the database knows. Most need it to answer. */

const OLDEST_MAJOR = 15
/** The pool of a process, its direct connections, the health check and live updates. */
const CONNECTIONS_OF_PROCESS = 26
const CLOCK_WARN_SECONDS = 2
const CLOCK_FAIL_SECONDS = 30
const REPLICA_LAG_SECONDS = 60
const JOB_DELAY_MINUTES = 10
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 15_000

type Row = Record<string, string | number | boolean | null>

/** The only row of a query. */
async function ask<Found extends Row>(
  database: pg.Pool,
  sql: string,
  values: unknown[] = [],
): Promise<Found> {
  const { rows } = await database.query<Found>(sql, values)
  if (!rows[0]) throw new Error('the database answered without a row')
  return rows[0]
}

/** Makes a check that has nothing to do without a database. */
const withDatabase =
  (check: (database: pg.Pool, patient: Patient) => Promise<Finding | null>): Check =>
  async (patient) =>
    patient.database && check(patient.database, patient)

const version = withDatabase(async (database) => {
  const { number } = await ask<{ number: string }>(
    database,
    "select current_setting('server_version') as number",
  )
  return Number.parseInt(number, 10) >= OLDEST_MAJOR
    ? ok(`PostgreSQL ${number}.`)
    : fail(`PostgreSQL ${number} is too old. Version ${OLDEST_MAJOR} or later is needed.`)
})

const encoding = withDatabase(async (database) => {
  const { name } = await ask<{ name: string }>(database, "select current_setting('server_encoding') as name")
  return name === 'UTF8'
    ? ok('Texts are stored in UTF-8.')
    : fail(`The database stores texts in ${name}. Create one with the encoding UTF8.`)
})

const role = withDatabase(async (database, { config }) => {
  const { name, superuser, creates } = await ask<{ name: string; superuser: boolean; creates: boolean }>(
    database,
    `select current_user as name, current_setting('is_superuser')::boolean as superuser,
       has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create') as creates`,
  )
  if (!creates)
    return fail(
      `The role ${name} may not create tables. Make it the owner of the database and of the schema public.`,
    )
  if (superuser && config.production)
    return warn(`The role ${name} is a superuser. Use a role that only owns this database.`)
  return ok(`The role ${name} may do what migrations need.`)
})

const extension = withDatabase(async (database) => {
  const { installed, available } = await ask<{ installed: boolean; available: boolean }>(
    database,
    `select exists (select from pg_extension where extname = 'pg_trgm') as installed,
       exists (select from pg_available_extensions where name = 'pg_trgm') as available`,
  )
  if (installed) return ok('pg_trgm is installed.')
  return available
    ? warn('pg_trgm is not installed yet. The first migration creates it, if the role owns the database.')
    : fail(
        'pg_trgm is not available. Install the package with the extensions of PostgreSQL (postgresql-contrib).',
      )
})

const connections = withDatabase(async (database) => {
  const processes = await countProcesses(database)
  const { limit } = await ask<{ limit: number }>(
    database,
    `select least(
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
       (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
       (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
     ) as limit`,
  )
  const needed = CONNECTIONS_OF_PROCESS * processes
  const figures = `${limit} connections are allowed, and ${processes} processes use up to ${needed}`
  return limit >= needed
    ? ok(`${figures}.`)
    : fail(`${figures}. Raise max_connections, the limit of the role or of the database, or use PgBouncer.`)
})

/** The table is missing before the first migration. */
async function countProcesses(database: pg.Pool): Promise<number> {
  const { known } = await ask<{ known: boolean }>(
    database,
    "select to_regclass('running_processes') is not null as known",
  )
  if (!known) return 1
  const { count } = await ask<{ count: number }>(
    database,
    "select count(*)::int as count from running_processes where seen_at > now() - interval '15 seconds'",
  )
  return Math.max(1, count)
}

const limits = withDatabase(async (database) => {
  const { rows } = await database.query<{ name: string; ms: number }>(
    `select name, setting::int as ms from pg_settings
     where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'idle_session_timeout', 'transaction_timeout')
       and source in ('database', 'user', 'database user', 'configuration file', 'global', 'command line')
       and setting::int between 1 and $1`,
    [STATEMENT_TIMEOUT_MS - 1],
  )
  const { readOnly } = await ask<{ readOnly: boolean }>(
    database,
    `select current_setting('default_transaction_read_only')::boolean or pg_is_in_recovery() as "readOnly"`,
  )
  if (readOnly)
    return fail(
      'The database is read-only: DATABASE_URL leads to a replica, or default_transaction_read_only is on.',
    )
  const [short] = rows
  return short
    ? warn(
        `${short.name} of the database or the role is ${short.ms} ms, which ends statements of the market too early. Set it to 0.`,
      )
    : ok('No time limit of the database or the role is too short.')
})

const durability = withDatabase(async (database, { config }) => {
  const { fsync, pages, commit } = await ask<{ fsync: string; pages: string; commit: string }>(
    database,
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
       current_setting('synchronous_commit') as commit`,
  )
  if (fsync === 'on' && pages === 'on' && commit !== 'off') return ok('What is committed survives a crash.')
  const off = [
    fsync === 'off' && 'fsync',
    pages === 'off' && 'full_page_writes',
    commit === 'off' && 'synchronous_commit',
  ]
  const message = `${off.filter(Boolean).join(' and ')} is off: a crash loses payments that were already acknowledged. Switch it on.`
  return config.production ? fail(message) : warn(message)
})

const migrations = withDatabase(async (database) => {
  const client = await database.connect()
  try {
    await refuseLaterSchema(client as unknown as pg.Client, await readVersion())
    const pending = await planMigrations(client as unknown as pg.Client, MIGRATIONS)
    const { invalid } = await ask<{ invalid: number }>(
      database,
      'select count(*)::int as invalid from pg_index where not indisvalid',
    )
    if (pending.length > 0)
      return warn(
        `${pending.length} migrations are pending. The next start applies them; npm run migrate -- --dry-run names them.`,
      )
    return invalid > 0
      ? warn(
          `${invalid} indexes are not valid, because building them was interrupted. Drop them, or run npm run migrate again.`,
        )
      : ok('The database has all migrations.')
  } catch (error) {
    if (error instanceof DatabaseRefused) return fail(error.message)
    throw error
  } finally {
    client.release()
  }
})

const pooler: Check = async ({ config: { databaseUrl, databaseDirectUrl }, database }) => {
  if (!database || !databaseUrl || !databaseDirectUrl) return null
  try {
    const warning = await checkDatabaseUrls(databaseUrl, databaseDirectUrl)
    return warning
      ? warn(warning.replaceAll('\n', ' '))
      : ok('DATABASE_DIRECT_URL leads to the same database.')
  } catch (error) {
    if (error instanceof BadConfig) return fail(`${error.message}.`)
    throw error
  }
}

const replicas: Check = async ({ config: { databaseReplicaUrls }, database }) => {
  if (!database || databaseReplicaUrls.length === 0) return null
  for (const [index, url] of databaseReplicaUrls.entries()) {
    const problem = await inspectReplica(url).catch((error) => fail(reasonOf(error)))
    if (problem)
      return { ...problem, message: `Server ${index + 1} of DATABASE_REPLICA_URLS: ${problem.message}` }
  }
  return ok(`${databaseReplicaUrls.length} replicas follow the database.`)
}

async function inspectReplica(url: string): Promise<Finding | null> {
  const replica = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  replica.on('error', () => {})
  try {
    const { follows, lag } = await ask<{ follows: boolean; lag: number }>(
      replica,
      `select pg_is_in_recovery() as follows,
         case when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
           else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as lag`,
    )
    if (!follows) return fail('it is no replica.')
    return lag > REPLICA_LAG_SECONDS ? warn(`it is ${Math.round(lag)} seconds behind.`) : null
  } finally {
    await replica.end()
  }
}

const keys = withDatabase(async (database, { secrets }) => {
  const { known } = await ask<{ known: boolean }>(
    database,
    "select to_regclass('key_checks') is not null as known",
  )
  if (!known) return ok('The first start stores which keys are used.')
  const lists = await checkKeys(database, secrets)
  const wrong = lists.filter(({ state }) => state === 'unknown').map(({ name }) => name)
  if (wrong.length > 0)
    return fail(
      `${wrong.join(' and ')}: this database is used with another key. Set the key that it had before, or put it after the new one, separated by a comma.`,
    )
  const several = lists.filter(({ count }) => count > 1).map(({ name }) => name)
  return several.length > 0
    ? warn(
        `${several.join(' and ')} has several keys. Run npm run rotate-keys, then remove all but the first.`,
      )
    : ok('SESSION_SECRET and DATA_KEY are the keys of this database.')
})

const push = withDatabase(async (database, { config, secrets }) => {
  if (config.pushKeys) return checkPushKeys(config.pushKeys)
  const { exists } = await ask<{ exists: boolean }>(
    database,
    "select to_regclass('push_keys') is not null as exists",
  )
  const { rows } = exists ? await database.query('select private_key from push_keys') : { rows: [] }
  if (!rows[0]) return ok('The keys for push notifications are generated when somebody needs them.')
  try {
    await createEncryption(secrets.dataKeys).open(rows[0].private_key, PUSH_KEYS_OWNER)
    return ok('The keys for push notifications can be read.')
  } catch (error) {
    if (error instanceof Unreadable)
      return fail('The keys for push notifications cannot be decrypted with DATA_KEY.')
    throw error
  }
})

function checkPushKeys({ publicKey, privateKey }: PushKeys): Finding {
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  } catch {
    return fail('VAPID_PRIVATE_KEY is no key for push notifications.')
  }
  return pair.getPublicKey('base64url') === publicKey.replace(/=+$/, '')
    ? ok('VAPID_PUBLIC_KEY belongs to VAPID_PRIVATE_KEY.')
    : fail('VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY. Set both keys of one pair.')
}

const jobs = withDatabase(async (database) => {
  const { known } = await ask<{ known: boolean }>(
    database,
    "select to_regclass('job_workers') is not null and to_regclass('graphile_worker.jobs') is not null as known",
  )
  if (!known) return warn('No worker has run yet.')
  const { alive, late } = await ask<{ alive: boolean; late: number }>(
    database,
    `select exists (select from job_workers where seen_at > now() - interval '30 seconds') as alive,
       (select count(*)::int from graphile_worker.jobs
        where run_at < now() - $1 * interval '1 minute' and attempts < max_attempts and locked_at is null) as late`,
    [JOB_DELAY_MINUTES],
  )
  if (!alive)
    return fail('No worker runs: emails, payouts and refunds wait. Start npm start or npm start -- worker.')
  return late > 0
    ? warn(`${late} jobs have been due for ${JOB_DELAY_MINUTES} minutes.`)
    : ok('A worker runs, and no job is late.')
})

const clock = withDatabase(async (database, { now }) => {
  const before = now().getTime()
  const { ms } = await ask<{ ms: number }>(
    database,
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  )
  // The moment of the answer is somewhere between.
  const middle = (before + now().getTime()) / 2
  return judgeClock('the database', (ms - middle) / 1000)
})

export function judgeClock(whose: string, difference: number): Finding {
  const seconds = Math.abs(difference)
  const message = `The clock of this machine and that of ${whose} differ by ${seconds.toFixed(1)} seconds.`
  if (seconds > CLOCK_FAIL_SECONDS) return fail(`${message} Set both with NTP.`)
  return seconds > CLOCK_WARN_SECONDS ? warn(`${message} Set both with NTP.`) : ok(message)
}

const admins = withDatabase(async (database, { config }) => {
  const { known } = await ask<{ known: boolean }>(
    database,
    "select to_regclass('admins') is not null as known",
  )
  if (!known || !config.production) return null
  const { count, unprotected } = await ask<{ count: number; unprotected: number }>(
    database,
    `select count(*)::int as count, count(*) filter (where not exists (
         select from passkeys where passkeys.user_id = admins.user_id
       ) and not exists (
         select from totp_factors where totp_factors.user_id = admins.user_id and enabled_at is not null
       ))::int as unprotected
     from admins where role = 'admin'`,
  )
  if (count === 0) return warn('Nobody is an admin. Sign up, then run npm run admin -- grant EMAIL.')
  return unprotected > 0
    ? warn(`${unprotected} of ${count} admins have neither a passkey nor an authenticator app.`)
    : ok(`${count} admins, each with a second factor.`)
})

export const databaseChecks: Record<string, Check> = {
  'database-version': version,
  'database-encoding': encoding,
  'database-role': role,
  'database-extension': extension,
  'database-connections': connections,
  'database-limits': limits,
  'database-durability': durability,
  'database-pooler': pooler,
  'database-replicas': replicas,
  migrations,
  keys,
  clock,
  jobs,
  admins,
  push,
}
