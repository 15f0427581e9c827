import { expect, test } from 'vitest'
import type { Call } from './call.ts'
import { calls } from './calls.ts'
import { ANNOUNCED } from './events.ts'

const isRead = ({ method, reply }: Call) => method === 'GET' && typeof reply !== 'string'
const namesOf = (matches: (call: Call) => boolean) =>
  Object.keys(calls).filter((name) => matches(calls[name] as Call))

test('every read says what it is about, and every other call what it changes', () => {
  expect(namesOf((call) => isRead(call) && !call.about)).toEqual([])
  expect(namesOf((call) => call.method !== 'GET' && !call.changes)).toEqual([])
  expect(namesOf((call) => isRead(call) && call.about?.length === 0)).toEqual([
    // What a link from an email is for.
    'getEmailUndo',
    'getEmailVerification',
    'getUnsubscribe',
    'getPushKey',
    // Polled.
    'getPresence',
    'listPlaces',
  ])
})

test('what a read is about is changed by a call or announced, unless it is read again on every screen', () => {
  const changed = new Set([...ANNOUNCED, ...Object.values(calls).flatMap(({ changes = [] }) => changes)])
  const isStuck = ({ about = [], fresh }: Call) => fresh === undefined && about.some((it) => !changed.has(it))
  expect(namesOf((call) => isRead(call) && isStuck(call))).toEqual([])
})

test('what a call changes is read by another', () => {
  const read = new Set(Object.values(calls).flatMap(({ about = [] }) => about))
  expect(namesOf(({ changes = [] }) => changes.some((it) => !read.has(it)))).toEqual([])
  expect(ANNOUNCED.filter((it) => !read.has(it))).toEqual([])
})
