import type { Tx } from '../database/database.ts'
import { files } from '../database/schema.ts'
import { type FileStore, removeFiles, sizedName } from './files.ts'
import { reencodeSquares } from './images.ts'
import { deleteFilesOf, FILES_PATH, heldSince } from './stored-files.ts'

/** An avatar is stored as squares of these sizes. The first is served when the URL names no size (ADR 22). */
const SIDES_PIXELS = [512, 256, 128, 64] as const

/** The file name for a requested size; the original name if that size is not stored. */
export function nameInSize(name: string, size: unknown): string {
  const side = SIDES_PIXELS.find((pixels) => String(pixels) === size)
  return side === undefined || side === SIDES_PIXELS[0] ? name : sizedName(name, side)
}

interface Avatar {
  url: string
  sizes: { id: string; sizeBytes: number }[]
}

/** Converts an uploaded picture to an avatar and stores all its sizes, or none if one fails. */
export async function writeAvatar(store: FileStore, uploaded: Uint8Array, ownerId: string): Promise<Avatar> {
  const squares = await reencodeSquares(uploaded, SIDES_PIXELS, ownerId)
  const sizes: Avatar['sizes'] = []
  try {
    for (const [index, bytes] of squares.entries()) {
      const [original] = sizes
      const id = original
        ? await store.putSize(original.id, SIDES_PIXELS[index] ?? 0, bytes)
        : await store.put(bytes, 'webp')
      sizes.push({ id, sizeBytes: bytes.length })
    }
  } catch (error) {
    await removeFiles(store, avatarNames(sizes))
    throw error
  }
  return { url: FILES_PATH + sizes[0]?.id, sizes }
}

export const avatarNames = (sizes: Avatar['sizes']): string[] => sizes.map(({ id }) => id)

/** Returns the names of the replaced files, which the caller removes after the commit. */
export async function replaceAvatar(tx: Tx, ownerId: string, { sizes }: Avatar): Promise<string[]> {
  const old = await deleteFilesOf(tx, ownerId, ['avatar'])
  const shared = { ownerId, kind: 'avatar', mimeType: 'image/webp', createdAt: tx.now } as const
  await tx
    .insert(files)
    .values(sizes.map((size) => ({ ...size, ...shared, heldAt: heldSince(size.id, tx.now) })))
  return old
}
