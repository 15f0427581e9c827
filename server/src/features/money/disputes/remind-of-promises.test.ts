import { expect, test } from 'vitest'
import { findReminder } from './remind-of-promises.ts'

const dueAt = new Date('2026-03-02T12:00:00Z')
const soonAt = new Date('2026-03-02T08:00:00Z')
const after = (date: Date, milliseconds: number) => new Date(date.getTime() + milliseconds)

test('a reminder is due four hours before a promised time, and again at that time', () => {
  expect(findReminder(dueAt, null, after(soonAt, -1))).toBeNull()
  expect(findReminder(dueAt, null, soonAt)).toEqual(soonAt)
  expect(findReminder(dueAt, null, after(dueAt, -1))).toEqual(soonAt)
  expect(findReminder(dueAt, null, dueAt)).toEqual(dueAt)
  expect(findReminder(dueAt, null, after(dueAt, 86_400_000))).toEqual(dueAt)
})

test('each of the two reminders is due once', () => {
  expect(findReminder(dueAt, soonAt, after(soonAt, 60_000))).toBeNull()
  expect(findReminder(dueAt, soonAt, dueAt)).toEqual(dueAt)
  expect(findReminder(dueAt, dueAt, after(dueAt, 60_000))).toBeNull()
  // The reminder of an earlier promise.
  expect(findReminder(dueAt, after(soonAt, -1), soonAt)).toEqual(soonAt)
})

test('no reminder is due without a promised time', () => {
  expect(findReminder(null, null, dueAt)).toBeNull()
})
