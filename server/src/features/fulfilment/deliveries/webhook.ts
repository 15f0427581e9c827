import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../core/errors.ts'
import { SIGNATURE_HEADER, TRACKING_WEBHOOK_PATH } from '../../../providers/tracking/webhook-signature.ts'
import type { Services } from '../../../services.ts'
import { receiveTrackerEvent } from './track-parcels.ts'

const BODY_LIMIT_BYTES = 1024 * 1024

/** The webhook of the tracking service. The signature covers the raw bytes, so the body is not parsed here. */
export async function serveTrackingWebhook(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_, body, done) =>
      done(null, body),
    )
    raw.post(TRACKING_WEBHOOK_PATH, async (request) => {
      const { tracking } = services
      const { body, headers } = request
      const signature = headers[SIGNATURE_HEADER]
      const isReadable = Buffer.isBuffer(body) && typeof signature === 'string'
      const event = isReadable ? tracking?.parseWebhook(body, signature) : undefined
      if (!tracking || !event) throw refuse('bad_signature')
      if (event.trackerId) await receiveTrackerEvent(services, tracking, event.trackerId)
      return { received: true }
    })
  })
}
