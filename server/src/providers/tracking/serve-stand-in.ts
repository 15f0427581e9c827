import { isTrackingNumber, normalizeTrackingNumber, TRACKING_STATUSES } from '@sought/contract/carriers'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { refuse } from '../../core/errors.ts'
import type { StandIn } from './stand-in.ts'
import { SIGNATURE_HEADER, TRACKING_WEBHOOK_PATH } from './webhook-signature.ts'

const Step = z.object({ status: z.enum(TRACKING_STATUSES) })

/** Lets developers and tests change the status of a parcel. */
export function serveStandIn(app: FastifyInstance, standIn: StandIn): void {
  app.post<{ Params: { trackingNumber: string } }>('/dev/parcels/:trackingNumber', async (request) => {
    const number = normalizeTrackingNumber(request.params.trackingNumber)
    const step = Step.safeParse(request.body)
    if (!step.success) throw refuse('invalid', { issues: [{ path: 'status', message: 'Not a status' }] })
    const webhooks = isTrackingNumber(number) ? await standIn.move(number, step.data.status) : []
    if (webhooks.length === 0) throw refuse('not_found')
    for (const { raw, signature } of webhooks) {
      const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature }
      await app.inject({ method: 'POST', url: TRACKING_WEBHOOK_PATH, payload: raw, headers })
    }
    return { trackingNumber: number, status: step.data.status, parcels: webhooks.length }
  })
}
