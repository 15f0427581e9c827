import type { Readable } from 'node:stream'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Database, type Db, isUnavailable, type Tx } from '../database/database.ts'
import { findRow } from '../database/rows.ts'
import { files, pictureUrls } from '../database/schema.ts'
import { type FileStore, mayBeHeld, removeFiles, withoutSize } from './files.ts'
import type { DecodedImage } from './image-decoder.ts'
import { photoNames } from './photo-files.ts'

/** Public files are served under this path (serve-files.ts). */
export const FILES_PATH = '/files/'

type PublicKind = 'request_image' | 'avatar' | 'logo'

export interface NewFile {
  bytes: Uint8Array
  extension: Parameters<FileStore['put']>[1]
  mimeType: string
  widthPixels?: number
  heightPixels?: number
}

/** A stored file that needs a row. */
export type StoredFile = Pick<
  typeof files.$inferInsert,
  'id' | 'mimeType' | 'sizeBytes' | 'widthPixels' | 'heightPixels'
>

/** A re-encoded picture as a file. */
export const pictureFile = ({ bytes, widthPixels, heightPixels }: DecodedImage): NewFile => ({
  bytes,
  extension: 'webp',
  mimeType: 'image/webp',
  widthPixels,
  heightPixels,
})

/**
 * Writes a file and lets `save` insert its row. The file is written before the transaction, because a slow store
 * must not hold a database connection or a lock.
 */
export async function storeFile<Saved>(
  store: FileStore,
  { bytes, extension, ...file }: NewFile,
  save: (stored: StoredFile) => Promise<Saved>,
): Promise<Saved> {
  const id = await store.put(bytes, extension)
  return removeUnlessSaved(store, [id], () => save({ ...file, id, sizeBytes: bytes.length }))
}

/** The same for a file that is too large to be held in memory. */
export async function storeStream<Saved>(
  store: FileStore,
  { content, extension, mimeType }: { content: Readable; extension: 'csv'; mimeType: string },
  save: (stored: StoredFile) => Promise<Saved>,
): Promise<Saved> {
  const { name: id, sizeBytes } = await store.putStream(content, extension)
  return removeUnlessSaved(store, [id], () => save({ id, mimeType, sizeBytes }))
}

/**
 * Removes files if the transaction that refers to them fails. If the database connection is lost, it is unknown
 * whether it committed. Then the files stay, and orphaned-files.ts removes them later if no row refers to them.
 */
export async function removeUnlessSaved<Saved>(
  store: FileStore,
  names: string[],
  save: () => Promise<Saved>,
): Promise<Saved> {
  try {
    return await save()
  } catch (error) {
    if (!isUnavailable(error)) await removeFiles(store, names)
    throw error
  }
}

/** Saves the row of a picture that is publicly visible, and returns its path. */
export async function insertPublicPicture(
  tx: Tx,
  stored: StoredFile,
  kind: PublicKind,
  ownerId: string,
): Promise<string> {
  await insertFile(tx, { ...stored, kind, ownerId })
  return FILES_PATH + stored.id
}

export async function insertFile(tx: Tx, file: Omit<typeof files.$inferInsert, 'createdAt'>): Promise<void> {
  await tx.insert(files).values({ ...file, heldAt: heldSince(file.id, tx.now), createdAt: tx.now })
}

/** The row of a file says since when it is held back. */
export const heldSince = (name: string, now: Date): Date | null => (mayBeHeld(name) ? now : null)

/** Whether a file, or the original of a smaller version, was found clean. */
export async function isClear(db: Db, name: string): Promise<boolean> {
  const found = await db
    .select({ heldAt: files.heldAt })
    .from(files)
    .where(inArray(files.id, [name, withoutSize(name)]))
  return found.length > 0 && found.every(({ heldAt }) => heldAt === null)
}

/** Deletes the rows of a user's files and returns their names. The caller removes the files after the commit. */
export async function deleteFilesOf(tx: Tx, ownerId: string, kinds: PublicKind[]): Promise<string[]> {
  const deleted = await tx
    .delete(files)
    .where(and(eq(files.ownerId, ownerId), inArray(files.kind, kinds)))
    .returning({ id: files.id })
  return deleted.map(({ id }) => id)
}

/** Deletes the row of a file that was replaced. Its bytes are removed after the commit. */
export async function deleteFile(tx: Tx, id: string): Promise<void> {
  await tx.delete(files).where(eq(files.id, id))
}

/** The file behind a path, if this user uploaded it and it is not hidden. */
export async function findOwnFile(db: Db, path: string, ownerId: string, kind: PublicKind) {
  const id = path.slice(FILES_PATH.length)
  return findRow(db, files, { id, ownerId, kind, hiddenAt: null })
}

/** The path of the logo in the settings in force. */
export const currentLogo = sql`select settings ->> 'logoUrl' from market_settings order by id desc limit 1`

const ABANDONED_AFTER_HOURS = 24

/**
 * Removes pictures of requests unless moderators have hidden them, unsent photos, replaced logos, and files whose
 * evidence or export was deleted. A request's picture stays while the request shows it, and for good if it did when an
 * offer was made (ADR 93).
 */
export async function purgeAbandonedFiles({ read }: Database, store: FileStore, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ABANDONED_AFTER_HOURS * 3_600_000)
  const { rows } = await read.execute<{ id: string }>(sql`
    with deleted as (delete from files
    where created_at < ${before} and (
      kind = 'request_image' and hidden_at is null and not exists (
        select from request_versions shown
        where images <> '[]' and ${pictureUrls} ? (${FILES_PATH} || files.id) and (
          exists (select from wanted_items where id = shown.wanted_item_id and version = shown.version)
          or exists (
            select from offers where wanted_item_id = shown.wanted_item_id and request_version = shown.version
          )
        )
      )
      or kind = 'evidence' and not exists (select from dispute_evidence where file_url = files.id)
      or kind = 'logo' and ${FILES_PATH} || files.id is distinct from (${currentLogo})
      or kind = 'export' and not exists (select from export_jobs where file_id = files.id)
    )
    returning id, kind
    ), forgotten as (
      update request_versions set images = (
        select coalesce(jsonb_agg(image order by place), '[]')
        from jsonb_array_elements(images) with ordinality as listed (image, place)
        where not exists (select from deleted where image ->> 'pictureUrl' = ${FILES_PATH} || id)
      )
      where images <> '[]' and ${pictureUrls} ?| array(
        select ${FILES_PATH} || id from deleted where kind = 'request_image'
      )
    )
    select id from deleted`)
  for (const { id } of rows) await store.remove(id)
  for (const name of await deleteUnsentPhotos(read, before)) await removeFiles(store, photoNames(name))
}

/** Deletes the photo's row first, so that a photo that is being sent at the same time stays, with its file. */
async function deleteUnsentPhotos(db: Db, before: Date): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with unsent as (
      delete from photos where position is null and created_at < ${before} returning file_id
    )
    delete from files where id in (select file_id from unsent)
    returning id`)
  return rows.map(({ id }) => id)
}
