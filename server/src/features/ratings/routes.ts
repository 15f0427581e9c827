import { submitRating } from '@sought/contract/payments'
import { on, type Route } from '../../platform/route.ts'
import type { Services } from '../../platform/services.ts'
import { ratePayment } from './actions.ts'

export function ratingRoutes({ database }: Services): Route[] {
  return [
    on(submitRating)(({ params, body, user }) =>
      database.transact((tx) => ratePayment(tx, params.id, body, user)),
    ),
  ]
}
