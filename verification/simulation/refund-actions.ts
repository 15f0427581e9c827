import { type Action, type Person, recordAnswer, type Schedule } from './market.ts'

/* Refunds after the release, and the debts that they and chargebacks leave. */

const REFUSED = [
  'payment_wrong_state',
  'refund_out_of_range',
  'refund_under_way',
  'payout_under_way',
  'bank_decides',
  'provider_failed',
]

/** A part of the price, or all of it. */
async function refund({ market, deal, random }: Schedule, who: Person, path: string, paymentId: number) {
  const amount = random.chance(0.3) ? deal.amount : 1 + random.below(deal.amount)
  const body = { amount, reason: 'A part is missing' }
  return { amount, answer: await market.call(who, `POST ${path}/payments/${paymentId}/refund`, body) }
}

const refundAs =
  (role: 'seller' | 'admin', path: string): Action =>
  async (schedule) => {
    const { deal, acknowledged } = schedule
    const { paymentId } = deal
    if (paymentId === null) return
    const { answer, amount } = await refund(schedule, deal[role], path, paymentId)
    if (recordAnswer(schedule, `refund as the ${role}`, answer, 'ok', ...REFUSED))
      acknowledged.push({ what: 'refunded later', paymentId, cents: amount })
  }

export const refundAsSeller = refundAs('seller', '/api')
export const refundAsAdmin = refundAs('admin', '/api/admin')

/** Only the seller and the team may refund. */
export const refundAsAnother: Action = async (schedule) => {
  const { deal, random } = schedule
  if (deal.paymentId === null) return
  const [who, path, refused] = random.pick([
    [deal.buyer, '/api', 'not_the_seller'],
    [deal.stranger, '/api', 'payment_not_found'],
    [deal.seller, '/api/admin', 'not_admin'],
  ] as const)
  const { answer } = await refund(schedule, who, path, deal.paymentId)
  recordAnswer(schedule, 'refund without permission', answer, refused)
}

/** The team gives up what the seller owes. */
export const waiveDebt: Action = async (schedule) => {
  const { market, deal, random, acknowledged } = schedule
  const { rows } = await market.sql.query<{ id: number }>('select id from debts where user_id = $1', [
    deal.seller.id,
  ])
  if (rows.length === 0) return
  const { id } = random.pick(rows)
  const answer = await market.call(deal.admin, `POST /api/admin/debts/${id}/waive`, { reason: 'Our mistake' })
  if (recordAnswer(schedule, 'waive a debt', answer, 'ok', 'debt_settled'))
    acknowledged.push({ what: 'waived', debtId: id })
}
