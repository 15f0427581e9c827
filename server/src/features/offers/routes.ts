import {
  acceptOffer,
  counterOffer,
  listOffers,
  makeOffer,
  rejectOffer,
  withdrawOffer,
} from '@sought/contract/offers'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { accept, counter, make, offersOf, reject, withdraw } from './actions.ts'

export function offerRoutes({ database }: Services): Route[] {
  const { read, transact } = database
  return [
    on(listOffers)(({ user }) => offersOf(read, user)),

    on(makeOffer)(({ body, user }) => transact((tx) => make(tx, body, user))),

    on(acceptOffer)(({ params, user }) => transact((tx) => accept(tx, params.id, user))),

    on(rejectOffer)(({ params, user }) => transact((tx) => reject(tx, params.id, user))),

    on(withdrawOffer)(({ params, user }) => transact((tx) => withdraw(tx, params.id, user))),

    on(counterOffer)(({ params, body, user }) => transact((tx) => counter(tx, params.id, body, user))),
  ]
}
