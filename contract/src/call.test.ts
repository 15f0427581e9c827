import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { calls } from './calls.ts'
import { ANNOUNCED } from './events.ts'

/** Reads without a subject: their replies never change, are polled, or are recorded each time they are read. */
const ABOUT_NOTHING = [
  'getEmailUndo',
  'getEmailVerification',
  'getPresence',
  'getPushKey',
  'getUnsubscribe',
  'listDisputeMessages',
  'listPlaces',
]

const isRead = ({ method, reply }: Call) => method === 'GET' && typeof reply !== 'string'

const namesOf = (matches: (call: Call) => boolean) =>
  Object.entries(calls)
    .filter(([, call]) => matches(call))
    .map(([name]) => name)
    .sort()

test('every read declares its subjects, and every other call the subjects that it changes', () => {
  expect(namesOf((call) => isRead(call) && !call.about?.length)).toEqual(ABOUT_NOTHING)
  expect(namesOf(({ method, changes }) => method !== 'GET' && !changes)).toEqual([])
})

test('a read’s subjects are changed by a call or announced, unless the read is repeated anyway', () => {
  const changed = new Set([...ANNOUNCED, ...Object.values(calls).flatMap(({ changes = [] }) => changes)])
  const isStuck = ({ about = [], fresh }: Call) => fresh === undefined && about.some((it) => !changed.has(it))
  expect(namesOf((call) => isRead(call) && isStuck(call))).toEqual([])
})

test('a subject that a call changes is the subject of a read', () => {
  const read = new Set(Object.values(calls).flatMap(({ about = [] }) => about))
  expect(namesOf(({ changes = [] }) => changes.some((it) => !read.has(it)))).toEqual([])
  expect(ANNOUNCED.filter((it) => !read.has(it))).toEqual([])
})
