import type { CurrentUser } from '@sought/contract/accounts'
import type { getPayment } from '@sought/contract/payments'
import type { WantedItem } from '@sought/contract/requests'
import type * as z from 'zod/mini'

export type TestUser = z.input<typeof CurrentUser>

/** A signed-in user with a verified email and a password. */
export function aUser(changes: Partial<TestUser> = {}): TestUser {
  return {
    id: '0192d3a0-0000-7000-8000-000000000001',
    name: 'Ada Buyer',
    email: 'ada@example.com',
    emailVerified: true,
    pendingEmail: null,
    hasPassword: true,
    googleLinked: false,
    firstName: 'Ada',
    lastName: 'Buyer',
    profileImageUrl: null,
    provider: 'email',
    bio: null,
    location: null,
    phone: null,
    rating: 0,
    createdAt: '2026-01-05T09:00:00.000Z',
    updatedAt: '2026-01-05T09:00:00.000Z',
    ...changes,
  }
}

/** An open request for a lamp, posted by the user of `aUser`. */
export function aRequest(changes: Partial<z.input<typeof WantedItem>> = {}): z.input<typeof WantedItem> {
  const { id: userId, name, rating, profileImageUrl } = aUser()
  return {
    id: 3,
    title: 'A green lamp',
    description: 'With a brass foot.',
    category: 'Home & Garden',
    minBudget: 20,
    maxBudget: 120,
    location: 'Leeds',
    urgency: 'medium',
    imageUrl: null,
    userId,
    status: 'open',
    createdAt: '2026-11-16T09:00:00.000Z',
    user: { id: userId, name, rating, profileImageUrl },
    ...changes,
  }
}

/** A seller who deals with the user of `aUser`. */
export const aSeller = {
  id: '0192d3a0-0000-7000-8000-000000000002',
  name: 'Bob Tester',
  rating: 0,
  profileImageUrl: null,
}

/** A payment of $120.00 in escrow, from the user of `aUser` to `aSeller`. */
export function aPayment(
  changes: Partial<z.input<typeof getPayment.reply>> = {},
): z.input<typeof getPayment.reply> {
  const { id: buyerId, name, rating, profileImageUrl } = aUser()
  const { id: wantedItemId, title, category, imageUrl, minBudget, maxBudget } = aRequest()
  return {
    id: 1,
    wantedItemId,
    buyerId,
    sellerId: aSeller.id,
    offerId: 5,
    amount: 12_000,
    stripePaymentIntentId: 'pi_1',
    status: 'held_in_escrow',
    escrowHoldUntil: '2026-11-22T12:00:00.000Z',
    buyerConfirmedAt: null,
    sellerAcceptedAt: null,
    fundsReleasedAt: null,
    completedAt: null,
    disputeReason: null,
    createdAt: '2026-11-15T12:00:00.000Z',
    updatedAt: '2026-11-15T12:00:00.000Z',
    buyer: { id: buyerId, name, rating, profileImageUrl },
    seller: aSeller,
    rated: false,
    wantedItem: { id: wantedItemId, title, category, imageUrl, userId: buyerId, minBudget, maxBudget },
    ...changes,
  }
}

/** A payment as lists of payments contain it. */
export function aListedPayment(changes: Parameters<typeof aPayment>[0] = {}) {
  const { wantedItem, ...payments } = aPayment(changes)
  return { payments, wantedItem, wanted_items: wantedItem }
}
