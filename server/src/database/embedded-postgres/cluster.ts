import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { majorOf, program } from './binaries.ts'
import type { Home } from './home.ts'
import { PostgresRefused } from './refused.ts'
import { identity, type ServiceUser } from './service-user.ts'

export const SUPERUSER = 'sought'

/** The whole environment of PostgreSQL and its tools: no PG* or LC_* variable of the caller has an effect. */
export const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

const UNFINISHED = 'postgres.new-'

/** The folder is renamed when it is complete, so that an interrupted start leaves no partial cluster. */
export async function createCluster(home: Home, { durable }: { durable: boolean }) {
  removeUnfinished(home.folder)
  const unfinished = join(home.folder, `${UNFINISHED}${randomBytes(4).toString('hex')}`)
  createFolderFor(home.user, unfinished)
  await initdb(home, unfinished, durable)
  renameSync(unfinished, home.cluster)
}

export function refuseOtherMajor(home: Home) {
  const made = readFileSync(join(home.cluster, 'PG_VERSION'), 'utf8').trim()
  const ours = majorOf(home.binaries.version)
  if (Number(made) === ours) return
  throw new PostgresRefused(
    `${home.cluster} was created by PostgreSQL ${made} and this is PostgreSQL ${ours}: use another DATA_DIR, or move the data with pg_dump.`,
  )
}

/**
 * Text sorts by code point, the same on every machine and after every upgrade of the C library. With C.UTF-8, upper
 * and lower case still work for all alphabets.
 */
async function initdb(home: Home, folder: string, durable: boolean) {
  try {
    await runInitdb(home, folder, durable, 'C.UTF-8')
  } catch (error) {
    if (!String(error).includes('invalid locale name')) throw error
    await runInitdb(home, folder, durable, 'C')
  }
}

async function runInitdb(home: Home, folder: string, durable: boolean, characters: 'C.UTF-8' | 'C') {
  const passwordFile = `${folder}.password`
  writeFileSync(passwordFile, home.password, { mode: 0o600 })
  if (home.user) chownSync(passwordFile, home.user.uid, home.user.gid)
  const options = [
    `--pgdata=${folder}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    // Tests open thousands of connections, and scram is slow on purpose.
    `--auth=${durable ? 'scram-sha-256' : 'md5'}`,
    '--encoding=UTF8',
    '--locale=C',
    `--lc-ctype=${characters}`,
    '--data-checksums',
    ...(durable ? [] : ['--no-sync']),
  ]
  const spawnOptions = { ...identity(home.user), cwd: dirname(folder), env: ENVIRONMENT }
  try {
    await promisify(execFile)(program(home.binaries, 'initdb'), options, spawnOptions)
  } finally {
    rmSync(passwordFile)
  }
}

function createFolderFor(user: ServiceUser, folder: string) {
  mkdirSync(folder, { mode: 0o700 })
  if (user) chownSync(folder, user.uid, user.gid)
}

function removeUnfinished(folder: string) {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(UNFINISHED)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
