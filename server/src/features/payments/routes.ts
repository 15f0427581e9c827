import {
  confirmDelivery,
  confirmDeliveryManually,
  createEscrowPayment,
  createPaymentIntent,
  getPayment,
  getPaymentSummary,
  listPayments,
} from '@sought/contract/payments'
import {
  listManualPayouts,
  lookUpBankDetails,
  markPayoutPaid,
  undoManualPayout,
} from '@sought/contract/payouts'
import { createEncryption } from '../../platform/encryption.ts'
import { nextPage } from '../../platform/next-page.ts'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { confirm, confirmManually, paymentOf, paymentsOf, summaryOf } from './actions.ts'
import { lookUp, manualPayouts, markPaid, undoPaid } from './manual-payouts.ts'
import { startPayment } from './start-payment.ts'

export function paymentRoutes(services: Services): Route[] {
  const { database, secrets } = services
  const { read, transact } = database
  const encryption = createEncryption(secrets.dataKey)
  return [
    on(createPaymentIntent)(({ body, user }) => startPayment(services, body, user)),

    on(createEscrowPayment)(({ body, user }) => startPayment(services, body, user)),

    on(listPayments)(async ({ query, user, reply }) => {
      const found = await paymentsOf(read, user, query)
      nextPage(
        reply,
        listPayments,
        query,
        found.map(({ payments }) => payments),
      )
      return found
    }),

    on(getPayment)(({ params, user }) => paymentOf(read, params.id, user)),

    on(getPaymentSummary)(({ params, user }) => summaryOf(read, params.paymentId, user)),

    on(confirmDelivery)(({ params, user }) => transact((tx) => confirm(tx, params.id, user))),

    on(confirmDeliveryManually)(({ params, user }) => confirmManually(services, params.id, user)),

    on(listManualPayouts)(async ({ query, reply }) => {
      const found = await manualPayouts(read, encryption, query)
      nextPage(reply, listManualPayouts, query, found)
      return found
    }),

    on(lookUpBankDetails)(({ params, user }) => lookUp(database, encryption, params.id, user)),

    on(markPayoutPaid)(({ params, body, user }) =>
      markPaid(database, encryption, params.id, body.reference, user),
    ),

    on(undoManualPayout)(({ params, user }) => undoPaid(database, encryption, params.id, user)),
  ]
}
