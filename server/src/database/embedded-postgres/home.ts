import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { PostgresRefused } from './refused.ts'
import { canEnter, chooseServiceUser, ownerOf, type ServiceUser } from './service-user.ts'

/** The folder of a cluster, the user who runs it, and its binaries. */
export type Home = {
  folder: string
  cluster: string
  password: string
  user: ServiceUser
  binaries: Binaries
}

/** The content of `postgres.json` in the data folder. A cluster without it is never opened. */
type HomeRecord = { dataDir: string; folder: string; password: string }

/**
 * PostgreSQL does not run as root, and other users may have no access to root's clone. Its data and a copy of its
 * binaries are then stored here, and not in a temporary folder, which the system may clean up.
 */
const PUBLIC_FOLDER = '/var/lib/sought'

/** Fails early if the data folder belongs to another user. */
export function createDataDir(dataDir: string) {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.W_OK)
    if (existsSync(recordPath(dataDir))) accessSync(recordPath(dataDir), constants.R_OK)
  } catch {
    throw new PostgresRefused(
      `${dataDir} is not writable for this user: start as its owner, or set DATA_DIR.`,
    )
  }
}

export function findOrChooseHome(dataDir: string, binaries: Binaries, say: (line: string) => void): Home {
  const realDataDir = realpathSync(dataDir)
  const record = readRecord(realDataDir)
  if (!record || !existsSync(clusterIn(record.folder))) return chooseHome(realDataDir, binaries)
  if (!isOfCopy(record, realDataDir)) return openHome(record, realDataDir, binaries)
  say(`${realDataDir} is a copy of another data folder: it gets its own database.`)
  return chooseHome(realDataDir, binaries)
}

function openHome(record: HomeRecord, dataDir: string, binaries: Binaries): Home {
  const { folder, password } = record
  const cluster = clusterIn(folder)
  const user = ownerOf(cluster)
  if (!canEnter(user, cluster)) {
    throw new PostgresRefused(
      `PostgreSQL runs as ${user?.name}, who has no access to ${cluster}: allow that user to enter the folders above it.`,
    )
  }
  if (record.dataDir !== dataDir) writeRecord({ ...record, dataDir })
  return { folder, cluster, password, user, binaries: reachableBinaries(binaries, user) }
}

function chooseHome(dataDir: string, binaries: Binaries): Home {
  const user = chooseServiceUser()
  const folder = canEnter(user, dataDir) ? dataDir : newPublicFolder(dataDir)
  const cluster = clusterIn(folder)
  if (existsSync(cluster)) {
    throw new PostgresRefused(
      `${cluster} holds a database, but ${recordPath(dataDir)} with its password is missing: restore it, or remove ${cluster}.`,
    )
  }
  const password = randomBytes(24).toString('base64url')
  writeRecord({ dataDir, folder, password })
  return { folder, cluster, password, user, binaries: reachableBinaries(binaries, user) }
}

export const clusterIn = (folder: string) => join(folder, 'postgres')

const recordPath = (dataDir: string) => join(dataDir, 'postgres.json')

function readRecord(dataDir: string): HomeRecord | undefined {
  const path = recordPath(dataDir)
  if (!existsSync(path)) return undefined
  const record: HomeRecord = JSON.parse(readFileSync(path, 'utf8'))
  // A cluster inside its data folder moves together with it.
  return record.folder === record.dataDir ? { ...record, folder: dataDir } : record
}

function writeRecord(record: HomeRecord) {
  const path = recordPath(record.dataDir)
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/**
 * Two data folders may refer to one cluster outside both. The cluster belongs to the folder that it was created for.
 */
function isOfCopy(record: HomeRecord, dataDir: string): boolean {
  if (record.dataDir === dataDir || record.folder === dataDir) return false
  return readRecord(record.dataDir)?.folder === record.folder
}

/** The name has a random part, so that a new data folder never opens the cluster of a deleted one. */
function newPublicFolder(dataDir: string): string {
  const folder = join(PUBLIC_FOLDER, `${publicPrefix(dataDir)}${randomBytes(4).toString('hex')}`)
  createPublicFolder(folder)
  return folder
}

const publicPrefix = (dataDir: string) =>
  `${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}-`

/** Clusters of earlier, deleted data folders with the same path. */
export function findAbandonedClusters(home: Home, dataDir: string): string[] {
  if (dirname(home.folder) !== PUBLIC_FOLDER) return []
  return readdirSync(PUBLIC_FOLDER)
    .filter((name) => name.startsWith(publicPrefix(realpathSync(dataDir))))
    .map((name) => join(PUBLIC_FOLDER, name))
    .filter((folder) => folder !== home.folder)
    .map(clusterIn)
}

/** Sets the mode, since root's umask may deny access to the user who runs PostgreSQL. */
function createPublicFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true })
    chmodSync(PUBLIC_FOLDER, 0o755)
    chmodSync(folder, 0o755)
  } catch (error) {
    throw new PostgresRefused(
      `PostgreSQL needs a folder that a user other than root can access, and ${folder} cannot be created (${String(error)}). Set DATA_DIR to such a folder.`,
    )
  }
}

export function reachableBinaries(binaries: Binaries, user: ServiceUser): Binaries {
  if (canEnter(user, join(binaries.folder, 'bin'))) return binaries
  const copy = join(PUBLIC_FOLDER, `postgresql-${binaries.version}`)
  if (!existsSync(copy)) copyBinaries(binaries.folder, copy)
  return { ...binaries, folder: copy }
}

function copyBinaries(from: string, to: string) {
  const unfinished = `${to}.${randomBytes(4).toString('hex')}`
  createPublicFolder(unfinished)
  execFileSync('/bin/sh', ['-c', 'cp -RP "$1/." "$2" && chmod -R a+rX "$2"', 'sh', from, unfinished])
  try {
    renameSync(unfinished, to)
  } catch (error) {
    // Another process may have copied the same version first.
    rmSync(unfinished, { recursive: true })
    if (!existsSync(to)) throw error
  }
}
