import { setTimeout as wait } from 'node:timers/promises'
import {
  type Answer,
  type Deal,
  intentOf,
  type Market,
  outcomeOf,
  type Promised,
} from '../simulation/market.ts'
import { lampOf } from '../simulation/offer-actions.ts'
import { agree, type Terms } from '../simulation/open-deal.ts'

/*
 * Stories with an end, which each of their people insists on: whoever gets no answer asks again, as people do, until
 * what they want is true. So every story ends well wherever a server is killed on the way.
 */

export interface Telling {
  market: Market
  terms: Terms
  promised: Promised[]
  /** What should never have been. */
  wrong: string[]
}

export type Story = (telling: Telling) => Promise<void>

/** Beyond this somebody would have to lend a hand. */
const WITHIN_MS = 30_000
const PAUSE_MS = 20

/** Asks again and again until it is so. Refusals are what somebody hears who asks for what was done already. */
async function insist(
  { market }: Telling,
  what: string,
  isSo: () => Promise<boolean>,
  attempt: () => Promise<unknown>,
): Promise<void> {
  const deadline = Date.now() + WITHIN_MS
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`within ${WITHIN_MS / 1000} seconds nobody got ${what}`)
    await attempt()
    await wait(PAUSE_MS)
  }
  market.tally.count('stories', what)
}

const nothing = async () => {}

/** Whether the statement finds anything. */
const finds = (market: Market, text: string, values: unknown[]) => async () =>
  (await market.sql.query(text, values)).rowCount !== 0

/** Answers that nobody should ever get. */
function hearOut(telling: Telling, what: string, answer: Answer): boolean {
  const outcome = outcomeOf(answer)
  if (outcome === 'internal' || /^\d+$/.test(outcome)) telling.wrong.push(`${what} was answered ${outcome}`)
  return outcome === 'ok'
}

type Agreed = Deal & { offerId: number }
type Paid = Agreed & { paymentId: number }

async function agreeOn(telling: Telling): Promise<Agreed> {
  const { market, terms } = telling
  const { buyer, seller, amount } = terms
  let deal = await agree(market, terms).catch(() => null)
  // Where the server died of it, it is looked for what there is, and gone on from there.
  let itemId = 0
  const offered = finds(
    market,
    "select from offers where buyer_id = $1 and seller_id = $2 and status = 'accepted'",
    [buyer.id, seller.id],
  )
  await insist(telling, 'a deal', offered, async () => {
    if (!itemId)
      itemId = Number((await market.call(buyer, 'POST /api/wanted-items', lampOf(amount))).body.id) || 0
    const body = { wantedItemId: itemId, receiverId: buyer.id, amount }
    const offer = itemId ? await market.call(seller, 'POST /api/offers', body) : null
    if (!offer || !hearOut(telling, 'an offer', offer)) return
    hearOut(telling, 'accepting', await market.call(buyer, `PATCH /api/offers/${offer.body.id}/accept`))
  })
  const { rows } = await market.sql.query<{ offerId: number; itemId: number }>(
    `select id as "offerId", wanted_item_id as "itemId" from offers
     where buyer_id = $1 and seller_id = $2 and status = 'accepted' order by id limit 1`,
    [buyer.id, seller.id],
  )
  const [found] = rows
  if (!found) throw new Error('the deal is gone')
  deal ??= {
    ...terms,
    ...found,
    offers: [],
    firstAmount: amount,
    proposals: 1,
    paymentId: null,
    secrets: [],
    charged: false,
    disputed: false,
    decidedBy: null,
  }
  return { ...deal, ...found }
}

async function begin(telling: Telling, deal: Agreed): Promise<{ clientSecret: string; paymentId: number }> {
  const { market, promised } = telling
  const { itemId, offerId, amount, buyer } = deal
  let begun: { clientSecret: string; paymentId: number } | null = null
  await insist(
    telling,
    'a checkout',
    async () => begun !== null,
    async () => {
      const answer = await market.call(buyer, 'POST /api/create-escrow-payment', { itemId, offerId, amount })
      if (!hearOut(telling, 'starting', answer)) return
      begun = { clientSecret: String(answer.body.clientSecret), paymentId: Number(answer.body.paymentId) }
      promised.push({
        what: 'started',
        paymentId: begun.paymentId,
        intentId: intentOf(begun.clientSecret),
        offerId,
        amount,
      })
    },
  )
  if (!begun) throw new Error('there is no checkout')
  return begun
}

const stands = ({ market }: Telling, paymentId: number, ...statuses: string[]) =>
  finds(market, 'select from payments where id = $1 and status = any ($2)', [paymentId, statuses])

async function pay(telling: Telling): Promise<Paid> {
  const { market } = telling
  const deal = await agreeOn(telling)
  const { clientSecret, paymentId } = await begin(telling, deal)
  const charged = finds(
    market,
    "select from sandbox.objects where id = $1 and body ->> 'status' = 'succeeded'",
    [intentOf(clientSecret)],
  )
  await insist(telling, 'the card charged', charged, () => market.enterCard(clientSecret, '4242424242424242'))
  telling.promised.push({ what: 'charged', intentId: intentOf(clientSecret) })
  await insist(telling, 'the money held', stands(telling, paymentId, 'held_in_escrow'), nothing)
  return { ...deal, paymentId }
}

/** A call that is made until the payment stands where it leads. */
async function bring(
  telling: Telling,
  paymentId: number,
  to: string[],
  what: string,
  ask: () => Promise<Answer>,
  promise?: Promised,
): Promise<void> {
  await insist(telling, what, stands(telling, paymentId, ...to), async () => {
    const done = hearOut(telling, what, await ask())
    if (done && promise) telling.promised.push(promise)
  })
}

const confirm = (telling: Telling, { paymentId, buyer }: Paid) =>
  bring(
    telling,
    paymentId,
    ['completed'],
    'a confirmation',
    () => telling.market.call(buyer, `POST /api/payments/${paymentId}/confirm-delivery`),
    { what: 'confirmed', paymentId },
  )

/** Not promised to be seen again: a story that goes on withdraws or decides it. */
const dispute = (telling: Telling, { paymentId, buyer }: Paid) =>
  bring(telling, paymentId, ['disputed', 'under_review'], 'a dispute', () =>
    telling.market.call(buyer, `POST /api/payments/${paymentId}/dispute`, {}),
  )

/** The seller has a connected account that can receive. */
async function connect(telling: Telling): Promise<void> {
  const { market, terms } = telling
  const isReady = finds(
    market,
    `select from users u join sandbox.objects a on a.id = u.stripe_connect_account_id
     where u.id = $1 and a.body -> 'capabilities' ->> 'transfers' = 'active'`,
    [terms.seller.id],
  )
  await insist(telling, 'an account to be paid to', isReady, async () => {
    const call = 'POST /api/seller/setup-stripe-connect'
    const answer = await market.call(terms.seller, call, { country: 'US' })
    if (!hearOut(telling, 'connecting', answer)) return
    const page = await market.openPage(String(answer.body.onboardingUrl))
    const [, path] = page.match(/action="([^"]+\/complete)"/) ?? []
    if (path) await market.press(path)
  })
}

const payoutIs = ({ market }: Telling, paymentId: number, status: string, method: string) =>
  finds(market, 'select from payouts where payment_id = $1 and status = $2 and method = $3', [
    paymentId,
    status,
    method,
  ])

const SWEPT_MS = 3_000

/** Long enough for everything that is gone through every second. */
export const quiet: Story = () => wait(SWEPT_MS)

export const agreed: Story = async (telling) => void (await agreeOn(telling))

export const paid: Story = async (telling) => void (await pay(telling))

export const connected: Story = (telling) => connect(telling)

export const confirmed: Story = async (telling) => {
  await connect(telling)
  const deal = await pay(telling)
  await confirm(telling, deal)
  await insist(telling, 'the seller paid', payoutIs(telling, deal.paymentId, 'paid', 'transfer'), nothing)
}

export const rated: Story = async (telling) => {
  const deal = await pay(telling)
  const { paymentId, buyer } = deal
  await confirm(telling, deal)
  const isRated = finds(telling.market, 'select from ratings where payment_id = $1', [paymentId])
  await insist(telling, 'a rating', isRated, async () => {
    const answer = await telling.market.call(buyer, `POST /api/payments/${paymentId}/submit-rating`, {
      rating: 4,
    })
    if (hearOut(telling, 'rating', answer)) telling.promised.push({ what: 'rated', paymentId, rating: 4 })
  })
}

export const lapsed: Story = async (telling) => {
  const { market } = telling
  const { paymentId } = await pay(telling)
  await market.sql.query('update payments set escrow_hold_until = $1 where id = $2', [
    market.now(),
    paymentId,
  ])
  await insist(telling, 'a release', stands(telling, paymentId, 'completed'), nothing)
}

const isRefunded = ({ market }: Telling, paymentId: number) =>
  finds(market, 'select from payments where id = $1 and refunded_at is not null', [paymentId])

export const refunded: Story = async (telling) => {
  const deal = await pay(telling)
  const { paymentId, admin, amount } = deal
  await dispute(telling, deal)
  const ask = () =>
    telling.market.call(admin, `POST /api/admin/disputes/${paymentId}/resolve`, { action: 'refund_full' })
  const status = 'resolved_buyer'
  await bring(telling, paymentId, [status], 'a ruling', ask, {
    what: 'ruled',
    paymentId,
    status,
    refundCents: amount,
  })
  await insist(telling, 'the money back', isRefunded(telling, paymentId), nothing)
}

export const settled: Story = async (telling) => {
  const { market } = telling
  await connect(telling)
  const deal = await pay(telling)
  const { paymentId, buyer, seller } = deal
  await dispute(telling, deal)
  const refundAmount = Math.floor(deal.amount / 3)
  const path = `POST /api/disputes/${paymentId}/settlement`
  const status = 'resolved_partial'
  await bring(
    telling,
    paymentId,
    [status],
    'a settlement',
    async () => {
      hearOut(telling, 'proposing', await market.call(buyer, path, { refundAmount }))
      return market.call(seller, `${path}/accept`, { refundAmount })
    },
    { what: 'ruled', paymentId, status, refundCents: refundAmount },
  )
  await insist(telling, 'the money back', isRefunded(telling, paymentId), nothing)
  await insist(telling, 'the seller paid', payoutIs(telling, paymentId, 'paid', 'transfer'), nothing)
}

export const withdrawn: Story = async (telling) => {
  const deal = await pay(telling)
  await dispute(telling, deal)
  await bring(telling, deal.paymentId, ['held_in_escrow'], 'the dispute withdrawn', () =>
    telling.market.call(deal.buyer, `POST /api/disputes/${deal.paymentId}/withdraw`),
  )
}

export const chargedBack: Story = async (telling) => {
  const { market } = telling
  const { paymentId } = await pay(telling)
  const ofIntent = `sandbox.objects where kind = 'dispute' and body ->> 'payment_intent' = (
    select stripe_payment_intent_id from payments where id = $1)`
  const { rows } = await market.sql.query<{ id: string }>(
    'select stripe_payment_intent_id as id from payments where id = $1',
    [paymentId],
  )
  await insist(telling, 'a chargeback', finds(market, `select from ${ofIntent}`, [paymentId]), () =>
    market.press(`/sandbox/payments/${rows[0]?.id}/dispute`),
  )
  await insist(telling, 'the payment stopped', stands(telling, paymentId, 'disputed'), nothing)
  const lost = finds(market, `select from ${ofIntent} and body ->> 'status' = 'lost'`, [paymentId])
  const { rows: made } = await market.sql.query<{ id: string }>(`select id from ${ofIntent}`, [paymentId])
  await insist(telling, 'the bank’s word', lost, () => market.press(`/sandbox/disputes/${made[0]?.id}/lost`))
  await insist(telling, 'the bank’s word heard', stands(telling, paymentId, 'resolved_buyer'), nothing)
}

const BANK = {
  account_holder_name: 'Model Seller',
  routing_number: '021000021',
  account_number: '000123456789',
}

async function payByHand(telling: Telling): Promise<{ payoutId: number; admin: Deal['admin'] }> {
  const { market, terms } = telling
  const { seller, admin } = terms
  const hasBank = finds(market, 'select from users where id = $1 and bank_account_details is not null', [
    seller.id,
  ])
  await insist(telling, 'bank details', hasBank, async () => {
    const answer = await market.call(seller, 'POST /api/seller/save-bank-account', BANK)
    if (hearOut(telling, 'saving', answer)) telling.promised.push({ what: 'bank saved', sellerId: seller.id })
  })
  const deal = await pay(telling)
  await confirm(telling, deal)
  await insist(telling, 'a payout by hand', payoutIs(telling, deal.paymentId, 'owed', 'manual'), nothing)
  const { rows } = await market.sql.query<{ id: number }>('select id from payouts where payment_id = $1', [
    deal.paymentId,
  ])
  const payoutId = rows[0]?.id ?? 0
  await insist(telling, 'it marked', payoutIs(telling, deal.paymentId, 'paid', 'manual'), async () => {
    const call = `POST /api/admin/payouts/${payoutId}/paid`
    hearOut(telling, 'marking', await market.call(admin, call, { reference: 'W-1' }))
  })
  return { payoutId, admin }
}

export const paidByHand: Story = async (telling) => void (await payByHand(telling))

export const takenBack: Story = async (telling) => {
  const { market } = telling
  const { payoutId, admin } = await payByHand(telling)
  const isBack = finds(market, "select from payouts where id = $1 and status = 'owed'", [payoutId])
  await insist(telling, 'it taken back', isBack, async () => {
    hearOut(telling, 'taking back', await market.call(admin, `POST /api/admin/payouts/${payoutId}/undo`))
  })
}

export const deleted: Story = async (telling) => {
  const { market, terms } = telling
  const { seller } = terms
  await begin(telling, await agreeOn(telling))
  seller.mayBeOut = true
  seller.leaving = true
  const isGone = finds(market, 'select from users where id = $1 and deleted_at is not null', [seller.id])
  await insist(telling, 'the account gone', isGone, async () => {
    const call = 'POST /api/user/delete-account'
    const answer = await market.call(seller, call, { password: seller.password })
    if (hearOut(telling, 'leaving', answer)) telling.promised.push({ what: 'deleted', userId: seller.id })
  })
}
