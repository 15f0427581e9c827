import {
  getBankStatus,
  getStripeConnectStatus,
  listPayouts,
  resetStripeConnect,
  saveBankAccount,
  setUpStripeConnect,
} from '@sought/contract/sellers'
import { createEncryption } from '../../../core/encryption.ts'
import { countProviderCall } from '../../../http/limits.ts'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { listPayoutsOf, readBankStatus, saveBankDetails } from './actions.ts'
import { readConnectStatus, resetConnect, setUpConnect } from './connect.ts'

export function sellerRoutes(services: Services): Route[] {
  const { database, secrets, limits, clock } = services
  const encryption = createEncryption(secrets.dataKey)
  return [
    on(getBankStatus)(({ user }) => readBankStatus(database.read, encryption, user, clock())),

    on(saveBankAccount)(({ body, user }) => saveBankDetails(database, encryption, body, user)),

    on(getStripeConnectStatus)(async ({ user }) => {
      await countProviderCall(limits, user)
      return readConnectStatus(services, user)
    }),

    on(setUpStripeConnect)(async ({ body, user }) => {
      await countProviderCall(limits, user)
      return setUpConnect(services, body, user)
    }),

    on(resetStripeConnect)(async ({ user }) => {
      await limits.payoutResetsByAccount.count(user.id)
      return database.transact((tx) => resetConnect(tx, user))
    }),

    on(listPayouts)(async ({ query, user, reply }) => {
      const payouts = await listPayoutsOf(database.read, user, query, clock())
      addNextPageLink(reply, listPayouts, { ...query, paymentIds: query.paymentIds?.join() }, payouts)
      return payouts
    }),
  ]
}
