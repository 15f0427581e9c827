import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Db, Tx } from './database.ts'
import type { FileStore } from './files.ts'
import type { DecodedImage } from './image-decoder.ts'
import { removePhoto } from './photo-files.ts'
import { files, pictureUrls } from './schema.ts'

/** Public files are served under this path (serve-files.ts). */
export const FILES_PATH = '/files/'

type PublicKind = 'request_image' | 'avatar'

export interface NewFile {
  bytes: Uint8Array
  extension: Parameters<FileStore['put']>[1]
  mimeType: string
  widthPixels?: number
  heightPixels?: number
}

/** Stores a re-encoded picture that is publicly visible, and returns its path. */
export async function storePublicPicture(
  tx: Tx,
  store: FileStore,
  { bytes, widthPixels, heightPixels }: DecodedImage,
  kind: PublicKind,
  ownerId: string,
): Promise<string> {
  const file = { bytes, extension: 'webp', mimeType: 'image/webp', widthPixels, heightPixels } as const
  return FILES_PATH + (await storeFile(tx, store, file, kind, ownerId))
}

/** Returns the file's name in the store. */
export async function storeFile(
  tx: Tx,
  store: FileStore,
  { bytes, extension, ...file }: NewFile,
  kind: PublicKind | 'evidence' | 'parcel',
  ownerId: string,
): Promise<string> {
  const id = await store.put(bytes, extension)
  try {
    await insertFile(tx, { ...file, id, ownerId, kind, sizeBytes: bytes.length })
  } catch (error) {
    await store.remove(id)
    throw error
  }
  return id
}

export async function insertFile(tx: Tx, file: Omit<typeof files.$inferInsert, 'createdAt'>): Promise<void> {
  await tx.insert(files).values({ ...file, createdAt: tx.now })
}

/** Deletes the rows of a user's files and returns their names, to be removed after the commit. */
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

export async function removeFiles(store: FileStore, names: string[]): Promise<void> {
  await Promise.all(names.map((name) => store.remove(name)))
}

/** The file behind a path, if this user uploaded it. */
export async function findOwnFile(db: Db, path: string, ownerId: string, kind: PublicKind) {
  const id = path.slice(FILES_PATH.length)
  const [found] = await db
    .select()
    .from(files)
    .where(and(eq(files.id, id), eq(files.ownerId, ownerId), eq(files.kind, kind)))
  return found
}

const ABANDONED_AFTER_HOURS = 24

/** Removes pictures that no request uses, photos that were not sent and files whose evidence was deleted. */
export async function purgeAbandonedFiles({ read }: Database, store: FileStore, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ABANDONED_AFTER_HOURS * 3_600_000)
  const { rows } = await read.execute<{ id: string }>(sql`
    delete from files
    where created_at < ${before} and (
      kind = 'request_image' and not exists (
        select from wanted_items where images <> '[]' and ${pictureUrls} ? (${FILES_PATH} || files.id)
      )
      or kind = 'evidence' and not exists (select from dispute_evidence where file_url = files.id)
    )
    returning id`)
  for (const { id } of rows) await store.remove(id)
  for (const name of await deleteUnsentPhotos(read, before)) await removePhoto(store, name)
}

/** Deletes the photo first: a photo that is being sent at the same time stays, and so does its file. */
async function deleteUnsentPhotos(db: Db, before: Date): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with unsent as (
      delete from photos where position is null and created_at < ${before} returning file_id
    )
    delete from files where id in (select file_id from unsent)
    returning id`)
  return rows.map(({ id }) => id)
}
