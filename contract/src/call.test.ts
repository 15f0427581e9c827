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
  'previewBankEvidence',
]

const isRead = ({ method, reply }: Call) => method === 'GET' && typeof reply !== 'string'

const namesOf = (matches: (call: Call) => boolean) =>
  Object.entries(calls)
    .filter(([, call]) => matches(call))
    .map(([name]) => name)
    .sort()

test('reads declare their subjects, and all other calls declare the subjects that they change', () => {
  expect(namesOf((call) => isRead(call) && !call.about?.length)).toEqual(ABOUT_NOTHING)
  expect(namesOf(({ method, changes }) => method !== 'GET' && !changes)).toEqual([])
})

test('every subject of a read is changed by a call or announced by an event, unless the read expires by itself', () => {
  const changed = new Set([...ANNOUNCED, ...Object.values(calls).flatMap(({ changes = [] }) => changes)])
  const isStuck = ({ about = [], fresh }: Call) => fresh === undefined && about.some((it) => !changed.has(it))
  expect(namesOf((call) => isRead(call) && isStuck(call))).toEqual([])
})

test('calls change only subjects that a read has', () => {
  const read = new Set(Object.values(calls).flatMap(({ about = [] }) => about))
  expect(namesOf(({ changes = [] }) => changes.some((it) => !read.has(it)))).toEqual([])
  expect(ANNOUNCED.filter((it) => !read.has(it))).toEqual([])
})
