import * as calls from '@sought/contract/offers'
import { createEncryption } from '../../../core/encryption.ts'
import { countAttempt } from '../../../http/limits.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import * as actions from './actions.ts'
import { countFirstContact } from './first-contacts.ts'

export function offerRoutes(services: Services): Route[] {
  const { database, limits, clock, config, secrets } = services
  const encryption = createEncryption(secrets.dataKeys)
  const { settingDefaults } = config
  const { read, transact } = database
  return [
    onPages(calls.listOffers)(({ query, user }) => actions.offersOf(read, user, query)),

    on(calls.listReceivedOffers)(({ params, query, user }) =>
      actions.receivedOffers(read, params.id, user, clock(), query.limit),
    ),

    onPages(calls.listOwnOffers)(
      ({ query, user }) => actions.ownOffersOf(read, user, clock(), query),
      ({ rank }) => rank,
    ),

    on(calls.makeOffer)(async ({ body, user, request }) => {
      await countAttempt(limits, 'offers', user, request)
      await countFirstContact(services, body.wantedItemId, user, request)
      return transact((tx) => actions.makeOffer(tx, encryption, body, user, settingDefaults))
    }),

    on(calls.acceptOffer)(({ params, user }) =>
      transact((tx) => actions.acceptOffer(tx, params.id, user, settingDefaults)),
    ),

    on(calls.rejectOffer)(({ params, user }) => transact((tx) => actions.rejectOffer(tx, params.id, user))),

    on(calls.withdrawOffer)(({ params, user }) =>
      transact((tx) => actions.withdrawOffer(tx, params.id, user)),
    ),

    on(calls.keepOffer)(({ params, body, user }) =>
      transact((tx) => actions.keepOffer(tx, params.id, body.requestVersion, user)),
    ),

    on(calls.counterOffer)(async ({ params, body, user, request }) => {
      await countAttempt(limits, 'offers', user, request)
      return transact((tx) => actions.counterOffer(tx, params.id, body, user, settingDefaults))
    }),
  ]
}
