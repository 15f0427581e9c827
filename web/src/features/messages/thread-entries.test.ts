import type { Message } from '@sought/contract/messages'
import { expect, test } from 'vitest'
import type { OfferStep } from './offer-steps.ts'
import type { Outgoing } from './outbox.ts'
import { threadEntries } from './thread-entries.ts'

const person = { id: 'bob', name: 'Bob', rating: 0, profileImageUrl: null }
const item = {
  id: 7,
  title: 'A lamp',
  category: 'Other',
  imageUrl: null,
  userId: 'bob',
  minBudget: 0,
  maxBudget: 40,
}

const message = (id: number, at: string, clientId: string | null = null): Message => ({
  id,
  wantedItemId: 7,
  senderId: 'ada',
  receiverId: 'bob',
  content: `message ${id}`,
  isRead: false,
  readAt: null,
  clientId,
  createdAt: at as Message['createdAt'],
  sender: person,
  receiver: person,
  wantedItem: item,
})

const step = (at: string): OfferStep => ({
  key: at,
  did: 'offered',
  by: 'ada',
  offer: {} as never,
  at: new Date(at),
})

const outgoing = (clientId: string): Outgoing => ({
  clientId,
  me: 'ada',
  itemId: 7,
  otherId: 'bob',
  content: 'soon',
  at: new Date('2026-11-15T12:09:00Z'),
  state: 'sending',
})

const nothing = { messages: [], hasOlder: false, outgoing: [], steps: [], payments: [] }

test('messages and offers stand in the order of time, under their days', () => {
  const entries = threadEntries({
    ...nothing,
    messages: [message(2, '2026-11-15T12:05:00Z'), message(1, '2026-11-13T12:00:00Z')],
    steps: [step('2026-11-15T12:01:00Z')],
    outgoing: [outgoing('new')],
  })
  expect(entries.map(({ kind }) => kind)).toEqual(['day', 'message', 'day', 'step', 'message', 'outgoing'])
})

test('a message that has arrived is no longer on its way, and keeps its key', () => {
  const [, before] = threadEntries({ ...nothing, outgoing: [outgoing('mark')] })
  const after = threadEntries({
    ...nothing,
    messages: [message(1, '2026-11-15T12:05:00Z', 'mark')],
    outgoing: [outgoing('mark')],
  })
  expect(after.map(({ kind }) => kind)).toEqual(['day', 'message'])
  expect(after[1]?.key).toBe(before?.key)
})

test('what failed days ago stands last, under the day of what is above it', () => {
  const entries = threadEntries({
    ...nothing,
    messages: [message(2, '2026-11-17T12:05:00Z'), message(1, '2026-11-15T12:00:00Z')],
    outgoing: [outgoing('old')],
  })
  expect(entries.map(({ kind }) => kind)).toEqual(['day', 'message', 'day', 'message', 'outgoing'])
  expect(new Set(entries.map(({ key }) => key)).size).toBe(5)
})

test('while older messages are missing, what happened among them waits too', () => {
  const entries = threadEntries({
    ...nothing,
    messages: [message(9, '2026-11-15T12:05:00Z')],
    hasOlder: true,
    steps: [step('2026-11-15T12:01:00Z')],
  })
  expect(entries.map(({ kind }) => kind)).toEqual(['day', 'message'])
})

test('a message is shown even if one that was stored before it was begun later', () => {
  const entries = threadEntries({
    ...nothing,
    messages: [message(2, '2026-11-15T12:00:00.001Z'), message(1, '2026-11-15T12:00:00.002Z')],
    hasOlder: true,
  })
  expect(entries.filter(({ kind }) => kind === 'message')).toHaveLength(2)
})
