import { type Deal, type Market, outcomeOf } from './market.ts'

export const AMOUNTS = [50, 51, 100, 999, 4_999, 12_000, 33_333, 49_999, 50_000, 123_457, 99_999_999]

type Terms = Pick<Deal, 'buyer' | 'seller' | 'stranger' | 'admin' | 'amount'>

/** The buyer asks, the seller offers, the buyer accepts. */
export async function agree(market: Market, terms: Terms): Promise<Deal> {
  const { buyer, seller, amount } = terms
  // The least that can be offered is 1.00, or the whole of a smaller budget.
  const maxBudget = amount < 100 ? amount / 100 : 0
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget }
  const item = await market.call(buyer, 'POST /api/wanted-items', lamp)
  const itemId = Number(item.body.id)
  const offer = await market.call(seller, 'POST /api/offers', {
    wantedItemId: itemId,
    receiverId: buyer.id,
    amount,
  })
  const offerId = Number(offer.body.id)
  const accepted = await market.call(buyer, `PATCH /api/offers/${offerId}/accept`)
  const answers = [item, offer, accepted].map(outcomeOf)
  if (answers.some((answer) => answer !== 'ok')) throw new Error(`no deal: ${answers.join(', ')}`)
  return { ...terms, itemId, offerId, paymentId: null, secrets: [], charged: false, decidedBy: null }
}
