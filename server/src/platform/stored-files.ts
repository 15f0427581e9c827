import { and, eq, sql } from 'drizzle-orm'
import type { Database, Db, Tx } from './database.ts'
import type { FileStore } from './files.ts'
import { files } from './schema.ts'

/** Below this the public ones are served (serve-files.ts). */
export const FILES_PATH = '/files/'

type Kind = 'request_image' | 'avatar'

/** Stores a picture of ours and gives its address. */
export async function storeFile(
  tx: Tx,
  store: FileStore,
  bytes: Uint8Array,
  kind: Kind,
  ownerId: string,
): Promise<string> {
  const id = await store.put(bytes, 'webp')
  try {
    await tx
      .insert(files)
      .values({ id, ownerId, kind, mimeType: 'image/webp', sizeBytes: bytes.length, createdAt: tx.now })
  } catch (error) {
    await store.remove(id)
    throw error
  }
  return FILES_PATH + id
}

export async function ownsFile(db: Db, address: string, ownerId: string, kind: Kind): Promise<boolean> {
  const id = address.slice(FILES_PATH.length)
  const found = await db
    .select({ id: files.id })
    .from(files)
    .where(and(eq(files.id, id), eq(files.ownerId, ownerId), eq(files.kind, kind)))
  return found.length > 0
}

const ABANDONED_AFTER_HOURS = 24

/** Removes pictures that were uploaded for a request which was then not posted, or no longer shows them. */
export async function purgeAbandonedPictures({ read }: Database, store: FileStore, now: Date): Promise<void> {
  const before = new Date(now.getTime() - ABANDONED_AFTER_HOURS * 3_600_000)
  const { rows } = await read.execute<{ id: string }>(sql`
    delete from files
    where kind = 'request_image' and created_at < ${before}
      and not exists (select from wanted_items where image_url = ${FILES_PATH} || files.id)
    returning id`)
  for (const { id } of rows) await store.remove(id)
}
