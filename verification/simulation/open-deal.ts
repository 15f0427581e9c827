import { type Deal, type Market, outcomeOf } from './market.ts'
import { lampOf } from './offer-actions.ts'

export const AMOUNTS = [50, 51, 100, 999, 4_999, 12_000, 33_333, 49_999, 50_000, 123_457, 99_999_999]

export type Terms = Pick<Deal, 'buyer' | 'seller' | 'stranger' | 'admin' | 'amount'>

/** The buyer asks, and that is all so far. */
export async function ask(market: Market, terms: Terms): Promise<Deal> {
  const item = await market.call(terms.buyer, 'POST /api/wanted-items', lampOf(terms.amount))
  if (outcomeOf(item) !== 'ok') throw new Error(`no request: ${outcomeOf(item)}`)
  return {
    ...terms,
    itemId: Number(item.body.id),
    offers: [],
    firstAmount: terms.amount,
    proposals: 0,
    offerId: null,
    paymentId: null,
    secrets: [],
    charged: false,
    disputed: false,
    decidedBy: null,
  }
}

/** The buyer asks, the seller offers, the buyer accepts. */
export async function agree(market: Market, terms: Terms): Promise<Deal> {
  const deal = await ask(market, terms)
  const { buyer, seller, amount, itemId } = deal
  const body = { wantedItemId: itemId, receiverId: buyer.id, amount }
  const offer = await market.call(seller, 'POST /api/offers', body)
  const offerId = Number(offer.body.id)
  const accepted = await market.call(buyer, `PATCH /api/offers/${offerId}/accept`)
  const answers = [offer, accepted].map(outcomeOf)
  if (answers.some((answer) => answer !== 'ok')) throw new Error(`no deal: ${answers.join(', ')}`)
  return { ...deal, offers: [{ id: offerId, amount, by: 'seller' }], proposals: 1, offerId }
}
