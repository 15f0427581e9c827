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
import { addNextPageLink } from '../../platform/next-page-link.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import {
  checkAndConfirm,
  readPayment,
  readPaymentSummary,
  readPayments,
  syncAndConfirm,
  syncSubmission,
} from './actions.ts'
import { startPayment } from './start-payment.ts'
import { payRefundManually, readStuckRefunds, retryStuckRefund } from './stuck-refunds.ts'

export function paymentRoutes(services: Services): Route[] {
  const { read } = services.database
  return [
    on(createPaymentIntent)(({ body, user }) => startPayment(services, body, user)),

    on(createEscrowPayment)(({ body, user }) => startPayment(services, body, user)),

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

    on(getPayment)(({ params, user }) => readPayment(read, params.id, user)),

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
  ]
}
