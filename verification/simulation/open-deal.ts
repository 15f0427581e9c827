import type { MarketSettings } from '@sought/contract/market-settings'
import { PAYMENT_METHODS } from '@sought/escrow/payment-methods'
import { type Deal, type Market, outcomeOf } from './market.ts'
import { requestBody } from './offer-actions.ts'

/** For these amounts and all payment methods. */
export const SETTINGS: Partial<MarketSettings> = { maxOfferCents: null, paymentMethods: [...PAYMENT_METHODS] }
export const AMOUNTS = [50, 51, 100, 999, 4_999, 12_000, 33_333, 49_999, 50_000, 123_457, 99_999_999]

export type Terms = Pick<Deal, 'buyer' | 'seller' | 'stranger' | 'admin' | 'amount' | 'currency'>

/** The buyer posts a request. */
export async function postRequest(market: Market, terms: Terms): Promise<Deal> {
  const item = await market.call(terms.buyer, 'POST /api/wanted-items', requestBody(terms.amount))
  if (outcomeOf(item) !== 'ok') throw new Error(`the request was not posted: ${outcomeOf(item)}`)
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
    refunded: false,
    disputed: false,
  }
}

/** The buyer posts a request, the seller makes an offer, the buyer accepts it. */
export async function agreeOnOffer(market: Market, terms: Terms): Promise<Deal> {
  const deal = await postRequest(market, terms)
  const { buyer, seller, amount, itemId } = deal
  const body = { wantedItemId: itemId, receiverId: buyer.id, amount }
  const offer = await market.call(seller, 'POST /api/offers', body)
  const offerId = Number(offer.body.id)
  const accepted = await market.call(buyer, `PATCH /api/offers/${offerId}/accept`)
  const answers = [offer, accepted].map(outcomeOf)
  if (answers.some((answer) => answer !== 'ok'))
    throw new Error(`the deal was not made: ${answers.join(', ')}`)
  return { ...deal, offers: [{ id: offerId, amount, by: 'seller' }], proposals: 1, offerId }
}
