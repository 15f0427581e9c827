import type { FastifyInstance } from 'fastify'
import { refuse } from '../../platform/errors.ts'
import type { Services } from '../../platform/services.ts'
import { receive } from './provider-events.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** Where the provider tells us what happened. The signature is over the very bytes that were sent. */
export async function serveWebhook(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_, body, done) =>
      done(null, body),
    )
    raw.post('/api/stripe/webhook', async (request) => {
      const { cards } = services
      const signature = request.headers['stripe-signature']
      const signed = cards && Buffer.isBuffer(request.body) && typeof signature === 'string'
      const event = signed ? cards.readEvent(request.body as Buffer, signature) : null
      if (!cards || !event) throw refuse('bad_signature')
      await receive(services, cards, event)
      return { received: true }
    })
  })
}
