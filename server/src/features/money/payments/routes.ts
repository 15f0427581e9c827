import {
  confirmDelivery,
  confirmDeliveryManually,
  createEscrowPayment,
  createPaymentIntent,
  getPayment,
  getPaymentSummary,
  listPayments,
  submitPayment,
} from '@sought/contract/payments'
import { listStuckRefunds, markRefundPaid, retryRefund } from '@sought/contract/refunds'
import type { FastifyInstance } from 'fastify'
import { createEncryption } from '../../../core/encryption.ts'
import { countProviderCall } from '../../../http/limits.ts'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import { serveSignedWebhook } from '../../../http/signed-webhook.ts'
import type { Services } from '../../../services.ts'
import {
  checkAndConfirm,
  readPaymentSummary,
  readPayments,
  syncAndConfirm,
  syncSubmission,
} from './actions.ts'
import { receiveEvent } from './provider-events.ts'
import { readDetails } from './read-details.ts'
import { startPayment } from './start-payment.ts'
import { payRefundManually, readStuckRefunds, retryStuckRefund } from './stuck-refunds.ts'

export function paymentRoutes(services: Services): Route[] {
  const { clock, secrets, limits } = services
  const { read } = services.database
  const encryption = createEncryption(secrets.dataKey)
  return [
    on(createPaymentIntent)(async ({ body, user }) => {
      await countProviderCall(limits, user, `request ${body.itemId}`)
      return startPayment(services, encryption, body, user)
    }),

    on(createEscrowPayment)(async ({ body, user }) => {
      await countProviderCall(limits, user, `request ${body.itemId}`)
      return startPayment(services, encryption, body, user)
    }),

    on(listPayments)(async ({ query, user, reply }) => {
      const found = await readPayments(read, user, query)
      addNextPageLink(
        reply,
        listPayments,
        query,
        found.map(({ payments }) => payments),
      )
      return found
    }),

    on(getPayment)(({ params, user }) => readDetails(read, encryption, params.id, user, clock())),

    on(getPaymentSummary)(({ params, user }) => readPaymentSummary(read, params.paymentId, user)),

    on(submitPayment)(async ({ params, user }) => {
      await countProviderCall(limits, user, params.id)
      return syncSubmission(services, params.id, user)
    }),

    on(confirmDelivery)(async ({ params, user }) => {
      await countProviderCall(limits, user, params.id)
      return checkAndConfirm(services, params.id, user)
    }),

    on(confirmDeliveryManually)(async ({ params, user }) => {
      await countProviderCall(limits, user, params.id)
      return syncAndConfirm(services, params.id, user)
    }),

    on(listStuckRefunds)(async ({ query, reply }) => {
      const found = await readStuckRefunds(read, query)
      addNextPageLink(
        reply,
        listStuckRefunds,
        query,
        found.map(({ paymentId }) => ({ id: paymentId })),
      )
      return found
    }),

    on(retryRefund)(({ params, user }) => retryStuckRefund(services, params.paymentId, user)),

    on(markRefundPaid)(({ params, body, user }) =>
      payRefundManually(services, params.paymentId, body.reference, user),
    ),
  ]
}

const WEBHOOK = { path: '/api/stripe/webhook', header: 'stripe-signature' }

export const servePaymentWebhook = (app: FastifyInstance, services: Services): Promise<void> =>
  serveSignedWebhook(app, WEBHOOK, async (body, signature) => {
    const { cards } = services
    const event = cards?.readEvent(body, signature)
    if (!cards || !event) return 'bad_signature'
    if (event === 'no event') return 'malformed'
    await receiveEvent(services, cards, event)
    return 'received'
  })
