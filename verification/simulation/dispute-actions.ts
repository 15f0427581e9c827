import { type Deed, hear, isUnsure, leaveTo, noteWritten, type Scene, type Somebody } from './market.ts'

/* How a dispute ends, other than by the bank's word; and what admins pay by hand. */

const NO_DISPUTE = ['dispute_not_found', 'dispute_resolved']

/** Where each action leads, and what goes back to the buyer of an amount. */
const rulings = {
  refund_full: { status: 'resolved_buyer', refundOf: (amount: number) => amount },
  release_seller: { status: 'resolved_seller', refundOf: () => 0 },
  split_difference: { status: 'resolved_partial', refundOf: (amount: number) => Math.ceil(amount / 2) },
  refund_partial: { status: 'resolved_partial', refundOf: (amount: number) => Math.floor(amount / 3) },
} as const

const ACTIONS = ['refund_full', 'release_seller', 'split_difference', 'refund_partial'] as const
const NOT_ENDING = ['under_review', 'request_more_info'] as const

/** An admin decides, or wants to know more. */
export const rule: Deed = async (scene) => {
  const { market, deal, random, promised } = scene
  const { paymentId, amount } = deal
  if (paymentId === null || !(await mayDecide(scene))) return
  const action = random.pick([...ACTIONS, ...NOT_ENDING])
  const ruling = action in rulings ? rulings[action as keyof typeof rulings] : null
  const refundCents = ruling?.refundOf(amount) ?? 0
  const answer = await market.call(deal.admin, `POST /api/admin/disputes/${paymentId}/resolve`, {
    action,
    note: 'As the evidence says',
    ...(action === 'refund_partial' && { refundAmount: refundCents }),
  })
  const done = hear(scene, `rule ${action}`, answer, 'ok', ...NO_DISPUTE)
  if (done && ruling) promised.push({ what: 'ruled', paymentId, status: ruling.status, refundCents })
}

/** Nobody else may. */
export const ruleAsAnother: Deed = async (scene) => {
  const { market, deal, random } = scene
  if (deal.paymentId === null) return
  const who = random.pick([deal.buyer, deal.seller, deal.stranger])
  const body = { action: random.pick(ACTIONS), refundAmount: 1 }
  const answer = await market.call(who, `POST /api/admin/disputes/${deal.paymentId}/resolve`, body)
  hear(scene, 'rule without being an admin', answer, 'not_admin')
}

/** The buyer takes the dispute back. */
export const withdraw: Deed = async (scene) => {
  const { market, deal, promised } = scene
  const { paymentId } = deal
  if (paymentId === null || !(await mayDecide(scene))) return
  const answer = await market.call(deal.buyer, `POST /api/disputes/${paymentId}/withdraw`)
  const done = hear(scene, 'withdraw the dispute', answer, 'ok', ...NO_DISPUTE)
  if (done || isUnsure(answer)) promised.push({ what: 'withdrawn', paymentId })
  deal.disputed &&= !done
}

/** One proposes how to share, the other accepts, perhaps too late. */
export const acceptSettlement: Deed = async (scene) => {
  const { market, deal, random, promised } = scene
  const { paymentId, amount } = deal
  if (paymentId === null || !(await mayDecide(scene))) return
  const [first, second] = random.chance(0.5) ? [deal.buyer, deal.seller] : [deal.seller, deal.buyer]
  const refundAmount = 1 + random.below(amount - 1)
  const path = `POST /api/disputes/${paymentId}/settlement`
  const proposed = await market.call(first, path, { refundAmount })
  if (!hear(scene, 'propose a settlement', proposed, 'ok', ...NO_DISPUTE)) return
  const accepted = await market.call(second, `${path}/accept`, { refundAmount })
  if (!hear(scene, 'accept the settlement', accepted, 'ok', 'settlement_changed', ...NO_DISPUTE)) return
  promised.push({ what: 'ruled', paymentId, status: 'resolved_partial', refundCents: refundAmount })
}

/** An admin pays by hand what cannot be transferred, and may take it back. */
export const payByHand: Deed = async (scene) => {
  const { market, deal, random } = scene
  const { rows } = await market.sql.query<{ id: number }>('select id from payouts where payment_id = $1', [
    deal.paymentId,
  ])
  if (!rows[0]) return
  const path = `POST /api/admin/payouts/${rows[0].id}`
  const elsewhere = ['payout_not_found', 'payout_wrong_state']
  const [deed, call, value, refused] = random.chance(0.7)
    ? (['pay by hand', `${path}/paid`, 'paid', elsewhere] as const)
    : (['take a payment by hand back', `${path}/undo`, 'owed', [...elsewhere, 'undo_too_late']] as const)
  const sentMs = performance.now()
  const answer = await market.call(deal.admin, call, { reference: 'W-1' })
  hear(scene, deed, answer, 'ok', ...refused)
  noteWritten(scene, answer, { register: 'payout status', id: rows[0].id, value, sentMs })
}

/** Either says their side. */
export const answer: Deed = async (scene) => {
  const { market, deal, random } = scene
  if (deal.paymentId === null) return
  const who = random.pick([deal.buyer, deal.seller])
  const content = `Said ${random.below(2 ** 31)}`
  const answer = await market.call(who, `POST /api/disputes/${deal.paymentId}/answer`, { content })
  if (hear(scene, 'answer the dispute', answer, 'ok', ...NO_DISPUTE))
    keepEvidence(scene, who, answer.body.id, content)
}

/** Either brings a file. */
export const bringEvidence: Deed = async (scene) => {
  const { market, deal, random } = scene
  if (deal.paymentId === null) return
  const who = random.pick([deal.buyer, deal.seller])
  const name = `receipt-${random.below(2 ** 31)}.txt`
  const call = `POST /api/disputes/${deal.paymentId}/upload-evidence`
  const answer = await market.upload(who, call, { name, text: 'A receipt' })
  const done = hear(scene, 'bring evidence', answer, 'ok', 'too_many_files', ...NO_DISPUTE)
  if (done) keepEvidence(scene, who, answer.body.id, name)
}

export const noteByAdmin: Deed = async (scene) => {
  const { market, deal, random } = scene
  if (deal.paymentId === null) return
  const content = `Noted ${random.below(2 ** 31)}`
  const body = { type: 'note', content }
  const answer = await market.call(deal.admin, `POST /api/admin/disputes/${deal.paymentId}/evidence`, body)
  const done = hear(scene, 'add evidence as an admin', answer, 'ok', ...NO_DISPUTE)
  if (done) keepEvidence(scene, deal.admin, answer.body.id, content)
}

function keepEvidence({ deal, promised }: Scene, by: Somebody, id: unknown, words: string): void {
  const disputeId = deal.paymentId ?? 0
  promised.push({ what: 'evidence', evidenceId: Number(id), disputeId, submittedBy: by.id, words })
}

/** People decide only about what is in dispute already: then the bank is kept out of it from now on. */
async function mayDecide({ market, deal }: Scene): Promise<boolean> {
  const { rowCount } = await market.sql.query(
    "select from payments where id = $1 and status in ('disputed', 'under_review')",
    [deal.paymentId],
  )
  return rowCount === 1 && leaveTo(deal, 'people')
}
