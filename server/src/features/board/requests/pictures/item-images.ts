import type { NewWantedItem } from '@sought/contract/requests'
import type * as z from 'zod/mini'
import { refuse } from '../../../../core/errors.ts'
import type { Tx } from '../../../../database/database.ts'
import type { StoredImage } from '../../../../database/schema.ts'
import { FILES_PATH, findOwnFile } from '../../../../files/stored-files.ts'
import type { User } from '../../../../http/session.ts'

type Form = Pick<z.output<typeof NewWantedItem>, 'images' | 'imageUrl'>

/**
 * The pictures of a posted or edited request: its existing ones, uploads of this user, and pictures on other sites.
 */
export async function resolveImages(
  tx: Tx,
  form: Form,
  user: User,
  current: readonly StoredImage[] = [],
): Promise<StoredImage[]> {
  const known = new Map(current.map((image) => [image.url, image]))
  const resolved: StoredImage[] = []
  for (const { url, alt } of imagesIn(form, current))
    resolved.push({ ...(known.get(url) ?? (await resolveImage(tx, url, user))), alt })
  return resolved
}

/** If a client sends only `imageUrl` and has not changed it, the request keeps its other pictures. */
function imagesIn({ images, imageUrl }: Form, current: readonly StoredImage[]) {
  if (images) return images
  if (!imageUrl) return []
  return imageUrl === current[0]?.url ? current : [{ url: imageUrl, alt: '' }]
}

async function resolveImage(tx: Tx, url: string, user: User): Promise<Omit<StoredImage, 'alt'>> {
  if (!url.startsWith(FILES_PATH)) return { url, pictureUrl: null, width: null, height: null }
  const file = await findOwnFile(tx, url, user.id, 'request_image')
  if (!file) throw refuse('image_not_found')
  return { url, pictureUrl: url, width: file.widthPixels, height: file.heightPixels }
}

export const lacksCopy = (images: readonly StoredImage[]) =>
  images.some(({ pictureUrl }) => pictureUrl === null)
