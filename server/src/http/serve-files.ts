import type { Readable } from 'node:stream'
import type { RefusalCode } from '@sought/contract/refusals'
import { inArray } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../core/errors.ts'
import type { Database } from '../database/database.ts'
import { files } from '../database/schema.ts'
import { nameInSize } from '../files/avatar-files.ts'
import { type FileStore, isFileName, mayBeHeld } from '../files/files.ts'
import { createPictureVariants, parseVariant } from '../files/picture-variants.ts'

const PUBLIC_KINDS: (typeof files.$inferSelect)['kind'][] = ['request_image', 'avatar', 'logo']

/** How long browsers cache the original that is sent until its variant exists. */
const SOON_REPLACED = 'public, max-age=60'
const FOREVER = 'public, max-age=31536000, immutable'

interface Access {
  /** Refuses requests that the market's mode does not allow. */
  requireMode(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Whether this person may see a picture that moderators have hidden. */
  mayReadHidden(
    file: typeof files.$inferSelect,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean>
}

/** Serves the public pictures of requests and users, and the logo. Evidence files and photos have their own API calls. */
export function servePublicFiles(
  app: FastifyInstance,
  { read }: Database,
  store: FileStore,
  { requireMode, mayReadHidden }: Access,
): void {
  const variants = createPictureVariants(store)
  app.get<{ Params: { name: string }; Querystring: { size?: unknown } }>(
    '/files/:name',
    async (request, reply) => {
      const { name } = request.params
      const sized = nameInSize(name, request.query.size)
      const variant = parseVariant(name)
      const found = isFileName(name)
        ? await read
            .select()
            .from(files)
            .where(inArray(files.id, [name, sized, ...(variant ? [variant.original] : [])]))
        : []
      // Falls back to the original size.
      const known = found.find(({ id }) => id === sized) ?? found[0]
      // The sign-in page shows the logo even during maintenance.
      if (known?.kind !== 'logo') await requireMode(request, reply)
      if (!known || !PUBLIC_KINDS.includes(known.kind)) throw refuse('not_found')
      const isHidden = known.hiddenAt !== null
      if (isHidden && !(await mayReadHidden(known, request, reply))) throw refuse('not_found')
      const isVariant = known.id === variant?.original
      if (isVariant && known.kind !== 'request_image') throw refuse('not_found')
      const made = isVariant && variant ? await variants.get(variant) : null
      const file = made ?? (await store.get(known.id))
      if (!file) throw refuse(mayBeHeld(known.id) ? 'file_held' : 'not_found')
      return reply
        .type(made && variant ? `image/${variant.format}` : known.mimeType)
        .header('content-length', file.sizeBytes)
        .header(
          'cache-control',
          isHidden ? 'private, no-store' : isVariant && !made ? SOON_REPLACED : FOREVER,
        )
        .header('x-content-type-options', 'nosniff')
        .send(file.stream)
    },
  )
}

/** A file that the caller may read. */
export interface PrivateFile {
  /** The file's name in the store. */
  fileId: string
  /** The name for saving the download. */
  name: string
  mimeType: string
}

/**
 * Sends a private file: not cached, not executable, and shown inline only if we encoded the picture ourselves. It is
 * opened after the transaction that authorised the caller, because a slow store must not hold a database connection.
 */
export async function sendPrivateFile(
  reply: FastifyReply,
  store: FileStore,
  { fileId, name, mimeType }: PrivateFile,
  missing: RefusalCode,
  cacheControl = 'private, no-store',
) {
  const file = await store.get(fileId)
  if (!file) throw refuse(mayBeHeld(fileId) ? 'file_held' : missing)
  const disposition = mimeType === 'image/webp' ? 'inline' : 'attachment'
  const ascii = name.replace(/[^\w. -]/g, '_')
  return reply
    .type(mimeType)
    .header('content-length', file.sizeBytes)
    .header(
      'content-disposition',
      `${disposition}; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', cacheControl)
    .send(file.stream)
}

const PICTURE_CACHE_SECONDS = 3600

/** Sends a private picture, which the browser may cache, because the content of an id never changes. */
export function sendPrivatePicture(
  reply: FastifyReply,
  store: FileStore,
  file: PrivateFile,
  missing: RefusalCode,
) {
  return sendPrivateFile(
    reply.header('vary', 'cookie'),
    store,
    file,
    missing,
    `private, max-age=${PICTURE_CACHE_SECONDS}, immutable`,
  )
}

/** Sends generated private content as a download. */
export function sendDownload(reply: FastifyReply, name: string, mimeType: string, stream: Readable) {
  return reply
    .type(mimeType)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, no-store')
    .send(stream)
}
