import { buffer } from 'node:stream/consumers'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { files } from '../../../database/schema.ts'
import { removeFiles } from '../../../files/files.ts'
import { photoNames } from '../../../files/photo-files.ts'
import { COMMAND_LINE } from '../../../http/request-origin.ts'
import type { Actor } from '../../../http/session.ts'
import type { UploadedFile } from '../../../http/upload.ts'
import type { Verdict } from '../../../providers/scanner/virus-scanner.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { fileInfected } from './notifications.ts'

/** Refuses an infected upload, and records it. It is in memory only, so nothing is left to delete. */
export async function requireClean(
  { scanner, database }: Pick<Services, 'scanner' | 'database'>,
  { bytes }: UploadedFile,
  user: Actor,
): Promise<void> {
  const verdict = scanner ? await scanner.scan(bytes) : 'clean'
  if (typeof verdict !== 'object') return
  const details = { infection: verdict.infection }
  await database.transact((tx) => recordAudit(tx, { action: 'infected_file_deleted', ...by(user), details }))
  throw refuse('file_infected')
}

type HeldFile = Pick<typeof files.$inferSelect, 'id' | 'kind' | 'ownerId'>

/** Scans the files that were held back because the scanner did not answer. */
export async function scanHeldFiles(
  services: Pick<Services, 'scanner' | 'database' | 'files' | 'fileStorage'>,
  signal?: AbortSignal,
): Promise<void> {
  for (const file of services.scanner ? await findHeld(services.database.read) : []) {
    if (signal?.aborted) return
    const names = file.kind === 'photo' ? photoNames(file.id) : [file.id]
    const verdict = await scanStored(services, names)
    if (verdict === 'clean') await clear(services.database.read, file)
    else if (verdict !== 'unknown') {
      await services.database.transact((tx) => condemn(tx, file, verdict.infection))
      await removeFiles(services.files, names)
    }
  }
}

const BATCH_SIZE = 20

const isHeld = and(isNotNull(files.heldAt), isNull(files.infection))

/** In any order, so that files that can never be scanned do not keep others waiting. */
const findHeld = (db: Db): Promise<HeldFile[]> =>
  db
    .select({ id: files.id, kind: files.kind, ownerId: files.ownerId })
    .from(files)
    .where(isHeld)
    .orderBy(sql`random()`)
    .limit(BATCH_SIZE)

/** Clean if all are. A file whose bytes are missing is not. */
async function scanStored(
  { scanner, fileStorage }: Pick<Services, 'scanner' | 'fileStorage'>,
  names: string[],
): Promise<Verdict> {
  for (const name of names) {
    const file = await fileStorage.open(name)
    const verdict = file && scanner ? await scanner.scan(await buffer(file.stream)) : 'unknown'
    if (verdict !== 'clean') return verdict
  }
  return 'clean'
}

async function clear(db: Db, { id }: HeldFile): Promise<void> {
  await db
    .update(files)
    .set({ heldAt: null })
    .where(and(eq(files.id, id), isHeld))
}

/** The row stays, because others refer to it. */
async function condemn(tx: Tx, { id, ownerId }: HeldFile, infection: string): Promise<void> {
  const condemned = await tx
    .update(files)
    .set({ infection })
    .where(and(eq(files.id, id), isHeld))
    .returning({ id: files.id })
  if (condemned.length === 0) return
  await recordAudit(tx, {
    action: 'infected_file_deleted',
    actorId: null,
    subjectId: ownerId,
    origin: COMMAND_LINE,
    details: { infection },
  })
  if (ownerId) await notify(tx, fileInfected({ id }, ownerId))
}
