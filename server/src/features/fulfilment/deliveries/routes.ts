import * as calls from '@sought/contract/deliveries'
import type { FastifyInstance } from 'fastify'
import { createEncryption } from '../../../core/encryption.ts'
import { countProviderCall } from '../../../http/limits.ts'
import { on, type Route } from '../../../http/route.ts'
import { sendPrivateFile } from '../../../http/serve-files.ts'
import type { User } from '../../../http/session.ts'
import { serveSignedWebhook } from '../../../http/signed-webhook.ts'
import { SIGNATURE_HEADER, TRACKING_WEBHOOK_PATH } from '../../../providers/tracking/webhook-signature.ts'
import type { Services } from '../../../services.ts'
import { cancel, deliver, findReadableParcelFile, readDetails, ship } from './actions.ts'
import { checkAndHandOver } from './hand-over.ts'
import { receiveTrackerEvent } from './track-parcels.ts'

export function deliveryRoutes(services: Services): Route[] {
  const { config, database, files, secrets, clock, limits } = services
  const encryption = createEncryption(secrets.dataKeys)
  const detailsOf = (id: number, user: User) => readDetails(database.read, encryption, id, user, clock())
  return [
    on(calls.shipItem)(async ({ params, fields, file, user }) => {
      await ship(services, params.id, fields, file, user)
      return detailsOf(params.id, user)
    }),

    on(calls.markDelivered)(async ({ params, file, user }) => {
      await deliver(services, params.id, file, user)
      return detailsOf(params.id, user)
    }),

    on(calls.handOver)(async ({ params, body, user }) => {
      await countProviderCall(limits, user, params.id)
      await checkAndHandOver(services, encryption, params.id, body.code, user)
      return detailsOf(params.id, user)
    }),

    on(calls.cancelPayment)(async ({ params, body, user }) => {
      await database.transact((tx) => cancel(tx, params.id, body, user))
      return detailsOf(params.id, user)
    }),

    on(calls.getParcelFile)(async ({ params, user, reply }) => {
      const file = await database.transact((tx) => findReadableParcelFile(tx, config, params, user))
      return sendPrivateFile(reply, files, file, 'payment_not_found')
    }),
  ]
}

const WEBHOOK = { path: TRACKING_WEBHOOK_PATH, header: SIGNATURE_HEADER }

export const serveTrackingWebhook = (app: FastifyInstance, services: Services): Promise<void> =>
  serveSignedWebhook(app, WEBHOOK, async (body, signature) => {
    const { tracking } = services
    const event = tracking?.parseWebhook(body, signature)
    if (!tracking || !event) return 'bad_signature'
    if (event.trackerId) await receiveTrackerEvent(services, tracking, event.trackerId)
    return 'received'
  })
