import * as calls from '@sought/contract/sellers'
import { createEncryption } from '../../../core/encryption.ts'
import { countProviderCall } from '../../../http/limits.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { listPayoutsOf, readBankStatus, saveBankDetails } from './actions.ts'
import { readConnectStatus, resetConnect, setUpConnect } from './connect.ts'

export function sellerRoutes(services: Services): Route[] {
  const { database, secrets, limits, clock } = services
  const encryption = createEncryption(secrets.dataKeys)
  return [
    on(calls.getBankStatus)(({ user }) => readBankStatus(database.read, encryption, user, clock())),

    on(calls.saveBankAccount)(({ body, user }) => saveBankDetails(database, encryption, body, user)),

    on(calls.getStripeConnectStatus)(async ({ user }) => {
      await countProviderCall(limits, user)
      return readConnectStatus(services, user)
    }),

    on(calls.setUpStripeConnect)(async ({ body, user }) => {
      await countProviderCall(limits, user)
      return setUpConnect(services, body, user)
    }),

    on(calls.resetStripeConnect)(async ({ user }) => {
      await limits.payoutResetsByAccount.count(user.id)
      return database.transact((tx) => resetConnect(tx, user))
    }),

    onPages(calls.listPayouts)(({ query, user }) => listPayoutsOf(database.read, user, query, clock())),
  ]
}
