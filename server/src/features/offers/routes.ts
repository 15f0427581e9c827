import {
  acceptOffer as acceptOfferCall,
  counterOffer as counterOfferCall,
  listOffers,
  makeOffer as makeOfferCall,
  rejectOffer as rejectOfferCall,
  withdrawOffer as withdrawOfferCall,
} from '@sought/contract/offers'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { acceptOffer, counterOffer, makeOffer, offersOf, rejectOffer, withdrawOffer } from './actions.ts'

export function offerRoutes({ database }: Services): Route[] {
  const { read, transact } = database
  return [
    on(listOffers)(({ user }) => offersOf(read, user)),

    on(makeOfferCall)(({ body, user }) => transact((tx) => makeOffer(tx, body, user))),

    on(acceptOfferCall)(({ params, user }) => transact((tx) => acceptOffer(tx, params.id, user))),

    on(rejectOfferCall)(({ params, user }) => transact((tx) => rejectOffer(tx, params.id, user))),

    on(withdrawOfferCall)(({ params, user }) => transact((tx) => withdrawOffer(tx, params.id, user))),

    on(counterOfferCall)(({ params, body, user }) =>
      transact((tx) => counterOffer(tx, params.id, body, user)),
    ),
  ]
}
