import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { people } from './people.ts'
import { requests } from './requests.ts'

const AVATAR_PIXELS = 256
const REQUEST_PIXELS = 800

/** Every picture by its name, as an upload would be stored. */
type Pictures = ReadonlyMap<string, Buffer>

/** Leaves threads of Node's pool for hashing passwords and for files. */
const DRAWN_AT_ONCE = 2

let drawn: Promise<Pictures> | undefined

/** Draws them once in a process. */
export function drawPictures(): Promise<Pictures> {
  drawn ??= drawAll()
  return drawn
}

async function drawAll(): Promise<Pictures> {
  const waiting = [
    ...people.flatMap(({ avatar }) =>
      avatar ? [{ name: avatarPicture(avatar), width: AVATAR_PIXELS }] : [],
    ),
    ...requests.flatMap(({ picture }) => (picture ? [{ name: picture, width: REQUEST_PIXELS }] : [])),
  ]
  const pictures = new Map<string, Buffer>()
  const drawNext = async (): Promise<void> => {
    const next = waiting.pop()
    if (!next) return
    pictures.set(next.name, await draw(next.name, next.width))
    return drawNext()
  }
  await Promise.all(Array.from({ length: DRAWN_AT_ONCE }, drawNext))
  return pictures
}

export const avatarPicture = (avatar: string) => `avatars/${avatar}`

async function draw(name: string, widthPixels: number): Promise<Buffer> {
  const svg = await readFile(new URL(`./pictures/${name}`, import.meta.url))
  // More effort makes files a quarter smaller and takes twice as long, which everybody would wait for at the first start.
  return sharp(svg).resize(widthPixels).webp({ quality: 88, effort: 1 }).toBuffer()
}
