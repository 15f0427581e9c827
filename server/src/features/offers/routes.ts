import { listOffers } from '@sought/contract/offers'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { offersOf } from './actions.ts'

export function offerRoutes({ database }: Services): Route[] {
  return [on(listOffers)(({ user }) => offersOf(database.read, user))]
}
