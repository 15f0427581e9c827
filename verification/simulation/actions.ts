import { changePassword, changeProfile, leave, switchMail } from './account-actions.ts'
import * as disputes from './dispute-actions.ts'
import {
  type Deal,
  type Deed,
  hear,
  intentOf,
  isUnsure,
  leaveTo,
  type Scene,
  type Somebody,
} from './market.ts'
import { lookAround, read, readBell, say } from './message-actions.ts'
import * as bargain from './offer-actions.ts'

/*
 * Everything that a person, or the card provider, can do to a payment from outside. Each deed may come at any
 * moment, and says which answers would do.
 */

const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  insufficient: '4000000000009995',
  authenticated: '4000002760003184',
  slow: '4000000000000580',
  disputed: '4000000000000259',
} as const

const BANK = {
  account_holder_name: 'Model Seller',
  routing_number: '021000021',
  account_number: '000123456789',
}

/** Somebody has to be asked first, and may not answer. */
const ASKING = ['provider_failed']

async function start(scene: Scene, deed: string, path: string, body: object): Promise<void> {
  const { market, deal, promised } = scene
  const answer = await market.call(deal.buyer, path, body)
  const refused = ['offer_already_paid', 'payment_wrong_state', ...ASKING, ...whenOneLeaves(deal)]
  if (!hear(scene, deed, answer, 'ok', ...refused)) return
  const { clientSecret, paymentId } = answer.body as { clientSecret: string; paymentId: number }
  deal.paymentId = paymentId
  if (!deal.secrets.includes(clientSecret)) deal.secrets.push(clientSecret)
  const { offerId, amount } = deal
  if (offerId !== null)
    promised.push({ what: 'started', paymentId, intentId: intentOf(clientSecret), offerId, amount })
}

/** What was agreed with somebody who leaves is agreed no more. */
const whenOneLeaves = ({ buyer, seller }: Deal) =>
  buyer.leaving || seller.leaving ? ['offer_not_accepted'] : []

const escrowBody = ({ itemId, offerId, amount }: Deal) => ({ itemId, offerId, amount })
const shortBody = ({ itemId, amount }: Deal) => ({ itemId, amount })

const startEscrow: Deed = (scene) =>
  start(scene, 'start', 'POST /api/create-escrow-payment', escrowBody(scene.deal))

const startShort: Deed = (scene) =>
  start(scene, 'start the short way', 'POST /api/create-payment-intent', shortBody(scene.deal))

const startWrong: Deed = async (scene) => {
  const { market, deal, random } = scene
  const amount = Math.max(1, deal.amount + random.pick([-1, 1, 100, -deal.amount + 1]))
  const wrong = { ...escrowBody(deal), amount }
  // It may be what another offer names, and be right for that.
  if (Math.abs(amount - deal.firstAmount) <= deal.proposals) return
  const [path, body] = random.chance(0.5)
    ? ['POST /api/create-escrow-payment', wrong]
    : ['POST /api/create-payment-intent', { itemId: deal.itemId, amount }]
  const answer = await market.call(deal.buyer, path, body)
  hear(scene, 'start with another amount', answer, 'amount_mismatch', ...whenOneLeaves(deal))
}

const startAnothers: Deed = async (scene) => {
  const { market, deal, random } = scene
  const [who, by, refused] = random.pick([
    [deal.seller, 'the seller', 'not_your_offer'],
    [deal.stranger, 'a stranger', 'offer_not_found'],
  ] as const)
  const answer = await market.call(who, 'POST /api/create-escrow-payment', escrowBody(deal))
  hear(scene, `start by ${by}`, answer, refused)
}

/** The secret that the browser has, or had: a tab may have been open for long. */
const someSecret = ({ deal, random }: Scene) => (deal.secrets.length > 0 ? random.pick(deal.secrets) : null)

const pay =
  (card: keyof typeof CARDS): Deed =>
  async (scene) => {
    const { market, deal, promised, story, random } = scene
    const secret = someSecret(scene)
    if (!secret || (card === 'disputed' && !leaveTo(deal, 'bank'))) return
    deal.charged ||= card !== 'declined' && card !== 'insufficient'
    const answer = await market.enterCard(secret, CARDS[card])
    const status = String(answer.body.status ?? (answer.status || 'no answer'))
    story.push(`card ${card}: ${status}`)
    market.tally.count('cards', `${card}: ${status}`)
    if (answer.body.status === 'succeeded') promised.push({ what: 'charged', intentId: intentOf(secret) })
    if (answer.body.status !== 'requires_action' || random.chance(0.2)) return
    const { next_action: next } = answer.body as { next_action?: { redirect_to_url: { url: string } } }
    const verdict = random.chance(0.75) ? 'complete' : 'fail'
    const pressed = await market.press(`${next?.redirect_to_url.url}/${verdict}`)
    story.push(`authentication ${verdict}: ${pressed.status}`)
  }

type Party = 'buyer' | 'seller' | 'stranger' | 'visitor'

/** What is said to whom for something that only the buyer may do. */
const REFUSED: Record<Exclude<Party, 'buyer'>, string> = {
  seller: 'not_the_buyer',
  stranger: 'payment_not_found',
  visitor: 'signed_out',
}

const personAs = (deal: Deal, party: Party): Somebody | null => (party === 'visitor' ? null : deal[party])

const onPayment = {
  confirm: (id: number) => `POST /api/payments/${id}/confirm-delivery`,
  'confirm by hand': (id: number) => `POST /api/manual-delivery-confirm/${id}`,
  dispute: (id: number) => `POST /api/payments/${id}/dispute`,
  'dispute by form': () => 'POST /api/initiate-dispute',
  rate: (id: number) => `POST /api/payments/${id}/submit-rating`,
}

/** What the buyer is told when the payment does not allow it. */
const BUYER_REFUSED: Record<keyof typeof onPayment, string[]> = {
  confirm: ['payment_not_paid', 'payment_wrong_state'],
  'confirm by hand': ['payment_not_paid', 'payment_wrong_state', ...ASKING],
  dispute: ['payment_not_paid', 'payment_wrong_state'],
  'dispute by form': ['payment_not_paid', 'payment_wrong_state'],
  rate: ['payment_wrong_state', 'already_rated'],
}

const act =
  (deed: keyof typeof onPayment, party: Party = 'buyer'): Deed =>
  async (scene) => {
    const { market, deal, random } = scene
    const { paymentId } = deal
    if (paymentId === null) return
    const rating = 1 + random.below(5)
    const bodies = {
      'dispute by form': { paymentId, reason: 'It is not what I asked for' },
      rate: { rating },
    }
    const body = deed in bodies ? bodies[deed as keyof typeof bodies] : {}
    const answer = await market.call(personAs(deal, party), onPayment[deed](paymentId), body)
    const allowed = party === 'buyer' ? ['ok', ...BUYER_REFUSED[deed]] : [REFUSED[party]]
    const done = hear(scene, party === 'buyer' ? deed : `${deed} by the ${party}`, answer, ...allowed)
    if (done) promise(scene, deed, paymentId, rating)
    deal.disputed ||= deed.startsWith('dispute') && (done || isUnsure(answer))
  }

function promise({ promised }: Scene, deed: keyof typeof onPayment, paymentId: number, rating: number): void {
  if (deed === 'rate') promised.push({ what: 'rated', paymentId, rating })
  else promised.push({ what: deed.startsWith('confirm') ? 'confirmed' : 'disputed', paymentId })
}

/** Somebody else tries what is the buyer's alone. */
const actAsAnother: Deed = (scene) => {
  const party = scene.random.pick(['seller', 'stranger', 'visitor'] as const)
  const deed = scene.random.pick([
    'confirm',
    'confirm by hand',
    'dispute',
    'dispute by form',
    'rate',
  ] as const)
  return act(deed, party)(scene)
}

/** Looking must work at any moment. */
const look: Deed = async (scene) => {
  const { market, deal, random } = scene
  const who = random.pick([deal.buyer, deal.seller])
  const path = deal.paymentId === null ? '/api/payments' : `/api/payments/${deal.paymentId}`
  hear(scene, 'look', await market.call(who, `GET ${path}`), 'ok')
}

/** Sets up an account with the provider, and may leave the provider's page half-way. */
export const connect: Deed = async (scene) => {
  const { market, deal, random, story } = scene
  const answer = await market.call(deal.seller, 'POST /api/seller/setup-stripe-connect', { country: 'US' })
  if (!hear(scene, 'connect', answer, 'ok', ...ASKING)) return
  const page = await market.openPage(String(answer.body.onboardingUrl))
  const button = random.chance(0.85) ? 'complete' : 'not-now'
  const [, path] = page.match(new RegExp(`action="([^"]+/${button})"`)) ?? []
  if (path) story.push(`onboarding ${button}: ${(await market.press(path)).status}`)
}

const seller =
  (deed: string, call: string, ...allowed: string[]): Deed =>
  async (scene) => {
    const { market, deal } = scene
    hear(scene, deed, await market.call(deal.seller, call), 'ok', ...allowed)
  }

const connectStatus = seller('connect status', 'GET /api/seller/stripe-connect-status', ...ASKING)
const reset = seller('reset the account', 'POST /api/seller/reset-stripe-connect')
const payouts = seller('look at payouts', 'GET /api/seller/payouts')

const saveBank: Deed = async (scene) => {
  const { market, deal, promised } = scene
  const answer = await market.call(deal.seller, 'POST /api/seller/save-bank-account', BANK)
  if (hear(scene, 'save bank details', answer, 'ok'))
    promised.push({ what: 'bank saved', sellerId: deal.seller.id })
}

/** The provider finds something about the seller's account, or is content again. */
const restrict: Deed = async (scene) => {
  const { market, deal, random, story } = scene
  const { rows } = await market.sql.query(
    'select stripe_connect_account_id as id from users where id = $1 and stripe_connect_account_id is not null',
    [deal.seller.id],
  )
  if (!rows[0]) return
  const verb = random.pick(['restrict', 'restore'])
  story.push(`${verb} account: ${(await market.press(`/sandbox/accounts/${rows[0].id}/${verb}`)).status}`)
}

/** The buyer goes to the bank. */
const chargeback: Deed = async (scene) => {
  const { market, deal, story, random } = scene
  const secret = someSecret(scene)
  if (!secret || !leaveTo(deal, 'bank')) return
  const intentId = intentOf(secret)
  const made = await market.press(`/sandbox/payments/${intentId}/dispute`)
  story.push(`chargeback: ${made.status}`)
  market.tally.count('chargebacks', made.status === 303 ? 'made' : 'not possible')
  if (random.chance(0.3)) await closeChargeback(scene)
}

/** The bank decides. */
const closeChargeback: Deed = async ({ market, deal, random, story }) => {
  const { rows } = await market.sql.query(
    `select id from sandbox.objects
     where kind = 'dispute' and body ->> 'payment_intent' = any ($1) and body ->> 'status' = 'needs_response'`,
    [deal.secrets.map(intentOf)],
  )
  if (!rows[0]) return
  const verdict = random.pick(['won', 'lost'])
  const { status } = await market.press(`/sandbox/disputes/${rows[0].id}/${verdict}`)
  story.push(`chargeback ${verdict}: ${status}`)
  market.tally.count('chargebacks', status === 303 ? verdict : 'not possible')
}

/** The hold runs out: its end is moved to now, which is quicker than waiting for it. */
const lapse: Deed = async ({ market, deal, story }) => {
  const { rowCount } = await market.sql.query(
    "update payments set escrow_hold_until = $1 where id = $2 and status = 'held_in_escrow'",
    [market.now(), deal.paymentId],
  )
  if (rowCount) story.push('the hold runs out')
  market.tally.count('holds', rowCount ? 'ran out' : 'none to run out')
}

/** The provider repeats something that it has said before, late and out of order. */
const resend: Deed = async ({ market, deal, random, story }) => {
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
  story.push(`${type} again, ${copies} times`)
  market.tally.count('webhooks', 'sent again', copies)
}

/** Somebody who is not the provider says that it was paid. */
const forge: Deed = async (scene) => {
  const { market } = scene
  const secret = someSecret(scene)
  if (!secret) return
  const object = { id: intentOf(secret), object: 'payment_intent', status: 'succeeded' }
  const event = { id: 'evt_forged', object: 'event', type: 'payment_intent.succeeded', data: { object } }
  hear(scene, 'forge a webhook', await market.call(null, 'POST /api/stripe/webhook', event), 'bad_signature')
}

type Phase = 'asked' | 'agreed' | 'started' | 'charged' | 'disputed'
export type Weighted = readonly (readonly [Deed, number])[]

/** What may happen whatever else does. */
const always: Weighted = [
  [say, 1],
  [read, 0.7],
  [readBell, 0.5],
  [lookAround, 1],
  [bargain.edit, 0.4],
  [bargain.post, 0.2],
  [changeProfile, 0.4],
  [switchMail, 0.2],
  [changePassword, 0.12],
]

/** How likely each deed is, once things stand as they do: pure chance would seldom get far. */
const usual: Record<Phase, Weighted> = {
  asked: [
    [bargain.makeOffer, 5],
    [bargain.counter, 2],
    [bargain.accept, 6],
    [bargain.reject, 1],
    [bargain.withdrawOffer, 1],
    [bargain.answerAsAnother, 0.7],
    [bargain.offerOnOwn, 0.3],
    [bargain.close, 0.7],
    [bargain.reopen, 1.2],
    [leave, 0.12],
  ],
  agreed: [
    [bargain.makeOffer, 0.5],
    [bargain.accept, 0.5],
    [bargain.reject, 0.3],
    [bargain.withdrawOffer, 0.3],
    [bargain.close, 0.4],
    [bargain.reopen, 0.4],
    [leave, 0.15],
    [startEscrow, 6],
    [startShort, 4],
    [startWrong, 1],
    [startAnothers, 1],
    [connect, 2],
    [saveBank, 1],
    [look, 0.5],
  ],
  started: [
    [leave, 0.4],
    [bargain.close, 0.3],
    [bargain.reject, 0.3],
    [pay('good'), 7],
    [pay('declined'), 1],
    [pay('insufficient'), 0.5],
    [pay('authenticated'), 2],
    [pay('slow'), 1],
    [pay('disputed'), 0.7],
    [startEscrow, 1.5],
    [startShort, 1],
    [startWrong, 0.5],
    [act('confirm'), 0.7],
    [act('confirm by hand'), 0.7],
    [act('dispute'), 0.3],
    [actAsAnother, 0.5],
    [forge, 0.7],
    [connect, 0.7],
  ],
  charged: [
    [act('confirm'), 3],
    [act('confirm by hand'), 2],
    [act('dispute'), 2.5],
    [act('dispute by form'), 1.5],
    [disputes.rule, 0.7],
    [disputes.ruleAsAnother, 0.3],
    [disputes.withdraw, 0.3],
    [disputes.payByHand, 1],
    [disputes.answer, 0.3],
    [bargain.reopen, 0.3],
    [leave, 0.5],
    [act('rate'), 2],
    [actAsAnother, 1],
    [startEscrow, 1],
    [startShort, 0.7],
    [startAnothers, 0.3],
    [pay('good'), 1.2],
    [pay('declined'), 0.3],
    [lapse, 1],
    [chargeback, 0.7],
    [closeChargeback, 0.7],
    [resend, 2],
    [forge, 0.3],
    [connect, 1],
    [connectStatus, 1],
    [reset, 0.7],
    [saveBank, 0.5],
    [restrict, 0.5],
    [payouts, 0.5],
    [look, 0.7],
  ],
  disputed: [
    [disputes.rule, 4],
    [disputes.ruleAsAnother, 0.3],
    [disputes.withdraw, 1],
    [disputes.acceptSettlement, 2.5],
    [disputes.answer, 2],
    [disputes.bringEvidence, 0.8],
    [disputes.noteByAdmin, 0.6],
    [disputes.payByHand, 0.7],
    [act('confirm'), 0.7],
    [act('dispute'), 0.5],
    [act('rate'), 1],
    [actAsAnother, 0.5],
    [leave, 0.3],
    [lapse, 0.5],
    [resend, 1],
    [connect, 1],
    [connectStatus, 0.5],
    [reset, 0.5],
    [saveBank, 0.5],
    [restrict, 0.5],
    [look, 0.5],
  ],
}

function phaseOf({ offerId, secrets, charged, disputed }: Deal): Phase {
  if (disputed) return 'disputed'
  if (charged) return 'charged'
  if (secrets.length > 0) return 'started'
  return offerId === null ? 'asked' : 'agreed'
}

/** One thing, or several at the same moment. */
export async function actOnce(scene: Scene, more?: Partial<Record<Phase, Weighted>>): Promise<void> {
  const { random, deal } = scene
  const atOnce = random.chance(0.35) ? 2 + random.below(4) : 1
  const phase = phaseOf(deal)
  const deeds = Array.from({ length: atOnce }, () =>
    random.weighted([...usual[phase], ...always, ...(more?.[phase] ?? [])]),
  )
  if (atOnce > 1) scene.story.push(`— ${atOnce} at once —`)
  scene.market.tally.count('moments', atOnce > 1 ? 'several deeds at once' : 'one deed')
  // Each has chance of its own, so that their order does not change what they do.
  await Promise.all(deeds.map((deed) => deed({ ...scene, random: random.split() })))
}
