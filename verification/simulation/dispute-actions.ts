import {
  type Action,
  type Deal,
  isUnknown,
  type Person,
  recordAnswer,
  recordWrite,
  type Schedule,
} from './market.ts'

/* Everything about disputes except chargebacks, and manual payouts. */

/** A bank may decide in the meantime. Calls that move money first ask the provider, which may fail. */
const NO_DISPUTE = ['dispute_not_found', 'dispute_resolved', 'bank_decides', 'provider_failed']

/** The resulting status of each decision, and the refund for an amount. */
const rulings = {
  refund_full: { status: 'resolved_buyer', refundOf: (amount: number) => amount },
  release_seller: { status: 'resolved_seller', refundOf: () => 0 },
  split_difference: { status: 'resolved_partial', refundOf: (amount: number) => Math.ceil(amount / 2) },
  refund_partial: { status: 'resolved_partial', refundOf: (amount: number) => Math.floor(amount / 3) },
} as const

const DECISIONS = ['refund_full', 'release_seller', 'split_difference', 'refund_partial'] as const
const INTERIM = ['under_review', 'request_more_info'] as const

/** An admin decides, or asks for more information. */
export const decideDispute: Action = async (schedule) => {
  const { market, deal, random, acknowledged } = schedule
  const { paymentId, amount } = deal
  if (paymentId === null) return
  const action = random.pick([...DECISIONS, ...INTERIM])
  const ruling = action in rulings ? rulings[action as keyof typeof rulings] : null
  const refundCents = ruling?.refundOf(amount) ?? 0
  const answer = await market.call(deal.admin, `POST /api/admin/disputes/${paymentId}/resolve`, {
    action,
    note: 'Decided on the evidence',
    ...(action === 'refund_partial' && { refundAmount: refundCents }),
  })
  const done = recordAnswer(schedule, `rule ${action}`, answer, 'ok', ...NO_DISPUTE, ...tooMuch(deal))
  if (done && ruling) acknowledged.push({ what: 'ruled', paymentId, status: ruling.status, refundCents })
}

/** After a refund in the dashboard or a partly lost chargeback, less may be left than should be refunded. */
const tooMuch = ({ refunded }: Deal) => (refunded ? ['refund_out_of_range'] : [])

/** Only admins may decide. */
export const decideAsAnother: Action = async (schedule) => {
  const { market, deal, random } = schedule
  if (deal.paymentId === null) return
  const person = random.pick([deal.buyer, deal.seller, deal.stranger])
  const body = { action: random.pick(DECISIONS), refundAmount: 1 }
  const answer = await market.call(person, `POST /api/admin/disputes/${deal.paymentId}/resolve`, body)
  recordAnswer(schedule, 'rule without being an admin', answer, 'not_admin')
}

export const withdrawDispute: Action = async (schedule) => {
  const { market, deal, acknowledged } = schedule
  const { paymentId } = deal
  if (paymentId === null) return
  const answer = await market.call(deal.buyer, `POST /api/disputes/${paymentId}/withdraw`)
  const done = recordAnswer(schedule, 'withdraw the dispute', answer, 'ok', ...NO_DISPUTE)
  if (done || isUnknown(answer)) acknowledged.push({ what: 'withdrawn', paymentId })
  deal.disputed &&= !done
}

/** One party proposes a settlement, the other accepts it, perhaps after it changed. */
export const settleDispute: Action = async (schedule) => {
  const { market, deal, random, acknowledged } = schedule
  const { paymentId, amount } = deal
  if (paymentId === null) return
  const [first, second] = random.chance(0.5) ? [deal.buyer, deal.seller] : [deal.seller, deal.buyer]
  const refundAmount = 1 + random.below(amount - 1)
  const path = `POST /api/disputes/${paymentId}/settlement`
  const proposed = await market.call(first, path, { refundAmount })
  if (!recordAnswer(schedule, 'propose a settlement', proposed, 'ok', ...NO_DISPUTE, ...tooMuch(deal))) return
  const accepted = await market.call(second, `${path}/accept`, { refundAmount })
  if (!recordAnswer(schedule, 'accept the settlement', accepted, 'ok', 'settlement_changed', ...NO_DISPUTE))
    return
  acknowledged.push({ what: 'ruled', paymentId, status: 'resolved_partial', refundCents: refundAmount })
}

/** An admin marks a manual payout as paid, or undoes that. */
export const payManually: Action = async (schedule) => {
  const { market, deal, random } = schedule
  const { rows } = await market.sql.query<{ id: number }>('select id from payouts where payment_id = $1', [
    deal.paymentId,
  ])
  if (!rows[0]) return
  const path = `POST /api/admin/payouts/${rows[0].id}`
  const wrongState = ['payout_not_found', 'payout_wrong_state']
  const [action, call, value, refused] = random.chance(0.7)
    ? (['mark a payout as paid', `${path}/paid`, 'paid', [...wrongState, 'payout_waits']] as const)
    : (['undo a payout', `${path}/undo`, 'owed', [...wrongState, 'undo_too_late']] as const)
  const sentMs = performance.now()
  const answer = await market.call(deal.admin, call, { reference: 'W-1' })
  recordAnswer(schedule, action, answer, 'ok', ...refused)
  recordWrite(schedule, answer, { field: 'payout status', id: rows[0].id, value, sentMs })
}

export const answerDispute: Action = async (schedule) => {
  const { market, deal, random } = schedule
  if (deal.paymentId === null) return
  const person = random.pick([deal.buyer, deal.seller])
  const content = `Answer ${random.below(2 ** 31)}`
  const answer = await market.call(person, `POST /api/disputes/${deal.paymentId}/answer`, { content })
  if (recordAnswer(schedule, 'answer the dispute', answer, 'ok', ...NO_DISPUTE))
    acknowledgeEvidence(schedule, person, answer.body.id, content)
}

export const uploadEvidence: Action = async (schedule) => {
  const { market, deal, random } = schedule
  if (deal.paymentId === null) return
  const person = random.pick([deal.buyer, deal.seller])
  const name = `receipt-${random.below(2 ** 31)}.txt`
  const call = `POST /api/disputes/${deal.paymentId}/upload-evidence`
  const answer = await market.upload(person, call, { name, text: 'A receipt' })
  const done = recordAnswer(schedule, 'upload evidence', answer, 'ok', 'too_many_files', ...NO_DISPUTE)
  if (done) acknowledgeEvidence(schedule, person, answer.body.id, name)
}

export const addAdminNote: Action = async (schedule) => {
  const { market, deal, random } = schedule
  if (deal.paymentId === null) return
  const content = `Note ${random.below(2 ** 31)}`
  const body = { type: 'note', content }
  const answer = await market.call(deal.admin, `POST /api/admin/disputes/${deal.paymentId}/evidence`, body)
  const done = recordAnswer(schedule, 'add evidence as an admin', answer, 'ok', ...NO_DISPUTE)
  if (done) acknowledgeEvidence(schedule, deal.admin, answer.body.id, content)
}

function acknowledgeEvidence({ deal, acknowledged }: Schedule, by: Person, id: unknown, text: string): void {
  const disputeId = deal.paymentId ?? 0
  acknowledged.push({ what: 'evidence', evidenceId: Number(id), disputeId, submittedBy: by.id, text })
}
