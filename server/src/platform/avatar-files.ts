import type { Tx } from './database.ts'
import { type FileStore, sizedName } from './files.ts'
import { reencodeSquares } from './images.ts'
import { files } from './schema.ts'
import { deleteFilesOf, FILES_PATH, removeFiles } from './stored-files.ts'

/** The sides of the squares that an avatar is kept in. The first goes by the plain address (ADR 22). */
const SIDES_PIXELS = [512, 256, 128, 64] as const

/** The name of a picture in the size that an address asks for, or its own if it asks for none of ours. */
export function nameInSize(name: string, size: unknown): string {
  const side = SIDES_PIXELS.find((pixels) => String(pixels) === size)
  return side === undefined || side === SIDES_PIXELS[0] ? name : sizedName(name, side)
}

interface Avatar {
  url: string
  sizes: { id: string; sizeBytes: number }[]
}

/** Makes an avatar of an uploaded picture and writes it, in all of its sizes or not at all. */
export async function writeAvatar(store: FileStore, uploaded: Uint8Array): Promise<Avatar> {
  const squares = await reencodeSquares(uploaded, SIDES_PIXELS)
  const sizes: Avatar['sizes'] = []
  try {
    for (const [place, bytes] of squares.entries()) {
      const [plain] = sizes
      const id = plain
        ? await store.putSize(plain.id, SIDES_PIXELS[place] ?? 0, bytes)
        : await store.put(bytes, 'webp')
      sizes.push({ id, sizeBytes: bytes.length })
    }
  } catch (error) {
    await removeAvatar(store, sizes)
    throw error
  }
  return { url: FILES_PATH + sizes[0]?.id, sizes }
}

export const removeAvatar = (store: FileStore, sizes: Avatar['sizes']) =>
  removeFiles(
    store,
    sizes.map(({ id }) => id),
  )

/** Has this be a person's avatar from now on, and gives the names of the files that no longer are. */
export async function replaceAvatar(tx: Tx, ownerId: string, { sizes }: Avatar): Promise<string[]> {
  const old = await deleteFilesOf(tx, ownerId, ['avatar'])
  const shared = { ownerId, kind: 'avatar', mimeType: 'image/webp', createdAt: tx.now } as const
  await tx.insert(files).values(sizes.map((size) => ({ ...size, ...shared })))
  return old
}
