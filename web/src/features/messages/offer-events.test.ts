import type { Offer } from '@sought/contract/offers'
import { expect, test } from 'vitest'
import { aVersion } from '../../testing/samples.ts'
import { listOfferEvents } from './offer-events.ts'

const minute = (n: number) => `2026-11-15T10:${String(n).padStart(2, '0')}:00.000Z` as Offer['createdAt']
const person = (id: string) => ({ id, name: id, rating: 0, profileImageUrl: null })

const offer = (change: Partial<Offer>): Offer => ({
  id: 1,
  wantedItemId: 7,
  request: aVersion(),
  currentVersion: 1,
  buyerId: 'buyer',
  sellerId: 'seller',
  amount: 4000,
  currency: 'usd',
  delivery: 'arranged',
  shipWithinDays: null,
  message: null,
  photos: [],
  status: 'pending',
  proposedBy: 'seller',
  counterOf: null,
  fees: null,
  replacedBy: null,
  expiresAt: minute(59),
  acceptedAt: null,
  rejectedAt: null,
  withdrawnAt: null,
  createdAt: minute(0),
  updatedAt: minute(0),
  buyer: person('buyer'),
  seller: person('seller'),
  ...change,
})

const describeEvents = (offers: Offer[]) =>
  listOfferEvents(offers).map(({ actorId, action }) => `${actorId} ${action}`)

test('each event shows the person who acted', () => {
  expect(describeEvents([offer({ rejectedAt: minute(1) })])).toEqual(['seller offered', 'buyer rejected'])
  expect(describeEvents([offer({ withdrawnAt: minute(1) })])).toEqual(['seller offered', 'seller withdrew'])
})

test('an offer that the server withdrew when another was accepted has no event', () => {
  const first = offer({ id: 1, withdrawnAt: minute(2), replacedBy: 2 })
  const counter = offer({ id: 2, proposedBy: 'buyer', createdAt: minute(1), acceptedAt: minute(2) })
  expect(describeEvents([first, counter])).toEqual(['seller offered', 'buyer countered', 'seller accepted'])
})
