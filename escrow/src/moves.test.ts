import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Actor,
  canMove,
  type MoveName,
  MoveRefused,
  moves,
  nextState,
  type PaymentState,
  partyIn,
} from './moves.ts'
import type { PaymentStatus } from './payment-status.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const daysLater = (days: number) => new Date(NOW.getTime() + days * 86_400_000)

const pending: PaymentState = {
  buyerId: 'ada',
  sellerId: 'bob',
  amount: 12_000,
  status: 'pending',
  waitingUntil: null,
  waitsFor: null,
  escrowHoldUntil: null,
  buyerConfirmedAt: null,
  fundsReleasedAt: null,
  completedAt: null,
  disputedAt: null,
  holdExtended: false,
  delivery: 'arranged',
  shipWithinDays: null,
  shipBy: null,
  shippedAt: null,
  deliveredAt: null,
}
const held = nextState(pending, 'hold', 'provider', NOW)
const disputed = nextState(held, 'dispute', 'buyer', daysLater(1))

/** Every allowed move: from, actor, move, to. */
const allowedMoves = `
  pending         provider wait     pending
  pending         provider stop_waiting pending
  pending         clock    stop_waiting pending
  pending         buyer    stop_waiting pending
  pending         provider hold     held_in_escrow
  pending         provider return_duplicate refunded
  pending         provider return_mischarge refunded
  held_in_escrow  seller   ship     held_in_escrow
  held_in_escrow  seller   deliver  held_in_escrow
  held_in_escrow  carrier  deliver  held_in_escrow
  held_in_escrow  seller   hand_over completed
  held_in_escrow  buyer    cancel   refunded
  held_in_escrow  seller   cancel   refunded
  held_in_escrow  clock    cancel   refunded
  held_in_escrow  buyer    confirm  completed
  held_in_escrow  clock    lapse    completed
  held_in_escrow  buyer    dispute  disputed
  held_in_escrow  provider dispute  disputed
  held_in_escrow  provider reimburse resolved_buyer
  disputed        admin    review   under_review
  disputed        buyer    withdraw held_in_escrow
  disputed        admin    refund   resolved_buyer
  disputed        provider reimburse resolved_buyer
  disputed        provider resume   held_in_escrow
  disputed        admin    release  resolved_seller
  disputed        admin    divide   resolved_partial
  disputed        parties  divide   resolved_partial
  under_review    admin    review   under_review
  under_review    buyer    withdraw held_in_escrow
  under_review    admin    refund   resolved_buyer
  under_review    provider reimburse resolved_buyer
  under_review    provider resume   held_in_escrow
  under_review    admin    release  resolved_seller
  under_review    admin    divide   resolved_partial
  under_review    parties  divide   resolved_partial
`
  .trim()
  .split('\n')
  .map((line) => line.trim().replace(/ +/g, ' '))

const statuses: PaymentStatus[] = [
  'pending',
  'held_in_escrow',
  'completed',
  'refunded',
  'disputed',
  'under_review',
  'resolved_buyer',
  'resolved_seller',
  'resolved_partial',
]
const actors: Actor[] = ['buyer', 'seller', 'provider', 'clock', 'admin', 'parties', 'carrier']
const names = Object.keys(moves) as (keyof typeof moves)[]

test('each status allows exactly the listed moves', () => {
  const found = statuses.flatMap((status) =>
    actors.flatMap((actor) =>
      names
        .filter((name) => canMove(status, name, actor))
        .map((name) => `${status} ${actor} ${name} ${moves[name].to}`),
    ),
  )
  expect(found.toSorted()).toEqual(allowedMoves.toSorted())
})

/** The delivery state that each move requires. */
const readyFor: Partial<Record<MoveName, Partial<PaymentState>>> = {
  deliver: { shippedAt: NOW },
  hand_over: { delivery: 'in_person' },
  cancel: { delivery: 'shipping', shipBy: NOW },
  stop_waiting: { waitingUntil: NOW, waitsFor: 'buyer' },
}

test('nextState makes the listed moves and refuses all others', () => {
  const late = daysLater(60)
  for (const status of statuses) {
    for (const actor of actors) {
      for (const name of names) {
        const payment = { ...disputed, status, ...readyFor[name] }
        const line = `${status} ${actor} ${name} ${moves[name].to}`
        if (allowedMoves.includes(line))
          expect(nextState(payment, name, actor, late).status).toBe(moves[name].to)
        else expect(() => nextState(payment, name, actor, late)).toThrow(MoveRefused)
      }
    }
  }
})

test('the hold lasts 7 days, or 14 days from 500.00', () => {
  const holdEnd = (amount: number) =>
    nextState({ ...pending, amount }, 'hold', 'provider', NOW).escrowHoldUntil
  expect(holdEnd(49_999)).toEqual(daysLater(7))
  expect(holdEnd(50_000)).toEqual(daysLater(14))
})

test('a market can have its own hold periods', () => {
  const hold = { holdDays: 3, holdDaysHighValue: 30, highValue: 500_00 }
  const holdEnd = (amount: number) =>
    nextState({ ...pending, amount }, 'hold', 'provider', NOW, hold).escrowHoldUntil
  expect(holdEnd(49_999)).toEqual(daysLater(3))
  expect(holdEnd(50_000)).toEqual(daysLater(30))
})

test('a payment lapses exactly when its hold ends', () => {
  const justBefore = new Date(daysLater(7).getTime() - 1)
  expect(() => nextState(held, 'lapse', 'clock', justBefore)).toThrow(MoveRefused)
  expect(nextState(held, 'lapse', 'clock', daysLater(7))).toMatchObject({
    status: 'completed',
    fundsReleasedAt: daysLater(7),
    buyerConfirmedAt: null,
  })
})

test('confirming records the time of confirmation and leaves the given payment unchanged', () => {
  expect(nextState(held, 'confirm', 'buyer', daysLater(2))).toMatchObject({
    status: 'completed',
    buyerConfirmedAt: daysLater(2),
    fundsReleasedAt: daysLater(2),
    completedAt: daysLater(2),
  })
  expect(held.status).toBe('held_in_escrow')
})

test('withdrawing a dispute resumes the hold with the remaining time, but at least 48 hours', () => {
  expect(nextState(disputed, 'withdraw', 'buyer', daysLater(20))).toMatchObject({
    status: 'held_in_escrow',
    escrowHoldUntil: daysLater(26),
    disputedAt: null,
  })
  const disputedLate = nextState(held, 'dispute', 'buyer', daysLater(6.9))
  expect(nextState(disputedLate, 'withdraw', 'buyer', daysLater(20)).escrowHoldUntil).toEqual(daysLater(22))
})

test('the 48 hours are given once per deal, and not for a parcel that was shipped', () => {
  const late = daysLater(6.9)
  const first = nextState(nextState(held, 'dispute', 'buyer', late), 'withdraw', 'buyer', late)
  expect(first.escrowHoldUntil).toEqual(daysLater(8.9))
  const disputedAgain = nextState(first, 'dispute', 'buyer', daysLater(8.5))
  const second = nextState(disputedAgain, 'withdraw', 'buyer', daysLater(8.6))
  expect(second.escrowHoldUntil).toEqual(daysLater(9))

  const parcel = { ...held, delivery: 'shipping', shippedAt: daysLater(1) } as const
  const disputedParcel = nextState(parcel, 'dispute', 'buyer', late)
  expect(nextState(disputedParcel, 'withdraw', 'buyer', late).escrowHoldUntil).toEqual(daysLater(7))
})

test('partyIn returns buyer, seller or null', () => {
  expect(partyIn(pending, 'ada')).toBe('buyer')
  expect(partyIn(pending, 'bob')).toBe('seller')
  expect(partyIn(pending, 'eve')).toBeNull()
})

test('a parcel extends the hold, and a dispute pauses the time to ship', () => {
  const shipping = nextState({ ...pending, delivery: 'shipping', shipWithinDays: 3 }, 'hold', 'provider', NOW)
  expect(shipping).toMatchObject({ escrowHoldUntil: daysLater(7), shipBy: daysLater(3) })
  const shipped = nextState(shipping, 'ship', 'seller', daysLater(2))
  expect(shipped).toMatchObject({ shippedAt: daysLater(2), escrowHoldUntil: daysLater(12) })
  const corrected = nextState(shipped, 'ship', 'seller', daysLater(3))
  expect(corrected).toMatchObject({ shippedAt: daysLater(2), escrowHoldUntil: daysLater(12) })
  const delivered = nextState(corrected, 'deliver', 'carrier', daysLater(11))
  expect(delivered).toMatchObject({ deliveredAt: daysLater(11), escrowHoldUntil: daysLater(14) })
  expect(() => nextState(delivered, 'ship', 'seller', daysLater(12))).toThrow(MoveRefused)
  const paused = nextState(shipping, 'dispute', 'buyer', daysLater(1))
  expect(nextState(paused, 'withdraw', 'buyer', daysLater(5)).shipBy).toEqual(daysLater(7))
})

test('an unshipped deal is cancelled by the clock a week after the ship-by date, and never released', () => {
  const shipping = nextState({ ...pending, delivery: 'shipping', shipWithinDays: 3 }, 'hold', 'provider', NOW)
  expect(() => nextState(shipping, 'lapse', 'clock', daysLater(60))).toThrow(MoveRefused)
  expect(() => nextState(shipping, 'cancel', 'clock', daysLater(9.9))).toThrow(MoveRefused)
  expect(nextState(shipping, 'cancel', 'clock', daysLater(10)).status).toBe('refunded')
  expect(() => nextState(shipping, 'cancel', 'buyer', daysLater(4.9))).toThrow(MoveRefused)
  expect(nextState(shipping, 'cancel', 'buyer', daysLater(5)).status).toBe('refunded')
  expect(nextState(held, 'cancel', 'seller', NOW).status).toBe('refunded')
})

test('no sequence of moves settles a payment twice', () => {
  const step = fc.record({ name: fc.constantFrom(...names), actor: fc.constantFrom(...actors) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let payment = pending
      let settled = 0
      let now = NOW
      for (const { name, actor } of steps) {
        now = new Date(now.getTime() + 5 * 86_400_000)
        try {
          payment = nextState(payment, name, actor, now)
        } catch (error) {
          expect(error).toBeInstanceOf(MoveRefused)
          continue
        }
        if (/^(completed|refunded|resolved)/.test(payment.status)) settled++
      }
      expect(settled).toBeLessThanOrEqual(1)
    }),
    { numRuns: 2_000 },
  )
})
