import { proposeSettlement } from '@sought/contract/disputes'
import { counterOffer } from '@sought/contract/offers'
import type { Given, Posted, Terms } from '@sought/server/market-builder/given'
import { type RecordedDeal, recordDeal } from '@sought/server/market-builder/record-deal'
import type { Services } from '@sought/server/services'
import { PROPOSED_REFUND } from './payment-model.ts'

/* Races need hundreds of thousands of deals, so each state is made once, and then copied. */

const makes = {
  posted: (given, terms) => given.request(terms),
  offered: (given, terms) => given.offer(terms),
  async countered(given, terms) {
    const deal = await given.offer(terms)
    await deal.buyer.send(counterOffer, { params: { id: deal.offerId }, body: { amount: 9_000 } })
    return deal
  },
  agreed: (given, terms) => given.agreement(terms),
  'checkout open': (given, terms) => given.checkout(terms),
  held: (given, terms) => given.heldPayment(terms),
  shipped: (given, terms) => given.parcel(terms),
  disputed: (given, terms) => given.dispute(terms),
  /** The seller has proposed a refund. */
  async proposed(given, terms) {
    const deal = await given.dispute(terms)
    const params = { paymentId: deal.paymentId }
    await deal.seller.send(proposeSettlement, { params, body: { refundAmount: PROPOSED_REFUND } })
    return deal
  },
  completed: (given, terms) => given.completedDeal(terms),
} as const satisfies Record<string, (given: Given, terms: Terms) => Promise<Posted>>

export type DealState = keyof typeof makes

const recordings = new Map<string, Promise<RecordedDeal>>()

/** A deal in this state, to be copied. */
export async function recordedDeal(
  services: Services,
  state: DealState,
  terms: Pick<Terms, 'delivery' | 'shipWithinDays'> = {},
): Promise<RecordedDeal> {
  const key = JSON.stringify([state, terms])
  const make = makes[state]
  const recorded =
    recordings.get(key) ?? recordDeal(services, (given, cast) => make(given, { ...terms, ...cast }))
  recordings.set(key, recorded)
  return recorded
}
