import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  buyerMayCancelFrom,
  calculateShipBy,
  cancelledAutomaticallyAt,
  canDeliver,
  canHandOver,
  canShip,
  DELIVERY_METHODS,
  type Delivery,
  decideCancellation,
  extendHold,
  isReleasedByClock,
  resumeShipBy,
  shipReminderDates,
} from './delivery.ts'
import { PAYMENT_STATUSES } from './payment-status.ts'

const HELD_AT = new Date('2026-03-01T12:00:00Z')
const SHIP_BY = new Date('2026-03-04T12:00:00Z')
const HELD_UNTIL = new Date('2026-03-08T12:00:00Z')
const on = (date: string) => new Date(`${date}T12:00:00Z`)
const secondBefore = (date: Date) => new Date(date.getTime() - 1000)

const unshipped = {
  status: 'held_in_escrow',
  delivery: 'shipping',
  shipBy: SHIP_BY,
  shippedAt: null,
  deliveredAt: null,
} as const
const shipped = { ...unshipped, shippedAt: on('2026-03-03') }
const delivered = { ...shipped, deliveredAt: on('2026-03-06') }
const inPerson = { ...unshipped, delivery: 'in_person', shipBy: null } as const
const arranged = { ...unshipped, delivery: 'arranged', shipBy: null } as const

const dates = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2027-01-01T00:00:00Z'),
  noInvalidDate: true,
})
const deliveries: fc.Arbitrary<Delivery> = fc.record({
  delivery: fc.constantFrom(...DELIVERY_METHODS),
  shipBy: fc.option(dates),
  shippedAt: fc.option(dates),
  deliveredAt: fc.option(dates),
})
const payments = fc
  .tuple(deliveries, fc.constantFrom(...PAYMENT_STATUSES))
  .map(([delivery, status]) => ({ ...delivery, status }))

test('the ship-by date is the promised number of days after the payment', () => {
  expect(calculateShipBy(HELD_AT, 3)).toEqual(SHIP_BY)
  expect(calculateShipBy(HELD_AT, 14)).toEqual(on('2026-03-15'))
})

test('the seller is reminded halfway and on the ship-by date', () => {
  expect(shipReminderDates(HELD_AT, SHIP_BY)).toEqual([new Date('2026-03-03T00:00:00Z'), SHIP_BY])
})

describe('the end of the hold', () => {
  test('is 10 days after shipping and 3 days after delivery at the earliest', () => {
    expect(extendHold(HELD_UNTIL, unshipped)).toEqual(HELD_UNTIL)
    expect(extendHold(HELD_UNTIL, shipped)).toEqual(on('2026-03-13'))
    expect(extendHold(HELD_UNTIL, delivered)).toEqual(on('2026-03-13'))
    expect(extendHold(HELD_UNTIL, { ...shipped, deliveredAt: on('2026-03-20') })).toEqual(on('2026-03-23'))
    expect(extendHold(on('2026-03-30'), delivered)).toEqual(on('2026-03-30'))
  })

  test('does not depend on a parcel unless the deal is shipped', () => {
    const late = { shippedAt: on('2026-03-20'), deliveredAt: on('2026-03-25') }
    expect(extendHold(HELD_UNTIL, { ...arranged, ...late })).toEqual(HELD_UNTIL)
    expect(extendHold(HELD_UNTIL, { ...inPerson, ...late })).toEqual(HELD_UNTIL)
  })

  test('is never earlier than without the parcel, and a second calculation gives the same result', () => {
    fc.assert(
      fc.property(dates, deliveries, (heldUntil, delivery) => {
        const extended = extendHold(heldUntil, delivery)
        expect(extended.getTime()).toBeGreaterThanOrEqual(heldUntil.getTime())
        expect(extendHold(extended, delivery)).toEqual(extended)
      }),
    )
  })

  test('is never moved to an earlier date by a later report', () => {
    fc.assert(
      fc.property(dates, dates, dates, (heldUntil, shippedAt, deliveredAt) => {
        const afterShipping = extendHold(heldUntil, { ...unshipped, shippedAt })
        const afterDelivery = extendHold(afterShipping, { ...unshipped, shippedAt, deliveredAt })
        expect(afterDelivery.getTime()).toBeGreaterThanOrEqual(afterShipping.getTime())
      }),
    )
  })

  test('releases the money unless the item had to be shipped and was not', () => {
    expect([unshipped, shipped, delivered, arranged, inPerson].map(isReleasedByClock)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ])
  })
})

describe('a dispute', () => {
  test('pauses the time to ship', () => {
    expect(resumeShipBy(unshipped, on('2026-03-02'), on('2026-03-12'))).toEqual(on('2026-03-14'))
  })

  test('does not change the ship-by date of a shipped parcel or of a deal without one', () => {
    expect(resumeShipBy(shipped, on('2026-03-05'), on('2026-03-12'))).toEqual(SHIP_BY)
    expect(resumeShipBy(arranged, on('2026-03-02'), on('2026-03-12'))).toBeNull()
  })

  test('leaves the seller as much time to ship as before the dispute', () => {
    fc.assert(
      fc.property(dates, dates, fc.nat(90 * 86_400_000), (shipBy, disputedAt, durationMs) => {
        const now = new Date(disputedAt.getTime() + durationMs)
        const resumed = resumeShipBy({ shipBy, shippedAt: null }, disputedAt, now)
        expect(Number(resumed) - Number(now)).toBe(Number(shipBy) - Number(disputedAt))
      }),
    )
  })
})

describe('reports of the seller', () => {
  test('are possible for a shipment until delivery, an arrival after shipping and a handover in person', () => {
    const canDo = [unshipped, shipped, delivered, arranged, inPerson].map((payment) => [
      canShip(payment),
      canDeliver(payment),
      canHandOver(payment),
    ])
    expect(canDo).toEqual([
      [true, false, false],
      [true, true, false],
      [false, false, false],
      [true, false, false],
      [false, false, true],
    ])
  })

  test('are refused unless the money is in escrow', () => {
    fc.assert(
      fc.property(payments, (payment) => {
        fc.pre(payment.status !== 'held_in_escrow')
        expect([canShip(payment), canDeliver(payment), canHandOver(payment)]).toEqual([false, false, false])
      }),
    )
  })
})

describe('cancellation', () => {
  test('the buyer may cancel alone from 2 days after the ship-by date', () => {
    const from = on('2026-03-06')
    expect(buyerMayCancelFrom(unshipped)).toEqual(from)
    expect(decideCancellation(unshipped, 'buyer', secondBefore(from))).toBe('ask_seller')
    expect(decideCancellation(unshipped, 'buyer', from)).toBe('cancel')
  })

  test('the deal is cancelled automatically 7 days after the ship-by date', () => {
    const at = on('2026-03-11')
    expect(cancelledAutomaticallyAt(unshipped)).toEqual(at)
    expect(decideCancellation(unshipped, 'clock', secondBefore(at))).toBe('refuse')
    expect(decideCancellation(unshipped, 'clock', at)).toBe('cancel')
  })

  test('without a ship-by date the buyer needs the seller’s consent, and the clock never cancels', () => {
    for (const payment of [arranged, inPerson]) {
      expect(decideCancellation(payment, 'seller', HELD_AT)).toBe('cancel')
      expect(decideCancellation(payment, 'buyer', on('2027-01-01'))).toBe('ask_seller')
      expect(decideCancellation(payment, 'clock', on('2027-01-01'))).toBe('refuse')
    }
  })

  const actors = fc.constantFrom('buyer', 'seller', 'clock')

  test('is refused to everyone once the item was shipped or the money has left escrow', () => {
    fc.assert(
      fc.property(payments, actors, dates, (payment, actor, now) => {
        fc.pre(payment.status !== 'held_in_escrow' || payment.shippedAt !== null)
        expect(decideCancellation(payment, actor, now)).toBe('refuse')
      }),
    )
  })

  test('never gets stricter over time', () => {
    const rank = { refuse: 0, ask_seller: 1, cancel: 2 }
    fc.assert(
      fc.property(payments, actors, dates, dates, (payment, actor, one, two) => {
        const [earlier, later] = one < two ? [one, two] : [two, one]
        expect(rank[decideCancellation(payment, actor, later)]).toBeGreaterThanOrEqual(
          rank[decideCancellation(payment, actor, earlier)],
        )
      }),
    )
  })

  test('is possible for the buyer whenever the clock would cancel', () => {
    fc.assert(
      fc.property(dates, dates, (shipBy, now) => {
        const payment = { ...unshipped, shipBy }
        fc.pre(decideCancellation(payment, 'clock', now) === 'cancel')
        expect(decideCancellation(payment, 'buyer', now)).toBe('cancel')
      }),
    )
  })
})
