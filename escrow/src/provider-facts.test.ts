import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Decision, findCollectable, findLoss, type LossCause } from './debts.ts'
import { STANDARD_FEES } from './fees.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from './payment-status.ts'
import { PAYOUT_STATUSES, type PayoutStatus } from './payout-status.ts'
import {
  chargebackPosting,
  conversionPosting,
  holdPosting,
  lossOwedPosting,
  type Posting,
  payoutPosting,
  releasePosting,
  restoredPosting,
  rulingPosting,
  takenBackPosting,
} from './postings.ts'
import {
  coverOf,
  FACTS,
  type FactName,
  factPostings,
  MEANINGS,
  type ReportedFact,
  SITUATIONS,
  type Situation,
  type Step,
  situationOf,
} from './provider-facts.ts'
import { calculateRuling } from './rulings.ts'

const rounding = { step: 1, payoutStep: 1 }

/*
 * Simulates a payment and its payout without a database, and a provider that obeys the card networks' limits. Random
 * actions of people, jobs and the provider are applied to them. The books must be right after each action.
 */

interface Payout {
  status: PayoutStatus
  amount: number
  reversed: number
  paidAt: Date | null
  attempt: number
}

interface TakeBack extends LossCause {
  asked: number | null
  taken: number | null
}

const reversalKey = (cause: LossCause) => takenBackPosting({ id: 7 }, cause, 0).key

interface Dispute {
  id: string
  amount: number
  isInquiry: boolean
  isOpen: boolean
  openedDispute: boolean
}

const NOW = new Date(0)

class Market {
  readonly amount: number
  status: PaymentStatus = 'held_in_escrow'
  returned = 0
  refund: number | null = null
  refundedAt: Date | null = null
  refundFailedAt: Date | null = null
  refundAttempt = 0
  payout: Payout | undefined
  balances = new Map<string, number>()
  entries: { key: string; account: string; amount: number }[] = []
  decided = new Set<string>()
  books = new Map<string, number>()
  rate = 1
  settled = 0
  keys = new Set<string>()

  /** Movements at the provider. */
  refunds: { id: string; amount: number; ours: boolean; failed: boolean }[] = []
  disputes: Dispute[] = []
  transferred = 0
  waiting: ReportedFact[] = []
  /** Losses to take back. Only the first is asked for, and the provider may have reversed it. */
  takeBacks: TakeBack[] = []
  private ids = 0

  constructor(amount: number) {
    this.amount = amount
    this.post(holdPosting(this.payment))
  }

  get payment() {
    const { amount, returned, status, refund, refundedAt, refundAttempt } = this
    const parties = { id: 7, buyerId: 'ada', sellerId: 'bob' }
    return { ...parties, amount, returned, status, refund, refundedAt, refundAttempt }
  }

  get situation(): Situation {
    const situation = situationOf(this.status, this.payout)
    if (!situation) throw new Error('a charged payment has a situation')
    return situation
  }

  get due() {
    return this.payout ? this.payout.reversed || this.payout.amount : 0
  }

  get owedRefund() {
    return this.refundedAt ? 0 : (this.refund ?? 0)
  }

  get openDisputes() {
    return this.disputes.filter(({ isOpen }) => isOpen)
  }

  /** The amount that can still be refunded or disputed at the provider. */
  get charged() {
    const refunded = this.refunds.filter(({ failed }) => !failed).reduce((sum, { amount }) => sum + amount, 0)
    const disputed = this.disputes
      .filter(({ isInquiry, isOpen, id }) => !isInquiry && (isOpen || this.lost.has(id)))
      .reduce((sum, { amount }) => sum + amount, 0)
    return this.amount - refunded - disputed
  }
  readonly lost = new Set<string>()

  newId(kind: string) {
    return `${kind}_${++this.ids}`
  }

  balance(account: string) {
    return this.balances.get(account) ?? 0
  }

  post(...postings: Posting[]) {
    for (const posting of postings) {
      const { key, entries } = posting
      if (this.keys.has(key)) throw new Error(`${key} is posted twice`)
      this.keys.add(key)
      for (const { account, amount } of entries) {
        this.balances.set(account, this.balance(account) + amount)
        this.entries.push({ key, account, amount })
      }
      const moved = entries.find(({ account }) => account === 'provider')
      this.book(posting, ...(moved ? [this.convert(key, 0 - moved.amount)] : []))
    }
  }

  /** The provider settles each change of its balance in dollars, at the rate of the moment. */
  private convert(id: string, amount: number): Posting {
    const settled = Math.round(amount * this.rate)
    this.settled += settled
    const [currency, settledCurrency] = ['myr', 'usd']
    return conversionPosting(
      { id: 7 },
      { kind: 'charge', id, amount, currency, settledAmount: settled, settledCurrency },
    )
  }

  /** The balance of each account in each currency. */
  private book(...postings: Posting[]) {
    for (const { account, amount, currency = 'myr' } of postings.flatMap(({ entries }) => entries)) {
      const name = `${account} ${currency}`
      this.books.set(name, (this.books.get(name) ?? 0) + amount)
    }
  }

  /** Something happened at the provider. We know it after the next sync. */
  report(fact: ReportedFact): void {
    this.waiting.push(fact)
  }

  /** Like applyFact in the server. Returns false if the fact must wait. */
  private apply(fact: ReportedFact): boolean {
    const steps = MEANINGS[fact.name][this.situation]
    const isRefundUnderWay = this.owedRefund > 0 && !this.refundFailedAt
    if (steps.includes('wait') || (steps.includes('owe_refund') && isRefundUnderWay)) return false
    const cover = coverOf(this.payment, this.due, fact, steps)
    if (/^dispute_(won|prevented|lost)$/.test(fact.name)) this.decided.add(fact.objectId)
    this.post(...factPostings(this.payment, fact, cover))
    for (const step of steps) this.take(step, fact, cover)
    return true
  }

  private take(step: Step, fact: ReportedFact, cover: { escrow: number; refund: number; payout: number }) {
    const { payout } = this
    switch (step) {
      case 'return_from_escrow':
        this.returned += cover.escrow
        if (this.returned === this.amount) this.status = 'resolved_buyer'
        return
      case 'put_back_into_escrow':
        this.returned -= fact.amount
        return
      case 'take_from_payout':
        if (payout && cover.payout > 0) takeFrom(payout, cover.payout)
        return
      case 'count_as_refund':
        if (cover.refund === 0) return
        if (cover.refund === this.refund) Object.assign(this, { refundedAt: NOW, refundFailedAt: null })
        else {
          this.refund = (this.refund ?? 0) - cover.refund
          this.returned = Math.min(this.amount, this.returned + cover.refund)
        }
        return
      case 'owe_refund':
        this.refund = this.owedRefund + fact.amount
        this.refundedAt = null
        this.refundFailedAt = NOW
        this.refundAttempt++
        return
      case 'open_dispute':
        this.status = 'disputed'
        for (const dispute of this.disputes) if (dispute.id === fact.objectId) dispute.openedDispute = true
        return
      case 'resume':
        if (this.openDisputes.length > 0 || this.status !== 'disputed') return
        if (this.disputes.some(({ openedDispute }) => openedDispute)) this.status = 'held_in_escrow'
        return
      case 'freeze_payout':
        if (payout) payout.status = 'frozen'
        return
      case 'unfreeze_payout':
        this.unfreeze()
        return
      case 'reverse_transfer':
        if (!payout) return
        payout.status = 'frozen'
        this.collect({ reason: 'chargeback', causeId: fact.objectId })
        return
      case 'settle_taken_back':
        if (payout) this.settleTakenBack(payout, fact.objectId)
        return
      case 'book_reversal':
        if (!payout) return
        payout.reversed = (payout.status === 'paid' ? 0 : payout.reversed) + fact.amount
        payout.status = 'reversed'
        return
      case 'collect_loss':
        this.collect({ reason: fact.name === 'refunded' ? 'refund' : 'chargeback', causeId: fact.objectId })
        return
      case 'await_bank':
      case 'book_loss':
      case 'wait':
        return
    }
  }

  private unfreeze() {
    const { payout } = this
    if (payout?.status !== 'frozen' || this.openDisputes.length > 0) return
    payout.status = payout.paidAt ? 'paid' : 'owed'
  }

  /** Like take-back.ts in the server. */
  private collect(cause: LossCause) {
    if (!this.takeBacks.some(({ causeId }) => causeId === cause.causeId))
      this.takeBacks.push({ ...cause, asked: null, taken: null })
    this.takeNext()
  }

  private takeNext() {
    for (let [next] = this.takeBacks; next && next.asked === null; [next] = this.takeBacks) {
      const amount = this.findReversible(next)
      if (amount > 0) next.asked = amount
      else {
        this.takeBacks.shift()
        this.owe(next)
      }
    }
  }

  private findReversible(cause: LossCause) {
    const { payout } = this
    if (!payout?.paidAt || this.keys.has(reversalKey(cause))) return 0
    return Math.min(this.findCollectable(cause), payout.amount - payout.reversed)
  }

  private findCollectable(cause: LossCause) {
    return findCollectable(this.entries, cause, this.decisionOn(cause), this.owedRefund, rounding)
  }

  decisionOn({ reason, causeId }: LossCause): Decision {
    const dispute = this.disputes.find(({ id }) => id === causeId)
    if (reason === 'refund' || !dispute) return { outcome: 'lost', lost: 0 }
    if (!this.decided.has(causeId)) return { outcome: 'open', disputed: dispute.amount }
    return this.lost.has(causeId) ? { outcome: 'lost', lost: dispute.amount } : { outcome: 'won' }
  }

  private owe(cause: LossCause) {
    const amount = this.decisionOn(cause).outcome === 'lost' ? this.findCollectable(cause) : 0
    if (amount > 0) this.post(lossOwedPosting(this.payment, cause, amount))
  }

  private settleTakenBack(payout: Payout, causeId: string) {
    const cause = { reason: 'chargeback', causeId } as const
    const amount = this.sumOf(
      (entry) => entry.key === reversalKey(cause) && entry.account.startsWith('losses:'),
    )
    if (amount === 0) return
    payout.reversed -= amount
    this.settle(payout, cause, amount)
  }

  /** The reversal at the provider is booked. */
  record({ taken, ...cause }: TakeBack) {
    const { payout } = this
    if (!payout || taken === null) return
    this.takeBacks.shift()
    if (taken > 0) {
      this.post(takenBackPosting({ id: 7 }, cause, taken))
      this.settle(payout, cause, taken)
      this.unfreeze()
    }
    this.owe(cause)
    this.takeNext()
  }

  private settle(payout: Payout, cause: LossCause, amount: number) {
    const decision = this.decisionOn(cause)
    if (decision.outcome === 'open') {
      payout.reversed += amount
      return
    }
    const surplus = decision.outcome === 'won' ? 0 : findLoss(this.entries, cause, decision.lost)
    const returned = decision.outcome === 'won' ? amount : Math.max(0, -surplus)
    if (amount - returned === payout.amount) payout.status = 'cancelled'
    else payout.amount -= amount - returned
    if (returned === 0) return
    this.post(restoredPosting(this.payment, cause, returned, decision.outcome === 'won' ? 'won' : 'surplus'))
    if (payout.paidAt && payout.status !== 'reversed') {
      expect(payout.reversed).toBe(0)
      Object.assign(payout, unpaidAgain(payout))
    }
    payout.reversed += returned
  }

  private sumOf(isIncluded: (entry: { key: string; account: string }) => boolean) {
    return this.entries.filter(isIncluded).reduce((sum, { amount }) => sum + amount, 0)
  }

  /**
   * Like syncCharge in the server, but in any order: only facts about the same object keep theirs, and only those wait
   * for each other. Returns whether everything was applied.
   */
  sync(order = 0): boolean {
    const ids = [...new Set(this.waiting.map(({ objectId }) => objectId))]
    const reported = this.waiting
    this.waiting = []
    for (const id of inOrder(ids, order)) {
      const facts = reported.filter(({ objectId }) => objectId === id)
      const firstToWait = facts.findIndex((fact) => !this.apply(fact))
      if (firstToWait >= 0) this.waiting.push(...facts.slice(firstToWait))
    }
    return this.waiting.length === 0
  }
}

/** Numbers between 0 and 1 give all orders of the items, and 0 their own. */
function inOrder<Item>(items: readonly Item[], order: number): Item[] {
  const left = [...items]
  let rest = order
  return items.flatMap(() => {
    const scaled = rest * left.length
    const at = Math.min(left.length - 1, Math.floor(scaled))
    rest = scaled - at
    return left.splice(at, 1)
  })
}

const unpaidAgain = ({ attempt }: Payout) => ({ status: 'frozen', paidAt: null, attempt: attempt + 1 })

function takeFrom(payout: Payout, taken: number) {
  const { amount, reversed } = payout
  if (taken === amount) payout.status = 'cancelled'
  else if (taken === reversed)
    Object.assign(payout, { status: 'paid', amount: amount - taken, reversed: 0, paidAt: NOW })
  else Object.assign(payout, { amount: amount - taken, reversed: Math.max(0, reversed - taken) })
}

/** Between one cent and the whole amount. */
const partOf = (amount: number, part: number) => Math.max(1, Math.round(amount * part))

type Action = (market: Market, part: number) => void

/**
 * Actions of people, jobs, banks and the dashboard. An impossible action does nothing. Before we move money, we ask the
 * provider about the charge.
 */
const actions = {
  sync(market, part) {
    market.sync(part)
  },
  confirm(market) {
    market.sync()
    if (market.status !== 'held_in_escrow') return
    const ruling = calculateRuling('release_seller', market.amount - market.returned, STANDARD_FEES, rounding)
    market.post(releasePosting({ ...market.payment, ...STANDARD_FEES }, rounding))
    market.status = 'completed'
    addPayout(market, ruling?.payout ?? 0)
  },
  rule(market, part) {
    market.sync()
    if (market.status !== 'disputed' && market.status !== 'held_in_escrow') return
    if (market.openDisputes.length > 0) return
    const left = market.amount - market.returned
    const ruling = calculateRuling('refund_partial', left, STANDARD_FEES, rounding, partOf(left, part))
    if (!ruling) return
    market.post(rulingPosting(market.payment, ruling))
    Object.assign(market, { status: 'resolved_partial', refund: ruling.refund })
    addPayout(market, ruling.payout)
  },
  moveRate(market, part) {
    market.rate = 0.01 + part * 4
  },
  startTransfer(market, part) {
    if (!market.sync(part) || market.openDisputes.length > 0) return
    if (market.payout?.status === 'owed') market.payout.status = 'sending'
  },
  finishTransfer(market) {
    const { payout, due } = market
    if (payout?.status !== 'sending') return
    market.transferred += due
    market.post(payoutPosting({ paymentId: 7, sellerId: 'bob', amount: due, attempt: payout.attempt }))
    Object.assign(payout, { status: 'paid', paidAt: NOW, reversed: 0 })
  },
  refund(market, part) {
    market.sync(part)
    const amount = market.owedRefund
    if (amount === 0 || market.openDisputes.length > 0 || market.charged < amount) return
    const id = market.newId('re')
    market.refunds.push({ id, amount, ours: true, failed: false })
    market.refundFailedAt = null
    market.report({ name: 'refund_made', objectId: id, amount, ours: true })
    market.sync()
  },
  failRefund(market) {
    const refund = market.refunds.findLast(({ failed }) => !failed)
    if (!refund) return
    refund.failed = true
    market.report({ name: 'refund_failed', objectId: refund.id, amount: refund.amount, ours: refund.ours })
  },
  refundInDashboard(market, part) {
    if (market.charged === 0) return
    const refund = { id: market.newId('re'), amount: partOf(market.charged, part) }
    market.refunds.push({ ...refund, ours: false, failed: false })
    market.report({ name: 'refunded', objectId: refund.id, amount: refund.amount, ours: false })
  },
  openDispute: (market, part) => openDispute(market, part, false),
  openInquiry: (market, part) => openDispute(market, part, true),
  win: (market) => closeDispute(market, 'dispute_won'),
  prevent: (market) => closeDispute(market, 'dispute_prevented'),
  lose: (market) => closeDispute(market, 'dispute_lost'),
  closeInquiry: (market) => closeDispute(market, 'inquiry_closed'),
  reverseInDashboard(market, part) {
    if (market.transferred === 0) return
    const amount = partOf(market.transferred, part)
    market.transferred -= amount
    market.report({ name: 'transfer_reversed', objectId: market.newId('trr'), amount })
  },
  takeBack(market, part) {
    const [next] = market.takeBacks
    if (!next?.asked || next.taken !== null) return
    const wanted = market.decisionOn(next).outcome === 'won' ? 0 : next.asked
    // The seller may have already paid out part of it.
    next.taken = Math.min(Math.round(wanted * part), market.transferred)
    market.transferred -= next.taken
  },
  recordTakeBack(market) {
    const [next] = market.takeBacks
    if (next && market.payout?.status !== 'sending') market.record(next)
  },
} satisfies Record<string, Action>

type ActionName = keyof typeof actions

function addPayout(market: Market, amount: number) {
  if (amount > 0) market.payout = { status: 'owed', amount, reversed: 0, paidAt: null, attempt: 0 }
}

function openDispute(market: Market, part: number, isInquiry: boolean) {
  if (market.charged === 0) return
  const [id, amount] = [market.newId('dp'), partOf(market.charged, part)]
  market.disputes.push({ id, amount, isInquiry, isOpen: true, openedDispute: false })
  if (!isInquiry) market.post(chargebackPosting({ id: 7 }, `txn_${id}`, amount))
  market.report({ name: isInquiry ? 'inquiry_opened' : 'dispute_opened', objectId: id, amount })
}

type Outcome = 'dispute_won' | 'dispute_prevented' | 'dispute_lost' | 'inquiry_closed'

function closeDispute(market: Market, name: Outcome) {
  const dispute = market.openDisputes.find(({ isInquiry }) => isInquiry === (name === 'inquiry_closed'))
  if (dispute) close(market, dispute, name)
}

function close(market: Market, dispute: Dispute, name: Outcome) {
  const { id, amount, isInquiry } = dispute
  dispute.isOpen = false
  if (name === 'dispute_lost') market.lost.add(id)
  else if (!isInquiry) market.post(chargebackPosting({ id: 7 }, `txn_${id}_won`, -amount))
  market.report({ name, objectId: id, amount: name === 'dispute_lost' ? amount : 0 })
}

/** Conditions that must hold at every moment. */
function expectRight(market: Market) {
  const { status, amount, returned, payout, balances } = market
  expect([...balances.values()].reduce((sum, amount) => sum + amount, 0)).toBe(0)
  for (const currency of ['myr', 'usd']) {
    const entries = [...market.books].filter(([name]) => name.endsWith(currency))
    expect(entries.reduce((sum, [, amount]) => sum + amount, 0)).toBe(0)
  }
  expect(market.books.get('provider myr') ?? 0).toBe(0)
  expect(market.books.get('provider usd') ?? 0).toBe(0 - market.settled)
  const isHeld = status === 'held_in_escrow' || status === 'disputed'
  expect(market.balance('escrow:7')).toBe(isHeld ? amount - returned : 0)
  expect(returned).toBeGreaterThanOrEqual(0)
  expect(returned).toBeLessThanOrEqual(amount)
  expect(market.refund ?? 0).toBeLessThanOrEqual(amount)
  expect(market.balance('buyer:ada')).toBe(market.refundedAt ? 0 : (market.refund ?? 0))
  expect(market.balance('seller:bob')).toBe(owedToSeller(payout, market.due))
  const isWaiting = (name: FactName, id: string) =>
    market.waiting.some((fact) => fact.name === name && fact.objectId === id)
  const refunded = market.refunds
    .filter(
      ({ id, ours, failed }) =>
        !isWaiting(ours ? 'refund_made' : 'refunded', id) && (!failed || isWaiting('refund_failed', id)),
    )
    .reduce((sum, { amount }) => sum + amount, 0)
  const disputed = market.disputes
    .filter(({ isInquiry, isOpen, id }) => !isInquiry && (isOpen || market.lost.has(id)))
    .reduce((sum, { amount }) => sum + amount, 0)
  const transferred =
    market.transferred +
    market.takeBacks.reduce((sum, { taken }) => sum + (taken ?? 0), 0) +
    market.waiting
      .filter(({ name }) => name === 'transfer_reversed')
      .reduce((sum, { amount }) => sum + amount, 0)
  // The ledger's balance at the provider equals the provider's own.
  expect(market.balance('provider') + amount).toBe(refunded + disputed + transferred)
  // Nobody is paid twice, except at a loss that is booked.
  const losses = market.balance('losses:chargebacks') + market.balance('losses:refunds')
  const debt = market.balance('debt:bob')
  expect(refunded + disputed + transferred + Math.min(0, losses) + debt).toBeLessThanOrEqual(amount)
  // The market gains nothing by a loss.
  if (market.waiting.length === 0 && market.takeBacks.length === 0)
    for (const account of ['losses:chargebacks', 'losses:refunds'])
      expect(market.balance(account)).toBeLessThanOrEqual(0)
  // The seller owes at most what they have kept.
  expect(debt).toBeLessThanOrEqual(0)
  expect(transferred + market.balance('seller:bob') + debt).toBeGreaterThanOrEqual(0)
}

/** The amount owed to the seller, as the ledger check defines it. */
function owedToSeller(payout: Payout | undefined, due: number): number {
  switch (payout?.status) {
    case 'owed':
    case 'sending':
    case 'reversed':
      return due
    case 'frozen':
      return payout.paidAt ? 0 : due
    case 'paid':
    case 'cancelled':
    case undefined:
      return 0
  }
}

const amounts = fc.integer({ min: 1, max: 2_147_483_647 })
const parts = fc.double({ min: 0, max: 1, noNaN: true })
const names = Object.keys(actions) as ActionName[]
const sequences = fc.array(fc.tuple(fc.constantFrom(...names), parts), { maxLength: 30 })

function play(amount: number, sequence: [ActionName, number][], check = (_: Market) => {}): Market {
  const market = new Market(amount)
  for (const [name, part] of sequence) {
    actions[name](market, part)
    check(market)
  }
  return market
}

describe('every fact has a meaning in every situation', () => {
  const contradictions: [Step, Step][] = [
    ['freeze_payout', 'unfreeze_payout'],
    ['return_from_escrow', 'put_back_into_escrow'],
    ['return_from_escrow', 'take_from_payout'],
    ['await_bank', 'resume'],
  ]
  for (const fact of FACTS)
    for (const situation of SITUATIONS)
      test(`${fact} while ${situation}`, () => {
        const steps = MEANINGS[fact][situation]
        expect(new Set(steps).size).toBe(steps.length)
        if (steps.includes('wait')) expect(steps).toEqual(['wait'])
        for (const [one, other] of contradictions)
          expect(steps.includes(one) && steps.includes(other)).toBe(false)
        const isInEscrow = situation === 'held' || situation === 'disputed'
        if (!isInEscrow) expect(steps).not.toContain('return_from_escrow')
        const isUnpaid = ['owed', 'frozen', 'reversed'].includes(situation)
        if (!isUnpaid) expect(steps).not.toContain('take_from_payout')
      })

  test('every charged payment is in exactly one situation', () => {
    for (const status of PAYMENT_STATUSES)
      for (const payoutStatus of [undefined, ...PAYOUT_STATUSES])
        for (const paidAt of [null, NOW]) {
          const payout = payoutStatus && { status: payoutStatus, paidAt }
          const situation = situationOf(status, payout)
          expect(situation === null).toBe(status === 'pending')
        }
  })
})

test('the ledger is correct after any sequence of facts and actions', () => {
  fc.assert(
    fc.property(amounts, sequences, (amount, sequence) => void play(amount, sequence, expectRight)),
    { numRuns: 1_000 },
  )
})

function finishJobs(market: Market) {
  while (market.takeBacks.length > 0 && market.payout?.status !== 'sending') {
    actions.takeBack(market, 1)
    actions.recordTakeBack(market)
  }
}

const withoutZeros = ({ balances }: Market) =>
  Object.fromEntries([...balances].filter(([, amount]) => amount !== 0))

test('a won chargeback restores the ledger, even if the payout was taken back', () => {
  fc.assert(
    fc.property(
      amounts,
      sequences,
      parts,
      parts,
      fc.boolean(),
      fc.boolean(),
      (amount, sequence, part, taken, isPrevented, isRecorded) => {
        const [before, after] = [play(amount, sequence), play(amount, sequence)]
        fc.pre(before.openDisputes.length === 0 && before.situation !== 'sending')
        for (const market of [before, after]) {
          market.sync()
          finishJobs(market)
        }
        // A seller is not paid while something waits.
        fc.pre(before.waiting.length === 0)
        actions.openDispute(after, part)
        after.sync()
        actions.takeBack(after, taken)
        if (isRecorded) actions.recordTakeBack(after)
        actions[isPrevented ? 'prevent' : 'win'](after)
        after.sync()
        actions.recordTakeBack(after)
        for (const market of [before, after]) {
          actions.startTransfer(market, 0)
          actions.finishTransfer(market)
          expectRight(market)
        }
        expect(withoutZeros(after)).toEqual(withoutZeros(before))
        expect(after.status).toBe(before.status)
      },
    ),
    { numRuns: 500 },
  )
})

/** Different things that may happen at the provider between two syncs. */
const happenings = [
  (market, part) => actions.refundInDashboard(market, part),
  (market, part) => {
    actions.openDispute(market, part)
    closeNewest(market, 'dispute_lost')
  },
  (market, part) => {
    actions.openDispute(market, part)
    closeNewest(market, 'dispute_won')
  },
  (market, part) => {
    actions.openInquiry(market, part)
    closeNewest(market, 'inquiry_closed')
  },
] satisfies Action[]

function closeNewest(market: Market, name: Outcome) {
  const dispute = market.disputes.findLast(({ isOpen }) => isOpen)
  if (dispute) close(market, dispute, name)
}

/**
 * The balances, with all losses together, and with what the seller gave back and what they owe together: what covers a
 * fact depends on what was applied before it.
 */
function sumsOf(market: Market) {
  const sums = new Map<string, number>()
  for (const [account, amount] of market.balances) {
    const name = account.startsWith('losses:') ? 'losses' : account.replace('debt:bob', 'provider')
    sums.set(name, (sums.get(name) ?? 0) + amount)
  }
  return Object.fromEntries([...sums].filter(([, amount]) => amount !== 0))
}

test('the order in which facts are applied does not change the sums of the ledger', () => {
  const news = fc.array(fc.tuple(fc.constantFrom(...happenings), parts), { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(amounts, sequences, news, parts, (amount, sequence, happened, order) => {
      const results = [0, order].map((by) => {
        const market = play(amount, sequence)
        market.sync()
        // What an admin has reversed is owed to the seller again, and covers whatever is applied first.
        fc.pre(market.situation !== 'sending' && market.situation !== 'reversed')
        fc.pre(market.openDisputes.length === 0 && market.waiting.length === 0)
        finishJobs(market)
        for (const [happen, part] of happened) happen(market, part)
        market.sync(by)
        finishJobs(market)
        expectRight(market)
        const sums = sumsOf(market)
        // The market gains nothing.
        expect(sums.losses ?? 0).toBeLessThanOrEqual(0)
        return { ...sums, status: market.status }
      })
      expect(results[0]).toEqual(results[1])
    }),
    { numRuns: 500 },
  )
})
