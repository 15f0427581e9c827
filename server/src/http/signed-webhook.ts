import type { FastifyInstance } from 'fastify'
import { refuse } from '../core/errors.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/**
 * Serves a webhook. Its signature covers the raw bytes, so the body is not parsed. `header` has the signature, unless
 * it is part of the body. `receive` says why a body is refused.
 */
export async function serveSignedWebhook(
  app: FastifyInstance,
  { path, header }: { path: string; header?: string },
  receive: (body: Buffer, signature: string) => Promise<'received' | 'bad_signature' | 'malformed'>,
): Promise<void> {
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_, body, done) =>
      done(null, body),
    )
    raw.post(path, async ({ body, headers }) => {
      const signature = header === undefined ? '' : headers[header]
      const isReadable = Buffer.isBuffer(body) && typeof signature === 'string'
      const outcome = isReadable ? await receive(body, signature) : 'bad_signature'
      if (outcome !== 'received') throw refuse(outcome)
      return { received: true }
    })
  })
}
