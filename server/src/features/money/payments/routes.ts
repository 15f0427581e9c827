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
import { lookUpBankDetails, markPayoutPaid } from '@sought/contract/payouts'
import { listStuckRefunds, markRefundPaid, retryRefund } from '@sought/contract/refunds'
import type { FastifyInstance } from 'fastify'
import { createEncryption } from '../../../core/encryption.ts'
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
import { lookUpBankIfClear, markPaidIfClear } from './sync-payment.ts'

export function paymentRoutes(services: Services): Route[] {
  const { clock, secrets } = services
  const { read } = services.database
  const encryption = createEncryption(secrets.dataKey)
  return [
    on(createPaymentIntent)(({ body, user }) => startPayment(services, encryption, body, user)),

    on(createEscrowPayment)(({ body, user }) => startPayment(services, encryption, body, user)),

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

    on(submitPayment)(({ params, user }) => syncSubmission(services, params.id, user)),

    on(confirmDelivery)(({ params, user }) => checkAndConfirm(services, params.id, user)),

    on(confirmDeliveryManually)(({ params, user }) => syncAndConfirm(services, params.id, user)),

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

    on(lookUpBankDetails)(({ params, user }) => lookUpBankIfClear(services, encryption, params.id, user)),

    on(markPayoutPaid)(({ params, body, user }) =>
      markPaidIfClear(services, encryption, params.id, body.reference, user),
    ),
  ]
}

const WEBHOOK = { path: '/api/stripe/webhook', header: 'stripe-signature' }

export const servePaymentWebhook = (app: FastifyInstance, services: Services): Promise<void> =>
  serveSignedWebhook(app, WEBHOOK, async (body, signature) => {
    const { cards } = services
    const event = cards?.readEvent(body, signature)
    if (!cards || !event) return false
    await receiveEvent(services, cards, event)
    return true
  })
