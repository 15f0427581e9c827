import { Resolver } from 'node:dns/promises'
import type { DoctorCheck } from '@sought/contract/doctor'
import pg from 'pg'
import { systemClock } from '../core/clock.ts'
import { BadConfig, type Config, readConfig } from '../core/config.ts'
import { readSecrets } from '../core/secrets.ts'
import { PostgresRefused, startEmbeddedPostgres } from '../database/embedded-postgres/embedded-postgres.ts'
import { openStorage } from '../providers/files/open-storage.ts'
import { type Check, fail, hideSecrets, ok, type Patient, reasonOf, runCheck, warn } from './check.ts'
import { backupChecks } from './check-backup.ts'
import { databaseChecks } from './check-database.ts'
import { fileChecks, statNearest } from './check-files.ts'
import { mailChecks } from './check-mail.ts'
import { checkStripe, paymentChecks } from './check-payments.ts'
import { siteChecks } from './check-site.ts'

/*
 * Checks whether a deployment works, for `npm run doctor` and for the desk (ADR 106). Nothing is changed, except for one
 * file that is written and deleted again.
 */

const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 15_000
const CONNECTIONS = 4
const DNS_TIMEOUT_MS = 3_000
/** Fewer different characters are no random secret. */
const SECRET_CHARACTERS = 8

type Environment = Record<string, string | undefined>

/** For `npm run doctor`: every bad setting is a finding, and without them all checks run. */
export async function examineEnvironment(
  environment: Environment,
  options: Pick<Deployment, 'dns' | 'now' | 'statfs'> = {},
): Promise<DoctorCheck[]> {
  try {
    const config = readConfig(environment)
    const given = { ...options, config, path: environment.PATH }
    if (config.databaseUrl) return await examineDeployment({ ...given, databaseUrl: config.databaseUrl })
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, say: () => {} })
    try {
      return await examineDeployment({ ...given, databaseUrl: embedded.url })
    } finally {
      await embedded.stop()
    }
  } catch (error) {
    if (error instanceof BadConfig)
      return error.problems.map((problem) => ({ check: 'settings', ...fail(`${problem}.`) }))
    if (error instanceof PostgresRefused) return [{ check: 'database', ...fail(error.message) }]
    throw error
  }
}

interface Deployment {
  config: Config
  /** The embedded database has no setting. */
  databaseUrl: string
  /** The folders with programs, in the format of PATH. */
  path?: string | undefined
  dns?: Patient['dns']
  now?: Patient['now']
  statfs?: Patient['statfs']
}

export async function examineDeployment({
  config,
  databaseUrl,
  path = '',
  dns = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 }),
  now = systemClock,
  statfs = statNearest,
}: Deployment): Promise<DoctorCheck[]> {
  const secrets = await readSecrets(config)
  const storage = await openStorage(config)
  const pool = openPool(databaseUrl)
  try {
    const reached = await reach(pool)
    const patient = {
      config,
      secrets,
      path,
      dns,
      now,
      statfs,
      storage,
      database: reached.state === 'ok' ? pool : null,
    }
    const groups = await Promise.all([
      runChecks({ secrets: checkSecrets, ...fileChecks }, patient),
      runChecks(databaseChecks, patient),
      runChecks(siteChecks, patient),
      runChecks(mailChecks, patient),
      runChecks(backupChecks, patient),
      checkStripe(patient),
      runChecks(paymentChecks, patient),
    ])
    const settings = { check: 'settings', ...ok('All settings are valid.') }
    return [settings, { check: 'database', ...reached }, ...groups.flat()].map(({ message, ...found }) => ({
      ...found,
      message: hideSecrets(message, patient),
    }))
  } finally {
    await pool.end()
  }
}

async function runChecks(checks: Record<string, Check>, patient: Patient): Promise<DoctorCheck[]> {
  const found = await Promise.all(
    Object.entries(checks).map(([name, check]) => runCheck(name, patient, check)),
  )
  return found.flat()
}

function openPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'sought doctor',
  })
  pool.on('error', () => {})
  return pool
}

async function reach(pool: pg.Pool) {
  try {
    await pool.query('select 1')
    return ok('The database answers.')
  } catch (error) {
    return fail(`The database does not answer: ${reasonOf(error)}. Check DATABASE_URL.`)
  }
}

/** Secrets that somebody made up can be guessed. */
const checkSecrets: Check = async ({ config, secrets: { sessionKeys, dataKeys } }) => {
  if (sessionKeys.all.some((key) => dataKeys.all.includes(key)))
    return warn('SESSION_SECRET and DATA_KEY have the same key. Whoever learns one knows both.')
  const weak = [...sessionKeys.all, ...dataKeys.all].some((key) => new Set(key).size < SECRET_CHARACTERS)
  return weak && config.production
    ? warn('SESSION_SECRET or DATA_KEY can be guessed. Create each with: openssl rand -hex 32')
    : ok('SESSION_SECRET and DATA_KEY are different.')
}
