import * as calls from '@sought/contract/payments'
import { lookUpBankDetails, markPayoutPaid } from '@sought/contract/payouts'
import { dismissProviderEvent } from '@sought/contract/reconciliation'
import { listStuckRefunds, markRefundPaid, retryRefund } from '@sought/contract/refunds'
import type { FastifyInstance } from 'fastify'
import { createEncryption } from '../../../core/encryption.ts'
import { countProviderCall } from '../../../http/limits.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import { serveSignedWebhook } from '../../../http/signed-webhook.ts'
import type { Services } from '../../../services.ts'
import * as actions from './actions.ts'
import { dismissEvent, receiveEvent } from './provider-events.ts'
import { readDetails } from './read-details.ts'
import { refundAsSeller, refundAsTeam } from './refund-released.ts'
import { startPayment } from './start-payment.ts'
import { payRefundManually, readStuckRefunds, retryStuckRefund } from './stuck-refunds.ts'
import { lookUpBankIfClear, markPaidIfClear } from './sync-payment.ts'
import { stopWaiting } from './waiting-payments.ts'

export function paymentRoutes(services: Services): Route[] {
  const { clock, secrets, limits } = services
  const { read } = services.database
  const encryption = createEncryption(secrets.dataKeys)
  return [
    on(calls.createPaymentIntent)(async ({ body, user }) => {
      await countProviderCall(limits, user, `request ${body.itemId}`)
      return startPayment(services, encryption, body, user)
    }),

    on(calls.createEscrowPayment)(async ({ body, user }) => {
      await countProviderCall(limits, user, `request ${body.itemId}`)
      return startPayment(services, encryption, body, user)
    }),

    onPages(calls.listPayments)(
      ({ query, user }) => actions.readPayments(read, user, query),
      ({ payments }) => payments.id,
    ),

    on(calls.getPayment)(({ params, user }) => readDetails(read, encryption, params.id, user, clock())),

    on(calls.getPaymentSummary)(({ params, user }) =>
      actions.readPaymentSummary(read, params.paymentId, user),
    ),

    on(calls.submitPayment)(async ({ params, user }) => {
      await countProviderCall(limits, user, params.id)
      return actions.syncSubmission(services, params.id, user)
    }),

    on(calls.stopWaiting)(async ({ params, user }) => {
      await countProviderCall(limits, user, params.id)
      return stopWaiting(services, params.id, user)
    }),

    on(calls.confirmDelivery)(async ({ params, user }) => {
      await countProviderCall(limits, user, params.id)
      return actions.checkAndConfirm(services, params.id, user)
    }),

    on(calls.confirmDeliveryManually)(async ({ params, user }) => {
      await countProviderCall(limits, user, params.id)
      return actions.syncAndConfirm(services, params.id, user)
    }),

    on(calls.refundBuyer)(async ({ params, body, user }) => {
      await countProviderCall(limits, user, params.id)
      return refundAsSeller(services, params.id, body, user)
    }),

    on(calls.refundDeal)(({ params, body, user }) => refundAsTeam(services, params.id, body, user)),

    onPages(listStuckRefunds)(
      ({ query }) => readStuckRefunds(read, query),
      ({ paymentId }) => paymentId,
    ),

    on(retryRefund)(({ params, user }) => retryStuckRefund(services, params.paymentId, user)),

    on(markRefundPaid)(({ params, body, user }) =>
      payRefundManually(services, params.paymentId, body.reference, user),
    ),

    on(dismissProviderEvent)(({ params, user }) => dismissEvent(services, params.id, user)),

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
    if (!cards || !event) return 'bad_signature'
    if (event === 'no event') return 'malformed'
    await receiveEvent(services, cards, event)
    return 'received'
  })
