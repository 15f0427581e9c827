import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appealUntil, firstAnswerDue, nextDue, rulingDue } from './promised-times.ts'

// 2 November 2026 is a Monday.
const on = (day: number, time = '09:30:15.250') =>
  new Date(`2026-11-${String(day).padStart(2, '0')}T${time}Z`)

test('the first answer is due 24 hours after filing, also on a weekend', () => {
  expect(firstAnswerDue(on(2))).toEqual(on(3))
  expect(firstAnswerDue(on(6))).toEqual(on(7))
})

describe('the ruling is due seven business days after filing, at the same time of day', () => {
  test.each([
    { weekday: 'Monday', filed: 2, due: 11 },
    { weekday: 'Tuesday', filed: 3, due: 12 },
    { weekday: 'Wednesday', filed: 4, due: 13 },
    { weekday: 'Thursday', filed: 5, due: 16 },
    { weekday: 'Friday', filed: 6, due: 17 },
    { weekday: 'Saturday', filed: 7, due: 17 },
    { weekday: 'Sunday', filed: 8, due: 17 },
  ])('for a dispute filed on a $weekday', ({ filed, due }) => {
    expect(rulingDue(on(filed))).toEqual(on(due))
  })

  test('the weekday is determined in UTC', () => {
    expect(rulingDue(on(6, '23:59:59.999'))).toEqual(on(17, '23:59:59.999'))
    expect(rulingDue(on(9, '00:00:00.000'))).toEqual(on(18, '00:00:00.000'))
  })

  test('is due neither on a weekend nor before the first answer', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
        (filed) => {
          const due = rulingDue(filed)
          expect([1, 2, 3, 4, 5]).toContain(due.getUTCDay())
          expect(due.getTime()).toBeGreaterThan(firstAnswerDue(filed).getTime())
        },
      ),
    )
  })
})

test('the next promised time is that of the first answer, then that of the ruling, then none', () => {
  expect(nextDue({ openedAt: on(2), firstStepAt: null, endedAt: null })).toEqual(on(3))
  expect(nextDue({ openedAt: on(2), firstStepAt: on(4), endedAt: null })).toEqual(on(11))
  expect(nextDue({ openedAt: on(2), firstStepAt: on(4), endedAt: on(5) })).toBeNull()
})

test('a party can appeal for seven days', () => {
  expect(appealUntil(on(2))).toEqual(on(9))
})
