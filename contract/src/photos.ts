import * as z from 'zod/mini'
import { callsOf } from './call.ts'
import { IMAGE_MAX_BYTES, PHOTOS_MAX } from './constants.ts'
import { Id, PathId } from './fields.ts'

const call = callsOf({ subjects: [] })

export const Photo = z.object({
  id: Id,
  /** With `?size=small` it fits into 480 × 480 pixels. */
  url: z.string(),
  width: z.int(),
  height: z.int(),
})
export type Photo = z.output<typeof Photo>

/** The ids of uploaded photos that a message or an offer sends. */
export const PhotoIds = z._default(
  z.array(Id).check(
    z.maxLength(PHOTOS_MAX, `Must be at most ${PHOTOS_MAX} photos`),
    z.refine((ids) => new Set(ids).size === ids.length, 'Must not contain a photo twice'),
  ),
  [],
)

export const uploadPhoto = call({
  method: 'POST',
  path: '/api/photos',
  access: 'user',
  summary:
    'Uploads a photo for a message or an offer: JPEG, PNG, WebP or GIF, re-encoded without metadata. Deleted after a day if it is not sent',
  upload: { field: 'photo', maxBytes: IMAGE_MAX_BYTES },
  reply: Photo,
  status: 201,
  refuses: ['too_large', 'file_infected', 'not_an_image', 'too_many'],
})

export const getPhoto = call({
  method: 'GET',
  path: '/api/photos/:id',
  access: 'user',
  summary:
    'Returns a photo, for the two people of its conversation and admins with a dispute between them; before it is sent, for its owner',
  params: z.object({ id: PathId }),
  query: z.object({ size: z.optional(z.literal('small')) }),
  reply: 'file',
  refuses: ['photo_not_found', 'second_factor_required', 'file_held'],
})
