import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { DecodedImage } from '../files/image-decoder.ts'
import { people } from './people.ts'
import { requests } from './requests.ts'

const AVATAR_PIXELS = 256
const REQUEST_PIXELS = 800

/** All pictures by name, encoded like uploads. */
type Pictures = ReadonlyMap<string, DecodedImage>

/** Leaves threads of Node's pool free for password hashing and files. */
const DRAWN_AT_ONCE = 2

let drawn: Promise<Pictures> | undefined

/** Draws the pictures once per process. */
export function drawPictures(): Promise<Pictures> {
  drawn ??= drawAll()
  return drawn
}

async function drawAll(): Promise<Pictures> {
  const waiting = [
    ...people.flatMap(({ avatar }) =>
      avatar ? [{ name: avatarPicture(avatar), width: AVATAR_PIXELS }] : [],
    ),
    ...[...new Set(requests.flatMap(({ pictures }) => pictures.map(({ file }) => file)))].map((name) => ({
      name,
      width: REQUEST_PIXELS,
    })),
  ]
  const pictures = new Map<string, DecodedImage>()
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

async function draw(name: string, widthPixels: number): Promise<DecodedImage> {
  const svg = await readFile(new URL(`./pictures/${name}`, import.meta.url))
  // A higher effort would make files a quarter smaller but take twice as long, and the first start waits for it.
  const picture = sharp(svg).resize(widthPixels).webp({ quality: 88, effort: 1 })
  const { data, info } = await picture.toBuffer({ resolveWithObject: true })
  return { bytes: data, widthPixels: info.width, heightPixels: info.height }
}
