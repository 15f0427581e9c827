import type { CurrentUser } from '@sought/contract/accounts'
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
