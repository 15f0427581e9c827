import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { savePhoto } from '../features/deals/photos/actions.ts'
import { writePhoto } from '../files/photo-files.ts'
import type { Services } from '../services.ts'

const PHOTO_PIXELS = 1000

/** Uploads drawings as photos of a person, and returns their ids. */
export async function addPhotos(
  { database, files }: Pick<Services, 'database' | 'files'>,
  names: readonly string[] = [],
  person: { id: string },
): Promise<number[]> {
  const ids: number[] = []
  for (const name of names) {
    const svg = await readFile(new URL(`./pictures/${name}`, import.meta.url))
    const written = await writePhoto(files, await sharp(svg).resize(PHOTO_PIXELS).png().toBuffer())
    ids.push((await database.transact((tx) => savePhoto(tx, written, person))).id)
  }
  return ids
}
