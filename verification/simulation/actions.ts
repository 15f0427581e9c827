import { intentOf } from '@sought/server/market-builder/card-browser'
import { changeEmailSettings, changePassword, changeProfile, deleteAccount } from './account-actions.ts'
import * as deliveries from './delivery-actions.ts'
import * as disputes from './dispute-actions.ts'
import { type Action, type Deal, isUnknown, type Person, recordAnswer, type Schedule } from './market.ts'
import { readMessages, readNotifications, readSomething, sendMessage } from './message-actions.ts'
import { payByMethod, pressPage, someSecret, stopWaiting } from './method-actions.ts'
import * as offers from './offer-actions.ts'
import { closeChargeback, openChargeback, refundInDashboard, reverseInDashboard } from './provider-actions.ts'
import { refundAsAdmin, refundAsAnother, refundAsSeller, waiveDebt } from './refund-actions.ts'
import * as sellers from './seller-actions.ts'

/*
 * All actions of users and the card provider on a payment. Each action can come at any time, and names the allowed
 * answers.
 */

const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  insufficient: '4000000000009995',
  authenticated: '4000002760003184',
  slow: '4000000000000580',
  disputed: '4000000000000259',
  'refund fails': '4000000000005126',
} as const

/** Calls that ask the provider may fail if the provider does. */
const PROVIDER_FAILED = ['provider_failed']

async function startPayment(schedule: Schedule, action: string, path: string, body: object): Promise<void> {
  const { market, deal, acknowledged } = schedule
  const answer = await market.call(deal.buyer, path, body)
  const refused = [
    'offer_already_paid',
    'payment_wrong_state',
    ...offers.NOT_OPEN,
    ...PROVIDER_FAILED,
    ...ifDeleting(deal),
  ]
  if (!recordAnswer(schedule, action, answer, 'ok', ...refused)) return
  const { clientSecret, paymentId } = answer.body as { clientSecret: string; paymentId: number }
  deal.paymentId = paymentId
  if (!deal.secrets.includes(clientSecret)) deal.secrets.push(clientSecret)
  const { offerId, amount } = deal
  if (offerId !== null)
    acknowledged.push({ what: 'started', paymentId, intentId: intentOf(clientSecret), offerId, amount })
}

/** Deleting an account withdraws its accepted offers. */
const ifDeleting = ({ buyer, seller }: Deal) =>
  buyer.isDeleting || seller.isDeleting ? ['offer_not_accepted'] : []

const { deliveryAddress } = deliveries
const escrowBody = ({ itemId, offerId, amount }: Deal) => ({ itemId, offerId, amount, deliveryAddress })
const itemBody = ({ itemId, amount }: Deal) => ({ itemId, amount, deliveryAddress })

const startEscrow: Action = (schedule) =>
  startPayment(schedule, 'start', 'POST /api/create-escrow-payment', escrowBody(schedule.deal))

const startByItem: Action = (schedule) =>
  startPayment(schedule, 'start by item', 'POST /api/create-payment-intent', itemBody(schedule.deal))

const startWithWrongAmount: Action = async (schedule) => {
  const { market, deal, random } = schedule
  const amount = Math.max(1, deal.amount + random.pick([-1, 1, 100, -deal.amount + 1]))
  const terms = { ...escrowBody(deal), amount }
  // The amount must not be that of another offer.
  if (Math.abs(amount - deal.firstAmount) <= deal.proposals) return
  const [path, body] = random.chance(0.5)
    ? ['POST /api/create-escrow-payment', terms]
    : ['POST /api/create-payment-intent', { itemId: deal.itemId, amount }]
  const answer = await market.call(deal.buyer, path, body)
  recordAnswer(schedule, 'start with another amount', answer, 'amount_mismatch', ...ifDeleting(deal))
}

const startAsAnother: Action = async (schedule) => {
  const { market, deal, random } = schedule
  const [person, role, refused] = random.pick([
    [deal.seller, 'the seller', 'not_your_offer'],
    [deal.stranger, 'a stranger', 'offer_not_found'],
  ] as const)
  const answer = await market.call(person, 'POST /api/create-escrow-payment', escrowBody(deal))
  recordAnswer(schedule, `start by ${role}`, answer, refused)
}

const pay =
  (card: keyof typeof CARDS): Action =>
  async (schedule) => {
    const { market, deal, acknowledged, log, random } = schedule
    const secret = someSecret(schedule)
    if (!secret) return
    deal.charged ||= card !== 'declined' && card !== 'insufficient'
    const answer = await market.enterCard(secret, CARDS[card])
    const status = String(answer.body.status ?? (answer.status || 'no answer'))
    log.push(`card ${card}: ${status}`)
    market.counters.count('cards', `${card}: ${status}`)
    if (answer.body.status === 'succeeded') acknowledged.push({ what: 'charged', intentId: intentOf(secret) })
    if (answer.body.status !== 'requires_action' || random.chance(0.2)) return
    await pressPage(schedule, answer, random.chance(0.75) ? 'complete' : 'fail')
  }

type Party = 'buyer' | 'seller' | 'stranger' | 'visitor'

/** The refusals that others get for actions of the buyer. */
const OTHERS_REFUSED: Record<Exclude<Party, 'buyer'>, string> = {
  seller: 'not_the_buyer',
  stranger: 'payment_not_found',
  visitor: 'signed_out',
}

const personAs = (deal: Deal, party: Party): Person | null => (party === 'visitor' ? null : deal[party])

const onPayment = {
  confirm: (id: number) => `POST /api/payments/${id}/confirm-delivery`,
  'confirm manually': (id: number) => `POST /api/manual-delivery-confirm/${id}`,
  dispute: (id: number) => `POST /api/payments/${id}/dispute`,
  'dispute by form': () => 'POST /api/initiate-dispute',
  rate: (id: number) => `POST /api/payments/${id}/submit-rating`,
}

/** The refusals that the buyer gets when the payment is in another state. */
const BUYER_REFUSED: Record<keyof typeof onPayment, string[]> = {
  confirm: ['payment_not_paid', 'payment_wrong_state', ...PROVIDER_FAILED],
  'confirm manually': ['payment_not_paid', 'payment_wrong_state', ...PROVIDER_FAILED],
  dispute: ['payment_not_paid', 'payment_wrong_state'],
  'dispute by form': ['payment_not_paid', 'payment_wrong_state'],
  rate: ['payment_wrong_state', 'already_rated'],
}

const perform =
  (action: keyof typeof onPayment, party: Party = 'buyer'): Action =>
  async (schedule) => {
    const { market, deal, random } = schedule
    const { paymentId } = deal
    if (paymentId === null) return
    const rating = 1 + random.below(5)
    const bodies = {
      'dispute by form': { paymentId, reason: 'It is not what I asked for' },
      rate: { rating },
    }
    const body = action in bodies ? bodies[action as keyof typeof bodies] : {}
    const answer = await market.call(personAs(deal, party), onPayment[action](paymentId), body)
    const allowed = party === 'buyer' ? ['ok', ...BUYER_REFUSED[action]] : [OTHERS_REFUSED[party]]
    const done = recordAnswer(
      schedule,
      party === 'buyer' ? action : `${action} by the ${party}`,
      answer,
      ...allowed,
    )
    if (done) acknowledge(schedule, action, paymentId, rating)
    deal.disputed ||= action.startsWith('dispute') && (done || isUnknown(answer))
  }

function acknowledge(
  { acknowledged }: Schedule,
  action: keyof typeof onPayment,
  paymentId: number,
  rating: number,
): void {
  if (action === 'rate') acknowledged.push({ what: 'rated', paymentId, rating })
  else acknowledged.push({ what: action.startsWith('confirm') ? 'confirmed' : 'disputed', paymentId })
}

/** Others try actions that only the buyer may do. */
const performAsAnother: Action = (schedule) => {
  const party = schedule.random.pick(['seller', 'stranger', 'visitor'] as const)
  const action = schedule.random.pick([
    'confirm',
    'confirm manually',
    'dispute',
    'dispute by form',
    'rate',
  ] as const)
  return perform(action, party)(schedule)
}

/** Reading must work at any time. */
const readPayment: Action = async (schedule) => {
  const { market, deal, random } = schedule
  const reader = random.pick([deal.buyer, deal.seller])
  const path = deal.paymentId === null ? '/api/payments' : `/api/payments/${deal.paymentId}`
  recordAnswer(schedule, 'read the payment', await market.call(reader, `GET ${path}`), 'ok')
}

/** The hold expires: its end is set to now instead of waiting for it. */
const expireHold: Action = async ({ market, deal, log }) => {
  const { rowCount } = await market.sql.query(
    "update payments set escrow_hold_until = $1 where id = $2 and status = 'held_in_escrow'",
    [market.now(), deal.paymentId],
  )
  if (rowCount) log.push('the hold expires')
  market.counters.count('holds', rowCount ? 'expired' : 'none to expire')
}

/** The provider sends earlier events again, late and out of order. */
const resendEvents: Action = async ({ market, deal, random, log }) => {
  const { rows } = await market.sql.query(
    `select e.id, e.body ->> 'type' as type from sandbox.objects e
     where e.kind = 'event' and (
       e.body -> 'data' -> 'object' ->> 'id' = any ($1)
       or e.body -> 'data' -> 'object' ->> 'payment_intent' = any ($1))
     order by e.seq`,
    [deal.secrets.map(intentOf)],
  )
  if (rows.length === 0) return
  const { id, type } = random.pick(rows)
  const copies = 1 + random.below(3)
  await Promise.all(Array.from({ length: copies }, () => market.press(`/sandbox/events/${id}/resend`)))
  log.push(`${type} again, ${copies} times`)
  market.counters.count('webhooks', 'sent again', copies)
}

/** A forged event claims that the payment was made. */
const forgeEvent: Action = async (schedule) => {
  const { market } = schedule
  const secret = someSecret(schedule)
  if (!secret) return
  const object = { id: intentOf(secret), object: 'payment_intent', status: 'succeeded' }
  const event = { id: 'evt_forged', object: 'event', type: 'payment_intent.succeeded', data: { object } }
  recordAnswer(
    schedule,
    'forge a webhook',
    await market.call(null, 'POST /api/stripe/webhook', event),
    'bad_signature',
  )
}

type Phase = 'asked' | 'agreed' | 'started' | 'charged' | 'disputed'
export type Weighted = readonly (readonly [Action, number])[]

/** Actions that are possible in every phase. */
const always: Weighted = [
  [sendMessage, 1],
  [readMessages, 0.7],
  [readNotifications, 0.5],
  [readSomething, 1],
  [offers.editRequest, 0.4],
  [offers.postRequest, 0.2],
  [changeProfile, 0.4],
  [changeEmailSettings, 0.2],
  [changePassword, 0.12],
]

/** The weight of each action by phase. With equal weights, few schedules would reach a payment. */
const byPhase: Record<Phase, Weighted> = {
  asked: [
    [offers.makeOffer, 5],
    [offers.counterOffer, 2],
    [offers.acceptOffer, 6],
    [offers.rejectOffer, 1],
    [offers.withdrawOffer, 1],
    [offers.answerAsAnother, 0.7],
    [offers.offerOnOwnRequest, 0.3],
    [offers.closeRequest, 0.7],
    [offers.reopenRequest, 1.2],
    [deleteAccount, 0.12],
  ],
  agreed: [
    [offers.makeOffer, 0.5],
    [offers.acceptOffer, 0.5],
    [offers.rejectOffer, 0.3],
    [offers.withdrawOffer, 0.3],
    [offers.closeRequest, 0.4],
    [offers.reopenRequest, 0.4],
    [deleteAccount, 0.15],
    [startEscrow, 6],
    [startByItem, 4],
    [startWithWrongAmount, 1],
    [startAsAnother, 1],
    [sellers.connectAccount, 2],
    [sellers.saveBank, 1],
    [readPayment, 0.5],
  ],
  started: [
    [deleteAccount, 0.4],
    [offers.closeRequest, 0.3],
    [offers.rejectOffer, 0.3],
    [pay('good'), 7],
    [pay('declined'), 1],
    [pay('insufficient'), 0.5],
    [pay('authenticated'), 2],
    [pay('slow'), 1],
    [pay('disputed'), 0.7],
    [pay('refund fails'), 0.7],
    [payByMethod, 3],
    [stopWaiting, 0.4],
    [startEscrow, 1.5],
    [startByItem, 1],
    [startWithWrongAmount, 0.5],
    [perform('confirm'), 0.7],
    [perform('confirm manually'), 0.7],
    [perform('dispute'), 0.3],
    [deliveries.shipItem, 0.3],
    [deliveries.cancelAsBuyer, 0.3],
    [performAsAnother, 0.5],
    [forgeEvent, 0.7],
    [sellers.connectAccount, 0.7],
  ],
  charged: [
    [perform('confirm'), 3],
    [perform('confirm manually'), 2],
    [perform('dispute'), 2.5],
    [perform('dispute by form'), 1.5],
    [deliveries.shipItem, 2],
    [deliveries.reportDelivery, 1],
    [deliveries.handOver, 1.5],
    [deliveries.cancelAsSeller, 0.7],
    [deliveries.cancelAsBuyer, 1],
    [deliveries.missShipping, 0.5],
    [disputes.decideDispute, 0.7],
    [disputes.decideAsAnother, 0.3],
    [disputes.withdrawDispute, 0.3],
    [disputes.payManually, 1],
    [disputes.answerDispute, 0.3],
    [offers.reopenRequest, 0.3],
    [deleteAccount, 0.5],
    [perform('rate'), 2],
    [performAsAnother, 1],
    [startEscrow, 1],
    [startByItem, 0.7],
    [startAsAnother, 0.3],
    [pay('good'), 1.2],
    [pay('declined'), 0.3],
    [expireHold, 1],
    [openChargeback, 0.7],
    [closeChargeback, 0.9],
    [refundInDashboard, 0.5],
    [refundAsSeller, 1],
    [refundAsAdmin, 0.7],
    [refundAsAnother, 0.2],
    [waiveDebt, 0.5],
    [stopWaiting, 0.3],
    [payByMethod, 0.3],
    [reverseInDashboard, 0.5],
    [resendEvents, 2],
    [forgeEvent, 0.3],
    [sellers.connectAccount, 1],
    [sellers.readConnectStatus, 1],
    [sellers.resetAccount, 0.7],
    [sellers.saveBank, 0.5],
    [sellers.changeAccount, 0.5],
    [sellers.readPayouts, 0.5],
    [readPayment, 0.7],
  ],
  disputed: [
    [disputes.decideDispute, 4],
    [disputes.decideAsAnother, 0.3],
    [disputes.withdrawDispute, 1],
    [disputes.settleDispute, 2.5],
    [deliveries.shipItem, 0.5],
    [deliveries.cancelAsSeller, 0.5],
    [deliveries.handOver, 0.3],
    [disputes.answerDispute, 2],
    [disputes.uploadEvidence, 0.8],
    [disputes.addAdminNote, 0.6],
    [disputes.payManually, 0.7],
    [perform('confirm'), 0.7],
    [perform('dispute'), 0.5],
    [perform('rate'), 1],
    [performAsAnother, 0.5],
    [deleteAccount, 0.3],
    [expireHold, 0.5],
    [openChargeback, 0.5],
    [closeChargeback, 0.9],
    [refundInDashboard, 0.3],
    [refundAsSeller, 0.5],
    [refundAsAdmin, 0.5],
    [waiveDebt, 0.3],
    [reverseInDashboard, 0.3],
    [resendEvents, 1],
    [sellers.connectAccount, 1],
    [sellers.readConnectStatus, 0.5],
    [sellers.resetAccount, 0.5],
    [sellers.saveBank, 0.5],
    [sellers.changeAccount, 0.5],
    [readPayment, 0.5],
  ],
}

function phaseOf({ offerId, secrets, charged, disputed }: Deal): Phase {
  if (disputed) return 'disputed'
  if (charged) return 'charged'
  if (secrets.length > 0) return 'started'
  return offerId === null ? 'asked' : 'agreed'
}

/** One action, or several concurrent ones. */
export async function performStep(
  schedule: Schedule,
  more?: Partial<Record<Phase, Weighted>>,
): Promise<void> {
  const { random, deal } = schedule
  const count = random.chance(0.35) ? 2 + random.below(4) : 1
  const phase = phaseOf(deal)
  const actions = Array.from({ length: count }, () =>
    random.weighted([...byPhase[phase], ...always, ...(more?.[phase] ?? [])]),
  )
  if (count > 1) schedule.log.push(`— ${count} concurrently —`)
  schedule.market.counters.count('steps', count > 1 ? 'several actions' : 'one action')
  // Each action has its own generator, so that their order does not change what they do.
  await Promise.all(actions.map((action) => action({ ...schedule, random: random.split() })))
}
