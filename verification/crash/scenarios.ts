import { setTimeout as wait } from 'node:timers/promises'
import { intentOf } from '@sought/server/market-builder/card-browser'
import { type Acknowledged, type Answer, type Deal, type Market, outcomeOf } from '../simulation/market.ts'
import { requestBody } from '../simulation/offer-actions.ts'
import { agreeOnOffer, type Terms } from '../simulation/open-deal.ts'
import type { ProcessMarket } from '../simulation/process-market.ts'

/*
 * Scenarios with users who retry: without an answer they repeat the call until they reach their goal. So every
 * scenario completes, wherever a server is killed.
 */

export interface ScenarioRun {
  market: ProcessMarket
  terms: Terms
  acknowledged: Acknowledged[]
  /** Answers that no user should ever get. */
  violations: string[]
}

export type Scenario = (run: ScenarioRun) => Promise<void>

/** The servers must recover within this time without help. */
const WITHIN_MS = 30_000
const PAUSE_MS = 20
const DAY_MS = 86_400_000
/** The provider makes its payouts and the servers read them. */
const PAUSE_PER_DAY_MS = 2_000

/** Repeats the attempt until it is done. A refusal may mean that an earlier attempt succeeded. */
async function retryUntil(
  { market }: ScenarioRun,
  what: string,
  isDone: () => Promise<boolean>,
  attempt: () => Promise<unknown>,
): Promise<void> {
  const deadline = Date.now() + WITHIN_MS
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error(`not reached within ${WITHIN_MS / 1000} seconds: ${what}`)
    await attempt()
    await wait(PAUSE_MS)
  }
  market.counters.count('scenario steps', what)
}

/** For work that the servers must do without a call. */
const justWait = async () => {}

/** Whether the query returns a row. */
const hasRows = (market: Market, text: string, values: unknown[]) => async () =>
  (await market.sql.query(text, values)).rowCount !== 0

/** Records internal errors and answers without a code as violations. */
function checkAnswer(run: ScenarioRun, what: string, answer: Answer): boolean {
  const outcome = outcomeOf(answer)
  if (outcome === 'internal' || /^\d+$/.test(outcome)) run.violations.push(`${what} was answered ${outcome}`)
  return outcome === 'ok'
}

type Agreed = Deal & { offerId: number }
type Paid = Agreed & { paymentId: number }

async function agreeOnDeal(run: ScenarioRun): Promise<Agreed> {
  const { market, terms } = run
  const { buyer, seller, amount } = terms
  let deal = await agreeOnOffer(market, terms).catch(() => null)
  // If a server was killed in the meantime, continues with the data in the database.
  let itemId = 0
  const offered = hasRows(
    market,
    "select from offers where buyer_id = $1 and seller_id = $2 and status = 'accepted'",
    [buyer.id, seller.id],
  )
  await retryUntil(run, 'a deal', offered, async () => {
    if (!itemId)
      itemId = Number((await market.call(buyer, 'POST /api/wanted-items', requestBody(amount))).body.id) || 0
    const body = { wantedItemId: itemId, receiverId: buyer.id, amount }
    const offer = itemId ? await market.call(seller, 'POST /api/offers', body) : null
    if (!offer || !checkAnswer(run, 'an offer', offer)) return
    checkAnswer(run, 'accepting', await market.call(buyer, `PATCH /api/offers/${offer.body.id}/accept`))
  })
  const { rows } = await market.sql.query<{ offerId: number; itemId: number }>(
    `select id as "offerId", wanted_item_id as "itemId" from offers
     where buyer_id = $1 and seller_id = $2 and status = 'accepted' order by id limit 1`,
    [buyer.id, seller.id],
  )
  const [found] = rows
  if (!found) throw new Error('the deal is missing')
  deal ??= {
    ...terms,
    ...found,
    offers: [],
    firstAmount: amount,
    proposals: 1,
    paymentId: null,
    secrets: [],
    charged: false,
    refunded: false,
    disputed: false,
  }
  return { ...deal, ...found }
}

async function startPayment(
  run: ScenarioRun,
  deal: Agreed,
): Promise<{ clientSecret: string; paymentId: number }> {
  const { market, acknowledged } = run
  const { itemId, offerId, amount, buyer } = deal
  let started: { clientSecret: string; paymentId: number } | null = null
  await retryUntil(
    run,
    'a checkout',
    async () => started !== null,
    async () => {
      const answer = await market.call(buyer, 'POST /api/create-escrow-payment', { itemId, offerId, amount })
      if (!checkAnswer(run, 'starting', answer)) return
      started = { clientSecret: String(answer.body.clientSecret), paymentId: Number(answer.body.paymentId) }
      acknowledged.push({
        what: 'started',
        paymentId: started.paymentId,
        intentId: intentOf(started.clientSecret),
        offerId,
        amount,
      })
    },
  )
  if (!started) throw new Error('there is no checkout')
  return started
}

const hasStatus = ({ market }: ScenarioRun, paymentId: number, ...statuses: string[]) =>
  hasRows(market, 'select from payments where id = $1 and status = any ($2)', [paymentId, statuses])

const byCard =
  (card = '4242424242424242') =>
  ({ market }: ScenarioRun, secret: string) =>
    market.enterCard(secret, card)

const SEPA_DEBIT = 'pm_success_de'

const byDebit = ({ market }: ScenarioRun, secret: string) =>
  market.enterMethod(secret, { payment_method: SEPA_DEBIT })

async function pay(run: ScenarioRun, enter = byCard()): Promise<Paid> {
  const { market } = run
  const deal = await agreeOnDeal(run)
  const { clientSecret, paymentId } = await startPayment(run, deal)
  const charged = hasRows(
    market,
    "select from sandbox.objects where id = $1 and body ->> 'status' = 'succeeded'",
    [intentOf(clientSecret)],
  )
  await retryUntil(run, 'the buyer charged', charged, () => enter(run, clientSecret))
  run.acknowledged.push({ what: 'charged', intentId: intentOf(clientSecret) })
  await retryUntil(run, 'the money held', hasStatus(run, paymentId, 'held_in_escrow'), justWait)
  return { ...deal, paymentId }
}

/** Repeats a call until the payment has one of these statuses. */
async function callUntilStatus(
  run: ScenarioRun,
  paymentId: number,
  to: string[],
  what: string,
  ask: () => Promise<Answer>,
  acknowledgement?: Acknowledged,
): Promise<void> {
  await retryUntil(run, what, hasStatus(run, paymentId, ...to), async () => {
    const done = checkAnswer(run, what, await ask())
    if (done && acknowledgement) run.acknowledged.push(acknowledgement)
  })
}

const confirm = (run: ScenarioRun, { paymentId, buyer }: Paid) =>
  callUntilStatus(
    run,
    paymentId,
    ['completed'],
    'a confirmation',
    () => run.market.call(buyer, `POST /api/payments/${paymentId}/confirm-delivery`),
    { what: 'confirmed', paymentId },
  )

/** The dispute is not recorded as acknowledged, because the scenarios then withdraw or decide it. */
const dispute = (run: ScenarioRun, { paymentId, buyer }: Paid) =>
  callUntilStatus(run, paymentId, ['disputed', 'under_review'], 'a dispute', () =>
    run.market.call(buyer, `POST /api/payments/${paymentId}/dispute`, {}),
  )

/** Gives the seller a connected account that can receive transfers. */
async function connect(run: ScenarioRun): Promise<void> {
  const { market, terms } = run
  const isReady = hasRows(
    market,
    `select from users u join sandbox.objects a on a.id = u.stripe_connect_account_id
     where u.id = $1 and a.body -> 'capabilities' ->> 'transfers' = 'active'`,
    [terms.seller.id],
  )
  await retryUntil(run, 'an account to be paid to', isReady, async () => {
    const call = 'POST /api/seller/setup-stripe-connect'
    const answer = await market.call(terms.seller, call, { country: 'US' })
    if (!checkAnswer(run, 'connecting', answer)) return
    const page = await market.openPage(String(answer.body.onboardingUrl))
    const [, path] = page.match(/action="([^"]+\/complete)"/) ?? []
    if (path) await market.press(path)
  })
}

const payoutIs = ({ market }: ScenarioRun, paymentId: number, status: string, method: string) =>
  hasRows(market, 'select from payouts where payment_id = $1 and status = $2 and method = $3', [
    paymentId,
    status,
    method,
  ])

const SWEEP_MS = 3_000

/** The sweeps run every second. */
export const waitForSweeps: Scenario = () => wait(SWEEP_MS)

export const makeDeal: Scenario = async (run) => void (await agreeOnDeal(run))

export const payDeal: Scenario = async (run) => void (await pay(run))

/** The money of a debit comes after a few seconds. */
export const payByDebit: Scenario = async (run) => void (await pay(run, byDebit))

export const connectAccount: Scenario = (run) => connect(run)

async function payOut(run: ScenarioRun): Promise<Paid> {
  await connect(run)
  const deal = await pay(run)
  await confirm(run, deal)
  await retryUntil(run, 'the seller paid', payoutIs(run, deal.paymentId, 'paid', 'transfer'), justWait)
  return deal
}

export const confirmDelivery: Scenario = async (run) => void (await payOut(run))

export const rateSeller: Scenario = async (run) => {
  const deal = await pay(run)
  const { paymentId, buyer } = deal
  await confirm(run, deal)
  const isRated = hasRows(run.market, 'select from reviews where payment_id = $1', [paymentId])
  await retryUntil(run, 'a rating', isRated, async () => {
    const answer = await run.market.call(buyer, `POST /api/payments/${paymentId}/submit-rating`, {
      rating: 4,
    })
    if (checkAnswer(run, 'rating', answer)) run.acknowledged.push({ what: 'rated', paymentId, rating: 4 })
  })
}

export const expireHold: Scenario = async (run) => {
  const { market } = run
  const { paymentId } = await pay(run)
  await market.sql.query('update payments set escrow_hold_until = $1 where id = $2', [
    market.now(),
    paymentId,
  ])
  await retryUntil(run, 'a release', hasStatus(run, paymentId, 'completed'), justWait)
}

const isRefunded = ({ market }: ScenarioRun, paymentId: number) =>
  hasRows(market, 'select from payments where id = $1 and refunded_at is not null', [paymentId])

export const refundBuyer: Scenario = async (run) => {
  const deal = await pay(run)
  const { paymentId, admin, amount } = deal
  await dispute(run, deal)
  const ask = () =>
    run.market.call(admin, `POST /api/admin/disputes/${paymentId}/resolve`, { action: 'refund_full' })
  const status = 'resolved_buyer'
  await callUntilStatus(run, paymentId, [status], 'a ruling', ask, {
    what: 'ruled',
    paymentId,
    status,
    refundCents: amount,
  })
  await retryUntil(run, 'the refund', isRefunded(run, paymentId), justWait)
}

export const settleDispute: Scenario = async (run) => {
  const { market } = run
  await connect(run)
  const deal = await pay(run)
  const { paymentId, buyer, seller } = deal
  await dispute(run, deal)
  const refundAmount = Math.floor(deal.amount / 3)
  const path = `POST /api/disputes/${paymentId}/settlement`
  const status = 'resolved_partial'
  await callUntilStatus(
    run,
    paymentId,
    [status],
    'a settlement',
    async () => {
      checkAnswer(run, 'proposing', await market.call(buyer, path, { refundAmount }))
      return market.call(seller, `${path}/accept`, { refundAmount })
    },
    { what: 'ruled', paymentId, status, refundCents: refundAmount },
  )
  await retryUntil(run, 'the refund', isRefunded(run, paymentId), justWait)
  await retryUntil(run, 'the seller paid', payoutIs(run, paymentId, 'paid', 'transfer'), justWait)
}

export const withdrawDispute: Scenario = async (run) => {
  const deal = await pay(run)
  await dispute(run, deal)
  await callUntilStatus(run, deal.paymentId, ['held_in_escrow'], 'the dispute withdrawn', () =>
    run.market.call(deal.buyer, `POST /api/disputes/${deal.paymentId}/withdraw`),
  )
}

const ofIntent = `sandbox.objects where body ->> 'payment_intent' = (
  select stripe_payment_intent_id from payments where id = $1)`

async function findIntent({ market }: ScenarioRun, paymentId: number): Promise<string> {
  const { rows } = await market.sql.query<{ id: string }>(
    'select stripe_payment_intent_id as id from payments where id = $1',
    [paymentId],
  )
  return rows[0]?.id ?? ''
}

/** The buyer's bank takes the money. Returns the provider's id of the dispute. */
async function openChargeback(run: ScenarioRun, paymentId: number, form = {}): Promise<string> {
  const { market } = run
  const dispute = `${ofIntent} and kind = 'dispute'`
  const address = `/sandbox/payments/${await findIntent(run, paymentId)}/dispute`
  await retryUntil(run, 'a chargeback', hasRows(market, `select from ${dispute}`, [paymentId]), () =>
    market.press(address, form),
  )
  const { rows } = await market.sql.query<{ id: string }>(`select id from ${dispute}`, [paymentId])
  return rows[0]?.id ?? ''
}

async function closeChargeback(run: ScenarioRun, id: string, verdict: 'won' | 'lost'): Promise<void> {
  const isClosed = hasRows(
    run.market,
    "select from sandbox.objects where id = $1 and body ->> 'status' = $2",
    [id, verdict],
  )
  await retryUntil(run, 'the decision of the bank', isClosed, () =>
    run.market.press(`/sandbox/disputes/${id}/${verdict}`),
  )
}

export const chargeBack: Scenario = async (run) => {
  const { paymentId } = await pay(run)
  const id = await openChargeback(run, paymentId)
  await retryUntil(run, 'the payment stopped', hasStatus(run, paymentId, 'disputed'), justWait)
  await closeChargeback(run, id, 'lost')
  const isApplied = hasStatus(run, paymentId, 'resolved_buyer')
  await retryUntil(run, 'the decision of the bank applied', isApplied, justWait)
}

/** Half of the amount is disputed, and the bank decides about it. */
const decideChargeback =
  (verdict: 'won' | 'lost'): Scenario =>
  async (run) => {
    const { paymentId, amount } = await pay(run)
    const half = Math.floor(amount / 2)
    const id = await openChargeback(run, paymentId, { amount: String(half) })
    await retryUntil(run, 'the payment stopped', hasStatus(run, paymentId, 'disputed'), justWait)
    await closeChargeback(run, id, verdict)
    const isApplied = hasRows(
      run.market,
      "select from payments where id = $1 and status = 'held_in_escrow' and returned_cents = $2",
      [paymentId, verdict === 'won' ? 0 : half],
    )
    await retryUntil(run, 'the decision of the bank applied', isApplied, justWait)
  }

export const winChargeback = decideChargeback('won')
export const losePartOfPayment = decideChargeback('lost')

/** A payout is taken back, and is owed again once the chargeback is won. */
export const takeBackPayout: Scenario = async (run) => {
  const { paymentId } = await payOut(run)
  const id = await openChargeback(run, paymentId)
  const isTakenBack = hasRows(
    run.market,
    "select from payouts where payment_id = $1 and status = 'frozen' and reversed_cents > 0",
    [paymentId],
  )
  await retryUntil(run, 'the payout taken back', isTakenBack, justWait)
  await closeChargeback(run, id, 'won')
  const isRestored = hasRows(
    run.market,
    "select from payouts where payment_id = $1 and status in ('owed', 'sending', 'paid')",
    [paymentId],
  )
  await retryUntil(run, 'the payout owed again', isRestored, justWait)
}

/** A third of the payment is refunded in the provider's dashboard. */
export const refundInDashboard: Scenario = async (run) => {
  const { paymentId, amount } = await pay(run)
  const third = Math.floor(amount / 3)
  const isRefunded = hasRows(run.market, `select from ${ofIntent} and kind = 'refund'`, [paymentId])
  const address = `/sandbox/payments/${await findIntent(run, paymentId)}/refund`
  await retryUntil(run, 'a refund in the dashboard', isRefunded, () =>
    run.market.press(address, { amount: String(third) }),
  )
  const isApplied = hasRows(run.market, 'select from payments where id = $1 and returned_cents = $2', [
    paymentId,
    third,
  ])
  await retryUntil(run, 'the refund applied', isApplied, justWait)
}

export const reverseInDashboard: Scenario = async (run) => {
  const { paymentId } = await payOut(run)
  const { rows } = await run.market.sql.query<{ id: string }>(
    'select provider_id as id from payouts where payment_id = $1',
    [paymentId],
  )
  const isReversed = hasRows(
    run.market,
    "select from sandbox.objects where id = $1 and body ->> 'reversed' = 'true'",
    [rows[0]?.id],
  )
  await retryUntil(run, 'a reversal in the dashboard', isReversed, () =>
    run.market.press(`/sandbox/transfers/${rows[0]?.id}/reverse`),
  )
  await retryUntil(run, 'the reversal applied', payoutIs(run, paymentId, 'reversed', 'transfer'), justWait)
}

const REFUND_FAILS = '4000000000005126'

/** The buyer's bank returns a refund after a few seconds. */
export const failRefund: Scenario = async (run) => {
  const deal = await pay(run, byCard(REFUND_FAILS))
  const { paymentId, admin } = deal
  await dispute(run, deal)
  await callUntilStatus(run, paymentId, ['resolved_buyer'], 'a ruling', () =>
    run.market.call(admin, `POST /api/admin/disputes/${paymentId}/resolve`, { action: 'refund_full' }),
  )
  const isOwedAgain = hasRows(
    run.market,
    'select from payments where id = $1 and refunded_at is null and refund_failed_at is not null',
    [paymentId],
  )
  await retryUntil(run, 'the refund owed again', isOwedAgain, justWait)
}

/** Simulates the next night. */
export const reconcileBalance: Scenario = async (run) => {
  await run.market.sql.query('delete from reconciliations')
  const isDone = hasRows(run.market, 'select from reconciliations', [])
  await retryUntil(run, 'the balance reconciled', isDone, justWait)
}

const BANK = {
  account_holder_name: 'Model Seller',
  routing_number: '021000021',
  account_number: '000123456789',
}

async function payManualPayout(run: ScenarioRun): Promise<{ payoutId: number; paymentId: number }> {
  const { market, terms } = run
  const { seller, admin } = terms
  const hasBank = hasRows(market, 'select from users where id = $1 and bank_account_details is not null', [
    seller.id,
  ])
  await retryUntil(run, 'bank details', hasBank, async () => {
    const answer = await market.call(seller, 'POST /api/seller/save-bank-account', BANK)
    if (checkAnswer(run, 'saving', answer)) run.acknowledged.push({ what: 'bank saved', sellerId: seller.id })
  })
  const deal = await pay(run)
  await confirm(run, deal)
  await retryUntil(run, 'a manual payout', payoutIs(run, deal.paymentId, 'owed', 'manual'), justWait)
  const { rows } = await market.sql.query<{ id: number }>('select id from payouts where payment_id = $1', [
    deal.paymentId,
  ])
  const payoutId = rows[0]?.id ?? 0
  await retryUntil(
    run,
    'the payout marked as paid',
    payoutIs(run, deal.paymentId, 'paid', 'manual'),
    async () => {
      const call = `POST /api/admin/payouts/${payoutId}/paid`
      checkAnswer(run, 'marking', await market.call(admin, call, { reference: 'W-1' }))
    },
  )
  return { payoutId, paymentId: deal.paymentId }
}

export const payManually: Scenario = async (run) => void (await payManualPayout(run))

export const undoManualPayout: Scenario = async (run) => {
  const { market, terms } = run
  const { payoutId } = await payManualPayout(run)
  const isUndone = hasRows(market, "select from payouts where id = $1 and status = 'owed'", [payoutId])
  await retryUntil(run, 'the payout undone', isUndone, async () => {
    checkAnswer(
      run,
      'undoing the payout',
      await market.call(terms.admin, `POST /api/admin/payouts/${payoutId}/undo`),
    )
  })
}

/** Half of the price is taken back from the transfer. */
export const refundReleased: Scenario = async (run) => {
  const { market } = run
  const { paymentId, seller, amount } = await payOut(run)
  const isAsked = hasRows(market, 'select from payment_refunds where payment_id = $1', [paymentId])
  await retryUntil(run, 'a refund by the seller', isAsked, async () => {
    const body = { amount: Math.floor(amount / 2), reason: 'A part is missing' }
    checkAnswer(run, 'refunding', await market.call(seller, `POST /api/payments/${paymentId}/refund`, body))
  })
  await retryUntil(run, 'the refund', isRefunded(run, paymentId), justWait)
  const isTakenBack = hasRows(
    market,
    "select from ledger_entries where payment_id = $1 and key like 'refund-reversal:%'",
    [paymentId],
  )
  await retryUntil(run, 'the transfer reversed', isTakenBack, justWait)
}

/** Nothing can be taken back from a bank, so the seller owes what a lost chargeback costs. */
async function oweChargeback(run: ScenarioRun): Promise<void> {
  const { market, terms } = run
  const { paymentId } = await payManualPayout(run)
  await closeChargeback(run, await openChargeback(run, paymentId), 'lost')
  const isOwed = hasRows(market, 'select from debts where user_id = $1', [terms.seller.id])
  await retryUntil(run, 'a debt', isOwed, justWait)
}

/** The debt is taken from the payout of the seller's next deal, with another buyer. */
export const settleDebt: Scenario = async (run) => {
  await oweChargeback(run)
  const { market, terms } = run
  const { seller, stranger: buyer } = terms
  const next = { ...run, terms: { ...terms, buyer } }
  const deal = await pay(next)
  await confirm(next, deal)
  const isTaken = hasRows(market, 'select from debts where user_id = $1 and settled_cents > 0', [seller.id])
  await retryUntil(run, 'the debt taken', isTaken, justWait)
}

export const waiveDebt: Scenario = async (run) => {
  await oweChargeback(run)
  const { market, terms } = run
  const of = 'from debts where user_id = $1'
  const { rows } = await market.sql.query<{ id: number }>(`select id ${of}`, [terms.seller.id])
  const isWaived = hasRows(market, `select ${of} and waived_at is not null`, [terms.seller.id])
  await retryUntil(run, 'the debt waived', isWaived, async () => {
    const call = `POST /api/admin/debts/${rows[0]?.id}/waive`
    checkAnswer(run, 'waiving', await market.call(terms.admin, call, { reason: 'Our mistake' }))
  })
}

const CLOSED_BANK_ACCOUNT = '000111111113'
/** The money becomes available after days, is paid out at midnight, and the bank returns it a day later. */
const DAYS_TO_BANK = 6

/** The seller's bank returns what the provider pays out. */
export const failBankPayout: Scenario = async (run) => {
  const { market, terms } = run
  const deal = await payOut(run)
  const { rows } = await market.sql.query<{ id: string }>(
    'select stripe_connect_account_id as id from users where id = $1',
    [terms.seller.id],
  )
  const address = `/sandbox/accounts/${rows[0]?.id}/bank-account`
  const isReplaced = hasRows(
    market,
    `select from sandbox.objects where id = $1 and body -> 'external_accounts' -> 'data' -> 0 ->> 'last4' = $2`,
    [rows[0]?.id, CLOSED_BANK_ACCOUNT.slice(-4)],
  )
  await retryUntil(run, 'another bank account', isReplaced, () =>
    market.press(address, { account_number: CLOSED_BANK_ACCOUNT }),
  )
  let days = 0
  const isReturned = hasRows(
    market,
    'select from payouts where payment_id = $1 and bank_failure is not null',
    [deal.paymentId],
  )
  await retryUntil(run, 'the payout returned', isReturned, async () => {
    if (days++ < DAYS_TO_BANK) market.moveClock(DAY_MS)
    await wait(PAUSE_PER_DAY_MS)
  })
}

export const deleteSeller: Scenario = async (run) => {
  const { market, terms } = run
  const { seller } = terms
  await startPayment(run, await agreeOnDeal(run))
  seller.mayBeSignedOut = true
  seller.isDeleting = true
  const isGone = hasRows(market, 'select from users where id = $1 and deleted_at is not null', [seller.id])
  await retryUntil(run, 'the account deleted', isGone, async () => {
    const call = 'POST /api/user/delete-account'
    const answer = await market.call(seller, call, { password: seller.password })
    if (checkAnswer(run, 'deleting the account', answer))
      run.acknowledged.push({ what: 'deleted', userId: seller.id })
  })
}
