import type { Message } from '@sought/contract/messages'
import { expect, test } from 'vitest'
import type { OfferEvent } from './offer-events.ts'
import type { OutgoingMessage } from './outbox.ts'
import { listThreadEntries } from './thread-entries.ts'

const person = { id: 'bob', name: 'Bob', rating: 0, profileImageUrl: null }
const item = {
  id: 7,
  title: 'A lamp',
  category: 'Other',
  imageUrl: null,
  pictureUrl: null,
  userId: 'bob',
  minBudget: 0,
  maxBudget: 40,
  currency: 'usd' as const,
}

const message = (id: number, at: string, clientId: string | null = null): Message => ({
  id,
  wantedItemId: 7,
  senderId: 'ada',
  receiverId: 'bob',
  content: `message ${id}`,
  photos: [],
  isHidden: false,
  warning: null,
  isRead: false,
  readAt: null,
  clientId,
  createdAt: at as Message['createdAt'],
  sender: person,
  receiver: person,
  wantedItem: item,
})

const event = (at: string): OfferEvent => ({
  key: at,
  action: 'offered',
  actorId: 'ada',
  offer: {} as never,
  at: new Date(at),
})

const outgoing = (clientId: string): OutgoingMessage => ({
  clientId,
  me: 'ada',
  itemId: 7,
  otherId: 'bob',
  content: 'soon',
  photos: [],
  at: new Date('2026-11-15T12:09:00Z'),
  state: 'sending',
})

const empty = { messages: [], hasOlder: false, outgoing: [], events: [], payments: [] }

test('messages and offers are sorted by time, with a line for each day', () => {
  const entries = listThreadEntries({
    ...empty,
    messages: [message(2, '2026-11-15T12:05:00Z'), message(1, '2026-11-13T12:00:00Z')],
    events: [event('2026-11-15T12:01:00Z')],
    outgoing: [outgoing('new')],
  })
  expect(entries.map(({ kind }) => kind)).toEqual(['day', 'message', 'day', 'offer', 'message', 'outgoing'])
})

test('a stored message replaces its outgoing one and keeps its key', () => {
  const [, before] = listThreadEntries({ ...empty, outgoing: [outgoing('mark')] })
  const after = listThreadEntries({
    ...empty,
    messages: [message(1, '2026-11-15T12:05:00Z', 'mark')],
    outgoing: [outgoing('mark')],
  })
  expect(after.map(({ kind }) => kind)).toEqual(['day', 'message'])
  expect(after[1]?.key).toBe(before?.key)
})

test('a message that failed days ago comes last, without a line for its day', () => {
  const entries = listThreadEntries({
    ...empty,
    messages: [message(2, '2026-11-17T12:05:00Z'), message(1, '2026-11-15T12:00:00Z')],
    outgoing: [outgoing('old')],
  })
  expect(entries.map(({ kind }) => kind)).toEqual(['day', 'message', 'day', 'message', 'outgoing'])
  expect(new Set(entries.map(({ key }) => key)).size).toBe(5)
})

test('offer events older than the loaded messages are not shown yet', () => {
  const entries = listThreadEntries({
    ...empty,
    messages: [message(9, '2026-11-15T12:05:00Z')],
    hasOlder: true,
    events: [event('2026-11-15T12:01:00Z')],
  })
  expect(entries.map(({ kind }) => kind)).toEqual(['day', 'message'])
})

test('a message is shown even if an earlier id has a later timestamp', () => {
  const entries = listThreadEntries({
    ...empty,
    messages: [message(2, '2026-11-15T12:00:00.001Z'), message(1, '2026-11-15T12:00:00.002Z')],
    hasOlder: true,
  })
  expect(entries.filter(({ kind }) => kind === 'message')).toHaveLength(2)
})
