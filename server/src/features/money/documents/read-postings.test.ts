import { rulesOf } from '@sought/contract/currencies'
import { calculateFees, STANDARD_FEES } from '@sought/escrow/fees'
import {
  holdPosting,
  type Posting,
  payoutPosting,
  payoutReversalPosting,
  refundPosting,
  releasePosting,
  rulingPosting,
} from '@sought/escrow/postings'
import { calculateRuling } from '@sought/escrow/rulings'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addUp, groupPostings, readLine, readPrice, readRelease, readReturns } from './read-postings.ts'

const at = new Date('2026-11-16T09:00:00Z')
const payment = { id: 7, buyerId: 'ada', sellerId: 'bob', amount: 12_000, returned: 0, ...STANDARD_FEES }
const payout = { paymentId: 7, sellerId: 'bob', amount: 11_262, attempt: 0 }

const book = (...postings: Posting[]) =>
  groupPostings(
    postings.flatMap(({ key, paymentId, entries }) =>
      entries.map((entry) => ({ id: 1, key, paymentId, at, ...entry })),
    ),
  )

const lineOf = (posting: Posting) => {
  const [booked] = book(posting)
  return booked && readLine(booked, 'bob')
}

function posting(key: string, amounts: Record<string, number>): Posting {
  const entries = Object.entries(amounts).map(([account, amount]) => ({ account, amount }))
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
  return { key, paymentId: 7, entries }
}

const nothing = { amount: 0, refund: 0, platformFee: 0, processingFee: 0, payout: 0, balance: 0 }

describe('the line of a statement', () => {
  test.each<[string, Posting, object]>([
    [
      'a released payment',
      releasePosting(payment, rulesOf('usd')),
      { kind: 'sale', amount: 12_000, platformFee: 360, processingFee: 378, balance: 11_262 },
    ],
    [
      'a full refund by ruling',
      posting('ruling:7', { 'escrow:7': -12_000, 'buyer:ada': 12_000 }),
      { kind: 'dispute_ruling', amount: 12_000, refund: 12_000 },
    ],
    [
      'a refund of a held payment in the dashboard',
      posting('dashboard-refund:re_1', { 'escrow:7': -500, provider: 500 }),
      { kind: 'refund', amount: 500, refund: 500 },
    ],
    [
      'a refund after the release, part of which the platform lost',
      posting('dashboard-refund:re_1', { 'seller:bob': -300, 'losses:refunds': -200, provider: 500 }),
      { kind: 'refund', refund: 300, balance: -300 },
    ],
    [
      'a failed refund of a held payment',
      posting('refund-failed:re_1', { provider: -500, 'escrow:7': 500 }),
      { kind: 'refund_failed', amount: -500, refund: -500 },
    ],
    [
      'a chargeback lost before the payout',
      posting('chargeback-lost:dp_1', { 'seller:bob': -11_262, 'losses:chargebacks': 11_262 }),
      { kind: 'chargeback', refund: 11_262, balance: -11_262 },
    ],
    [
      'a payout taken back for a chargeback',
      posting('chargeback-reversal:dp_1', { provider: -11_262, 'losses:chargebacks': 11_262 }),
      { kind: 'chargeback', refund: 11_262, payout: -11_262 },
    ],
    [
      'a chargeback won after the payout was taken back',
      posting('chargeback-restored:dp_1', { 'losses:chargebacks': -11_262, 'seller:bob': 11_262 }),
      { kind: 'chargeback_won', refund: -11_262, balance: 11_262 },
    ],
    ['a payout', payoutPosting(payout), { kind: 'payout', payout: 11_262, balance: -11_262 }],
    [
      'a payout marked paid by mistake',
      payoutReversalPosting(payout),
      { kind: 'payout_undone', payout: -11_262, balance: 11_262 },
    ],
    [
      'a transfer reversed in the dashboard',
      posting('reversal:trr_1', { provider: -500, 'seller:bob': 500 }),
      { kind: 'payout_reversed', payout: -500, balance: 500 },
    ],
    [
      'any other posting on the account of the seller',
      posting('correction:1', { 'losses:refunds': -500, 'seller:bob': 500 }),
      { kind: 'adjustment', refund: -500, balance: 500 },
    ],
  ])('%s', (_, posting, expected) => {
    expect(lineOf(posting)).toEqual({ ...nothing, id: 1, paymentId: 7, at, ...expected })
  })

  test.each<[string, Posting]>([
    ['the hold', holdPosting(payment)],
    ['the fee of the provider', posting('provider-fee:txn_1', { provider: 378, 'fees:provider': -378 })],
    ['the refund of a ruling', refundPosting(payment, 12_000)],
    ['the failed refund of a ruling', posting('refund-failed:re_1', { provider: -500, 'buyer:ada': 500 })],
    [
      'a refund in the dashboard that the platform lost',
      posting('dashboard-refund:re_1', { provider: 500, 'losses:refunds': -500 }),
    ],
    [
      'a lost chargeback instead of a refund that was owed',
      posting('chargeback-lost:dp_1', { 'buyer:ada': -500, 'losses:chargebacks': 500 }),
    ],
    [
      'money that the bank withdrew',
      posting('chargeback:dp_1', { provider: 500, 'losses:chargebacks': -500 }),
    ],
  ])('does not exist for %s', (_, posting) => {
    expect(lineOf(posting)).toBeUndefined()
  })

  test('the columns of any sales add up, and the balance equals that of the ledger', () => {
    const cents = fc.integer({ min: 1, max: 10_000_000 })
    const sale = fc
      .record({
        amount: cents,
        refund: fc.nat(),
        ending: fc.constantFrom('release', 'refund_full', 'split_difference', 'refund_partial', 'held'),
        paid: fc.boolean(),
        undone: fc.boolean(),
      })
      .map(({ amount, refund, ending, paid, undone }): Posting[] => {
        const sold = { ...payment, amount }
        if (ending === 'held') return [holdPosting(sold)]
        const ruling =
          ending === 'release'
            ? null
            : calculateRuling(
                ending,
                amount,
                STANDARD_FEES,
                rulesOf('usd'),
                1 + (refund % Math.max(1, amount - 1)),
              )
        const { payout: payoutCents } = ruling ?? calculateFees(amount, STANDARD_FEES, rulesOf('usd'))
        const paidOut = { ...payout, amount: payoutCents }
        return [
          holdPosting(sold),
          ruling ? rulingPosting(sold, ruling) : releasePosting(sold, rulesOf('usd')),
          ...(paid && payoutCents > 0 ? [payoutPosting(paidOut)] : []),
          ...(paid && undone && payoutCents > 0 ? [payoutReversalPosting(paidOut)] : []),
        ]
      })
    fc.assert(
      fc.property(fc.array(sale, { maxLength: 8 }), (sales) => {
        const postings = sales.flatMap((sale, index) =>
          sale.map((it) => ({ ...it, key: `${it.key}:${index}` })),
        )
        const lines = book(...postings).flatMap((it) => readLine(it, 'bob') ?? [])
        for (const { amount, refund, platformFee, processingFee, payout, balance } of [
          ...lines,
          addUp(lines),
        ]) {
          expect(amount - refund - platformFee - processingFee - payout).toBe(balance)
        }
        const entries = postings.flatMap(({ entries }) => entries)
        const sumOf = (account: string) =>
          entries.filter((it) => it.account === account).reduce((sum, it) => sum + it.amount, 0)
        expect(addUp(lines)).toMatchObject({
          balance: sumOf('seller:bob'),
          refund: sumOf('buyer:ada'),
          platformFee: sumOf('fees:platform'),
          processingFee: sumOf('fees:processing'),
        })
      }),
    )
  })
})

describe('the amounts of a receipt', () => {
  const hold = holdPosting(payment)

  test('a payment without a hold counts as unpaid', () => {
    expect(readPrice([])).toBeUndefined()
    expect(readPrice(book(hold))).toEqual({ paidAt: at, price: 12_000 })
  })

  test('a failed refund and a won chargeback are charged again', () => {
    const booked = book(
      hold,
      posting('dashboard-refund:re_1', { 'escrow:7': -500, provider: 500 }),
      posting('refund-failed:re_1', { provider: -500, 'buyer:ada': 500 }),
      posting('refund-paid:7:1', { 'buyer:ada': -500, provider: 500 }),
      posting('chargeback:txn_1', { provider: 12_000, 'losses:chargebacks': -12_000 }),
      posting('chargeback:txn_2', { provider: -12_000, 'losses:chargebacks': 12_000 }),
    )
    expect(readReturns(booked)).toEqual([
      { id: 1, at, kind: 'refund', amount: 500 },
      { id: 1, at, kind: 'refund_failed', amount: -500 },
      { id: 1, at, kind: 'refund', amount: 500 },
      { id: 1, at, kind: 'chargeback', amount: 12_000 },
      { id: 1, at, kind: 'chargeback_won', amount: -12_000 },
    ])
  })

  test('money that the bank returned is counted once', () => {
    const booked = book(
      hold,
      posting('chargeback:dp_1', { provider: 12_000, 'losses:chargebacks': -12_000 }),
      posting('ruling:7', { 'escrow:7': -12_000, 'buyer:ada': 12_000 }),
      posting('refund:7', { 'buyer:ada': -12_000, 'losses:chargebacks': 12_000 }),
    )
    expect(readReturns(booked)).toEqual([{ id: 1, at, kind: 'chargeback', amount: 12_000 }])
    expect(readRelease(booked, 'bob')).toBeNull()
  })

  test('payouts, reversals and fees are not counted as returned to the buyer', () => {
    const booked = book(
      hold,
      posting('provider-fee:txn_1', { provider: 378, 'fees:provider': -378 }),
      releasePosting(payment, rulesOf('usd')),
      payoutPosting(payout),
    )
    expect(readReturns(booked)).toEqual([])
    expect(readRelease(booked, 'bob')).toEqual({
      at,
      platformFee: 360,
      processingFee: 378,
      toSeller: 11_262,
    })
  })
})
