import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { Database, Db } from '../database/database.ts'
import { disputeEvidence, files, pictureUrls, users } from '../database/schema.ts'
import type { FileStorage, ListedFile } from '../providers/files/file-storage.ts'
import { isFileName, withoutSize } from './files.ts'
import { currentLogo, FILES_PATH } from './stored-files.ts'

/*
 * Orphans are stored files that no row refers to: a process ended between writing a file and saving its row, or the
 * storage was unavailable when a file should have been removed. A file is written at most minutes before its row,
 * so only older files count.
 */

const ORPHANED_AFTER_HOURS = 24
const BATCH_SIZE = 500
/** Partial files that a crash left in a folder (folder-storage.ts). */
const UNFINISHED = /\.part$/

interface Found {
  /** All files, including the sizes of pictures. */
  count: number
  orphans: ListedFile[]
}

/** Lists the storage before reading the rows, so that a file whose row is saved in between is not an orphan. */
export async function findOrphans(
  { read }: Database,
  storage: FileStorage,
  now: Date,
  signal?: AbortSignal,
): Promise<Found> {
  const before = new Date(now.getTime() - ORPHANED_AFTER_HOURS * 3_600_000)
  const found: Found = { count: 0, orphans: [] }
  let batch: ListedFile[] = []
  const checkBatch = async () => {
    const named = await findNamed(read, batch)
    found.orphans.push(...batch.filter(({ name }) => !named.has(name)))
    batch = []
  }
  for await (const file of storage.list()) {
    signal?.throwIfAborted()
    // Other files are not ours.
    if (!isFileName(file.name.replace(UNFINISHED, ''))) continue
    found.count++
    if (file.modifiedAt < before) batch.push(file)
    if (batch.length === BATCH_SIZE) await checkBatch()
  }
  await checkBatch()
  return found
}

/**
 * Removes orphans and returns their number. Checks for rows again, since finding the orphans may have taken long.
 */
export async function removeOrphans(
  { read }: Database,
  storage: FileStorage,
  orphans: ListedFile[],
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  for (let start = 0; start < orphans.length; start += BATCH_SIZE) {
    const batch = orphans.slice(start, start + BATCH_SIZE)
    const named = await findNamed(read, batch)
    for (const { name } of batch) {
      signal?.throwIfAborted()
      if (named.has(name)) continue
      await storage.remove(name)
      removed++
    }
  }
  return removed
}

/** The files that a row refers to, directly or as sizes of a picture. */
async function findNamed(db: Db, batch: ListedFile[]): Promise<Set<string>> {
  const rows = await findFileRows(db, batch.flatMap(namesOf))
  const hasRow = (file: ListedFile) => namesOf(file).some((name) => rows.has(name))
  // Every upload has a row in `files`. Only the few others are searched for in all tables.
  const references = await findReferences(db, batch.filter((file) => !hasRow(file)).flatMap(namesOf))
  const isReferenced = (file: ListedFile) => namesOf(file).some((name) => references.has(name))
  return new Set(batch.filter((file) => hasRow(file) || isReferenced(file)).map(({ name }) => name))
}

const namesOf = ({ name }: ListedFile): string[] => (UNFINISHED.test(name) ? [] : [name, withoutSize(name)])

async function findFileRows(db: Db, names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  // The bytes of infected files are deleted, now if not before.
  const rows = await db
    .select({ id: files.id })
    .from(files)
    .where(and(inArray(files.id, names), isNull(files.infection)))
  return new Set(rows.map(({ id }) => id))
}

async function findReferences(db: Db, names: string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const paths = sql.param(names.map((name) => FILES_PATH + name))
  const { rows } = await db.execute<{ name: string }>(sql`
    select ${disputeEvidence.fileUrl} as name from ${disputeEvidence} where ${inArray(disputeEvidence.fileUrl, names)}
    union all
    select ${users.profileImageUrl} from ${users} where ${users.profileImageUrl} = any(${paths}::text[])
    union all
    select logo from (${currentLogo}) as latest(logo) where logo = any(${paths}::text[])
    union all
    select picture from request_versions, jsonb_array_elements_text(${pictureUrls}) picture
    where images <> '[]' and ${pictureUrls} ?| ${paths}::text[]`)
  return new Set(rows.map(({ name }) => name.replace(FILES_PATH, '')))
}

/** One line for each row whose file is missing or has another size. */
export async function findMissingFiles({ read }: Database, storage: FileStorage): Promise<string[]> {
  const sizes = new Map<string, number>()
  for await (const { name, sizeBytes } of storage.list()) sizes.set(name, sizeBytes)
  const rows = await read
    .select({ id: files.id, sizeBytes: files.sizeBytes })
    .from(files)
    .where(isNull(files.infection))
    .orderBy(files.id)
  const problems: string[] = []
  for (const { id, sizeBytes } of rows) {
    const stored = sizes.get(id)
    if (stored === sizeBytes) continue
    if (stored !== undefined) problems.push(`${id} has ${stored} bytes instead of ${sizeBytes}`)
    // The file may have been written after the storage was listed.
    else if (!(await storage.has(id))) problems.push(`${id} is missing`)
  }
  return problems
}
