import { type Deed, hear, isUnsure, noteWritten, type OpenOffer, type Scene } from './market.ts'

/* What happens before anybody pays: a request is changed, taken down and put back, and its price is haggled over. */

/** The request itself is no longer there to be changed, or nothing can be agreed on it any more. */
const NOT_OPEN = ['item_not_open']
/** Somebody came first. */
const ANSWERED = ['offer_not_pending']

/** What a request is about; a small sum needs a budget as small, since the least that can be offered is 1.00 otherwise. */
export const lampOf = (amount: number, title = 'Lamp') => ({
  title,
  description: 'Green',
  category: 'Other',
  location: 'Ipoh',
  maxBudget: amount < 100 ? amount / 100 : 0,
})

export const edit: Deed = async (scene) => {
  const { market, deal, random } = scene
  const title = `Lamp ${random.below(2 ** 31)}`
  const sentMs = performance.now()
  const answer = await market.call(
    deal.buyer,
    `PUT /api/wanted-items/${deal.itemId}`,
    lampOf(deal.firstAmount, title),
  )
  hear(scene, 'edit the request', answer, 'ok', 'item_fulfilled')
  noteWritten(scene, answer, { register: 'title', id: deal.itemId, value: title, sentMs })
}

const turn =
  (way: 'close' | 'reopen'): Deed =>
  async (scene) => {
    const { market, deal } = scene
    const sentMs = performance.now()
    const answer = await market.call(deal.buyer, `POST /api/wanted-items/${deal.itemId}/${way}`)
    hear(scene, `${way} the request`, answer, 'ok', 'item_fulfilled')
    const value = way === 'close' ? 'closed' : 'open'
    noteWritten(scene, answer, { register: 'item status', id: deal.itemId, value, sentMs })
  }

export const close = turn('close')
export const reopen = turn('reopen')

/** Another request of the buyer's, which nobody does anything about. */
export const post: Deed = async (scene) => {
  const { market, deal, promised } = scene
  const answer = await market.call(deal.buyer, 'POST /api/wanted-items', lampOf(deal.firstAmount))
  if (!hear(scene, 'post another request', answer, 'ok')) return
  promised.push({ what: 'posted', itemId: Number(answer.body.id), ownerId: deal.buyer.id })
}

const MOST_CENTS = 50_000_000

/** Each amount is another one. Below the least offer there is only one amount, and so only one offer. */
function anotherAmount({ deal }: Scene): number | null {
  const { firstAmount, proposals } = deal
  if (firstAmount < 100 && proposals > 0) return null
  deal.proposals++
  return firstAmount + (firstAmount > MOST_CENTS ? -proposals : proposals)
}

function keepOffer(scene: Scene, id: number, amount: number, by: OpenOffer['by']): void {
  scene.deal.offers.push({ id, amount, by })
  scene.promised.push({ what: 'offered', offerId: id, amount, by })
}

export const makeOffer: Deed = async (scene) => {
  const { market, deal, random } = scene
  const amount = anotherAmount(scene)
  if (amount === null) return
  const body = { wantedItemId: deal.itemId, receiverId: deal.buyer.id, amount }
  const answer = await market.call(deal.seller, 'POST /api/offers', {
    ...body,
    ...(random.chance(0.3) && { message: 'I have one' }),
  })
  if (hear(scene, 'offer', answer, 'ok', ...NOT_OPEN))
    keepOffer(scene, Number(answer.body.id), amount, 'seller')
}

/** The owner of a request offers nothing for it. */
export const offerOnOwn: Deed = async (scene) => {
  const { market, deal } = scene
  const body = { wantedItemId: deal.itemId, receiverId: deal.buyer.id, amount: deal.amount }
  hear(scene, 'offer on the own request', await market.call(deal.buyer, 'POST /api/offers', body), 'own_item')
}

export const counter: Deed = async (scene) => {
  const { market, deal } = scene
  const offer = some(scene, 'seller')
  const amount = offer && anotherAmount(scene)
  if (!amount) return
  const answer = await market.call(deal.buyer, `POST /api/offers/${offer.id}/counter`, { amount })
  const done = hear(scene, 'counter', answer, 'ok', ...ANSWERED, ...NOT_OPEN)
  if (done) keepOffer(scene, Number(answer.body.id), amount, 'buyer')
}

/** Offers are answered by whoever did not make them. */
const answererOf = ({ deal }: Scene, { by }: OpenOffer) => (by === 'seller' ? deal.buyer : deal.seller)
const proposerOf = ({ deal }: Scene, { by }: OpenOffer) => (by === 'seller' ? deal.seller : deal.buyer)

function some({ deal, random }: Scene, by?: OpenOffer['by']): OpenOffer | null {
  const offers = by ? deal.offers.filter((offer) => offer.by === by) : deal.offers
  return offers.length > 0 ? random.pick(offers) : null
}

export const accept: Deed = async (scene) => {
  const { market, deal, promised } = scene
  const offer = some(scene)
  if (!offer) return
  const answer = await market.call(answererOf(scene, offer), `PATCH /api/offers/${offer.id}/accept`)
  const done = hear(scene, 'accept', answer, 'ok', ...ANSWERED, ...NOT_OPEN)
  if (done) promised.push({ what: 'offer answered', offerId: offer.id, status: 'accepted' })
  // Whoever got no answer looks again, and goes on from what they see.
  if (done || (isUnsure(answer) && (await isAccepted(scene, offer.id)))) settleOn(deal, offer)
}

async function isAccepted({ market }: Scene, offerId: number): Promise<boolean> {
  const { rowCount } = await market.sql.query("select from offers where id = $1 and status = 'accepted'", [
    offerId,
  ])
  return rowCount === 1
}

/** Two offers may be accepted; it is the first that is paid. */
function settleOn(deal: Scene['deal'], { id, amount }: OpenOffer): void {
  if (deal.offerId !== null) return
  deal.offerId = id
  deal.amount = amount
}

const end =
  (way: 'reject' | 'withdraw'): Deed =>
  async (scene) => {
    const { market, promised } = scene
    const offer = some(scene)
    if (!offer) return
    const who = way === 'reject' ? answererOf(scene, offer) : proposerOf(scene, offer)
    const answer = await market.call(who, `PATCH /api/offers/${offer.id}/${way}`)
    if (!hear(scene, `${way} an offer`, answer, 'ok', ...ANSWERED)) return
    const status = way === 'reject' ? 'rejected' : 'withdrawn'
    promised.push({ what: 'offer answered', offerId: offer.id, status })
  }

export const reject = end('reject')
export const withdrawOffer = end('withdraw')

/** Nobody answers what they offered themselves, and nobody else learns of it. */
export const answerAsAnother: Deed = async (scene) => {
  const { market, deal, random } = scene
  const offer = some(scene)
  if (!offer) return
  const verb = random.pick(['accept', 'reject'])
  const [who, refused] = random.chance(0.5)
    ? [proposerOf(scene, offer), 'not_your_offer']
    : [deal.stranger, 'offer_not_found']
  const answer = await market.call(who, `PATCH /api/offers/${offer.id}/${verb}`)
  hear(scene, `${verb} another's offer`, answer, refused)
}
