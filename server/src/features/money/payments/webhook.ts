import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../core/errors.ts'
import type { Services } from '../../../services.ts'
import { receiveEvent } from './provider-events.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** The provider's webhook. The signature covers the raw bytes, so the body is not parsed here. */
export async function serveWebhook(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_, body, done) =>
      done(null, body),
    )
    raw.post('/api/stripe/webhook', async (request) => {
      const { cards } = services
      const signature = request.headers['stripe-signature']
      const isSigned = cards && Buffer.isBuffer(request.body) && typeof signature === 'string'
      const event = isSigned ? cards.readEvent(request.body as Buffer, signature) : null
      if (!cards || !event) throw refuse('bad_signature')
      await receiveEvent(services, cards, event)
      return { received: true }
    })
  })
}
