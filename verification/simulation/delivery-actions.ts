import { type Action, outcomeOf, recordAnswer, type Schedule } from './market.ts'

/* The parties' reports about the item, and cancellations. */

export const deliveryAddress = {
  name: 'Simulated Buyer',
  line1: '100 Bush Street',
  city: 'San Francisco',
  region: 'CA',
  postalCode: '94104',
  country: 'US',
}

/** The terms of an offer. Most deals are arranged, so that the actions of other kinds stay likely. */
export const someDelivery = ({ random }: Schedule): object =>
  random.pick([
    {},
    {},
    { delivery: 'shipping', shipWithinDays: 1 + random.below(14) },
    { delivery: 'in_person' },
  ])

const report = async (
  schedule: Schedule,
  action: string,
  verb: string,
  body: object,
  ...refused: string[]
): Promise<boolean> => {
  const { market, deal, random } = schedule
  if (deal.paymentId === null) return false
  const path = `POST /api/payments/${deal.paymentId}/${verb}`
  if (random.chance(0.1)) {
    const answer = await market.call(deal.stranger, path, body)
    recordAnswer(schedule, `${action} by a stranger`, answer, 'payment_not_found')
    return false
  }
  const answer = await market.call(deal.seller, path, body)
  return recordAnswer(schedule, action, answer, 'ok', 'payment_not_paid', ...refused)
}

export const shipItem: Action = async (schedule) => {
  const { random } = schedule
  const parcel = random.chance(0.7) ? { trackingNumber: `PARCEL${random.below(1000)}` } : {}
  const carrier = random.pick(['ups', 'dhl', 'other'])
  await report(schedule, 'ship', 'ship', { carrier, ...parcel }, 'not_shippable')
}

/** Refused as invalid if there is neither a number nor a file. */
export const reportDelivery: Action = async (schedule) => {
  await report(schedule, 'report the delivery', 'delivered', {}, 'payment_wrong_state', 'invalid')
}

/** Enters the code that the buyer shows, or another one. */
export const handOver: Action = async (schedule) => {
  const { market, deal, random, acknowledged } = schedule
  const { paymentId } = deal
  if (paymentId === null) return
  const shown = random.chance(0.7) ? await market.call(deal.buyer, `GET /api/payments/${paymentId}`) : null
  const isShown = shown !== null && outcomeOf(shown) === 'ok' && typeof shown.body.handoverCode === 'string'
  const code = isShown ? String(shown.body.handoverCode) : String(random.below(1_000_000)).padStart(6, '0')
  const refused = [
    'payment_wrong_state',
    'payment_needs_check',
    'handover_code_wrong',
    'handover_locked',
    'provider_failed',
  ]
  if (await report(schedule, 'hand over', 'handover', { code }, ...refused))
    acknowledged.push({ what: 'confirmed', paymentId })
}

export const cancelAsSeller: Action = async (schedule) => {
  const { deal, acknowledged } = schedule
  const { paymentId } = deal
  if (paymentId === null) return
  if (await report(schedule, 'cancel', 'cancel', { reason: 'Sold' }, 'not_cancellable'))
    acknowledged.push({ what: 'cancelled', paymentId })
}

/** Only asks the seller, unless the seller is late. */
export const cancelAsBuyer: Action = async (schedule) => {
  const { market, deal, acknowledged } = schedule
  const { paymentId } = deal
  if (paymentId === null) return
  const answer = await market.call(deal.buyer, `POST /api/payments/${paymentId}/cancel`, {
    reason: 'Too late',
  })
  const refused = ['payment_not_paid', 'not_cancellable']
  const isDone = recordAnswer(schedule, 'cancel as the buyer', answer, 'ok', ...refused)
  if (isDone && answer.body.status === 'refunded') acknowledged.push({ what: 'cancelled', paymentId })
}

/** The shipping time ended long ago: its end is set to the past instead of waiting. */
export const missShipping: Action = async ({ market, deal, log }) => {
  const { rowCount } = await market.sql.query(
    `update payments set ship_by = $1::timestamptz - interval '8 days'
     where id = $2 and status = 'held_in_escrow' and ship_by is not null`,
    [market.now(), deal.paymentId],
  )
  if (rowCount) log.push('the time to ship is over')
  market.counters.count('time to ship', rowCount ? 'over' : 'none')
}
