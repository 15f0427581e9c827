import { someDelivery } from './delivery-actions.ts'
import {
  type Action,
  isUnknown,
  type KnownOffer,
  recordAnswer,
  recordWrite,
  type Schedule,
} from './market.ts'

/* Actions before a payment: editing, closing and reopening a request, and negotiating offers. */

export const NOT_OPEN = ['item_not_open', 'item_expired', 'item_reserved']
/** Why the owner cannot change a request. */
const FROZEN = ['item_reserved', 'item_fulfilled']
const ALREADY_ANSWERED = ['offer_not_pending']

/** The minimum offer is 1.00 unless the budget is smaller, so small amounts need a small budget. */
export const requestBody = (amount: number, title = 'Lamp') => ({
  title,
  description: 'Green',
  category: 'Other',
  location: 'Ipoh',
  maxBudget: amount < 100 ? amount / 100 : 0,
})

export const editRequest: Action = async (schedule) => {
  const { market, deal, random } = schedule
  const title = `Lamp ${random.below(2 ** 31)}`
  const sentMs = performance.now()
  const answer = await market.call(
    deal.buyer,
    `PUT /api/wanted-items/${deal.itemId}`,
    requestBody(deal.firstAmount, title),
  )
  recordAnswer(schedule, 'edit the request', answer, 'ok', ...FROZEN)
  recordWrite(schedule, answer, { field: 'title', id: deal.itemId, value: title, sentMs })
}

const setRequestStatus =
  (verb: 'close' | 'reopen'): Action =>
  async (schedule) => {
    const { market, deal } = schedule
    const sentMs = performance.now()
    const answer = await market.call(deal.buyer, `POST /api/wanted-items/${deal.itemId}/${verb}`)
    recordAnswer(schedule, `${verb} the request`, answer, 'ok', ...FROZEN)
    const value = verb === 'close' ? 'closed' : 'open'
    recordWrite(schedule, answer, { field: 'item status', id: deal.itemId, value, sentMs })
  }

export const closeRequest = setRequestStatus('close')
export const reopenRequest = setRequestStatus('reopen')

/** Another request of the buyer, without any offers. */
export const postRequest: Action = async (schedule) => {
  const { market, deal, acknowledged } = schedule
  const answer = await market.call(deal.buyer, 'POST /api/wanted-items', requestBody(deal.firstAmount))
  if (!recordAnswer(schedule, 'post another request', answer, 'ok')) return
  acknowledged.push({ what: 'posted', itemId: Number(answer.body.id), ownerId: deal.buyer.id })
}

const MOST_CENTS = 50_000_000

/** Every offer has its own amount. Below the minimum, only one amount is possible. */
function nextAmount({ deal }: Schedule): number | null {
  const { firstAmount, proposals } = deal
  if (firstAmount < 100 && proposals > 0) return null
  deal.proposals++
  return firstAmount + (firstAmount > MOST_CENTS ? -proposals : proposals)
}

function acknowledgeOffer(schedule: Schedule, id: number, amount: number, by: KnownOffer['by']): void {
  schedule.deal.offers.push({ id, amount, by })
  schedule.acknowledged.push({ what: 'offered', offerId: id, amount, by })
}

export const makeOffer: Action = async (schedule) => {
  const { market, deal, random } = schedule
  const amount = nextAmount(schedule)
  if (amount === null) return
  const body = { wantedItemId: deal.itemId, receiverId: deal.buyer.id, amount }
  const answer = await market.call(deal.seller, 'POST /api/offers', {
    ...body,
    ...(random.chance(0.3) && { message: 'I have one' }),
    ...someDelivery(schedule),
  })
  if (recordAnswer(schedule, 'offer', answer, 'ok', ...NOT_OPEN))
    acknowledgeOffer(schedule, Number(answer.body.id), amount, 'seller')
}

/** Owners cannot make offers on their own requests. */
export const offerOnOwnRequest: Action = async (schedule) => {
  const { market, deal } = schedule
  const body = { wantedItemId: deal.itemId, receiverId: deal.buyer.id, amount: deal.amount }
  recordAnswer(
    schedule,
    'offer on their own request',
    await market.call(deal.buyer, 'POST /api/offers', body),
    'own_item',
  )
}

export const counterOffer: Action = async (schedule) => {
  const { market, deal } = schedule
  const offer = pickOffer(schedule, 'seller')
  const amount = offer && nextAmount(schedule)
  if (!amount) return
  const answer = await market.call(deal.buyer, `POST /api/offers/${offer.id}/counter`, { amount })
  const done = recordAnswer(schedule, 'counter', answer, 'ok', ...ALREADY_ANSWERED, ...NOT_OPEN)
  if (done) acknowledgeOffer(schedule, Number(answer.body.id), amount, 'buyer')
}

/** An offer is answered by the party that did not make it. */
const answererOf = ({ deal }: Schedule, { by }: KnownOffer) => (by === 'seller' ? deal.buyer : deal.seller)
const proposerOf = ({ deal }: Schedule, { by }: KnownOffer) => (by === 'seller' ? deal.seller : deal.buyer)

function pickOffer({ deal, random }: Schedule, by?: KnownOffer['by']): KnownOffer | null {
  const offers = by ? deal.offers.filter((offer) => offer.by === by) : deal.offers
  return offers.length > 0 ? random.pick(offers) : null
}

export const acceptOffer: Action = async (schedule) => {
  const { market, deal, acknowledged } = schedule
  const offer = pickOffer(schedule)
  if (!offer) return
  const answer = await market.call(answererOf(schedule, offer), `PATCH /api/offers/${offer.id}/accept`)
  const done = recordAnswer(schedule, 'accept', answer, 'ok', ...ALREADY_ANSWERED, ...NOT_OPEN)
  if (done) acknowledged.push({ what: 'offer answered', offerId: offer.id, status: 'accepted' })
  // Without a reply, users reload the page and continue from what they see.
  if (done || (isUnknown(answer) && (await isAccepted(schedule, offer.id)))) setAccepted(deal, offer)
}

async function isAccepted({ market }: Schedule, offerId: number): Promise<boolean> {
  const { rowCount } = await market.sql.query("select from offers where id = $1 and status = 'accepted'", [
    offerId,
  ])
  return rowCount === 1
}

/** Several offers may be accepted; the first one is paid. */
function setAccepted(deal: Schedule['deal'], { id, amount }: KnownOffer): void {
  if (deal.offerId !== null) return
  deal.offerId = id
  deal.amount = amount
}

const endOffer =
  (verb: 'reject' | 'withdraw'): Action =>
  async (schedule) => {
    const { market, acknowledged } = schedule
    const offer = pickOffer(schedule)
    if (!offer) return
    const person = verb === 'reject' ? answererOf(schedule, offer) : proposerOf(schedule, offer)
    const answer = await market.call(person, `PATCH /api/offers/${offer.id}/${verb}`)
    if (!recordAnswer(schedule, `${verb} an offer`, answer, 'ok', ...ALREADY_ANSWERED)) return
    const status = verb === 'reject' ? 'rejected' : 'withdrawn'
    acknowledged.push({ what: 'offer answered', offerId: offer.id, status })
  }

export const rejectOffer = endOffer('reject')
export const withdrawOffer = endOffer('withdraw')

/** Nobody can answer their own offer, and strangers cannot see it. */
export const answerAsAnother: Action = async (schedule) => {
  const { market, deal, random } = schedule
  const offer = pickOffer(schedule)
  if (!offer) return
  const verb = random.pick(['accept', 'reject'])
  const [person, refused] = random.chance(0.5)
    ? [proposerOf(schedule, offer), 'not_your_offer']
    : [deal.stranger, 'offer_not_found']
  const answer = await market.call(person, `PATCH /api/offers/${offer.id}/${verb}`)
  recordAnswer(schedule, `${verb} another's offer`, answer, refused)
}
