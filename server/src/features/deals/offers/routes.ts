import {
  acceptOffer as acceptOfferCall,
  counterOffer as counterOfferCall,
  keepOffer as keepOfferCall,
  listOffers,
  listOwnOffers,
  listReceivedOffers,
  makeOffer as makeOfferCall,
  rejectOffer as rejectOfferCall,
  withdrawOffer as withdrawOfferCall,
} from '@sought/contract/offers'
import { countAttempt } from '../../../http/limits.ts'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import {
  acceptOffer,
  counterOffer,
  keepOffer,
  makeOffer,
  offersOf,
  ownOffersOf,
  receivedOffers,
  rejectOffer,
  withdrawOffer,
} from './actions.ts'
import { countFirstContact } from './first-contacts.ts'

export function offerRoutes(services: Services): Route[] {
  const { database, limits, clock } = services
  const { read, transact } = database
  return [
    on(listOffers)(async ({ query, user, reply }) => {
      const found = await offersOf(read, user, query)
      addNextPageLink(reply, listOffers, query, found)
      return found
    }),

    on(listReceivedOffers)(({ params, query, user }) =>
      receivedOffers(read, params.id, user, clock(), query.limit),
    ),

    on(listOwnOffers)(async ({ query, user, reply }) => {
      const found = await ownOffersOf(read, user, clock(), query)
      const ranks = found.map(({ rank }) => ({ id: rank }))
      addNextPageLink(reply, listOwnOffers, query, ranks)
      return found
    }),

    on(makeOfferCall)(async ({ body, user, request }) => {
      await countAttempt(limits, 'offers', user, request)
      await countFirstContact(services, body.wantedItemId, user, request)
      return transact((tx) => makeOffer(tx, body, user))
    }),

    on(acceptOfferCall)(({ params, user }) => transact((tx) => acceptOffer(tx, params.id, user))),

    on(rejectOfferCall)(({ params, user }) => transact((tx) => rejectOffer(tx, params.id, user))),

    on(withdrawOfferCall)(({ params, user }) => transact((tx) => withdrawOffer(tx, params.id, user))),

    on(keepOfferCall)(({ params, body, user }) =>
      transact((tx) => keepOffer(tx, params.id, body.requestVersion, user)),
    ),

    on(counterOfferCall)(async ({ params, body, user, request }) => {
      await countAttempt(limits, 'offers', user, request)
      return transact((tx) => counterOffer(tx, params.id, body, user))
    }),
  ]
}
