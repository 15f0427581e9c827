import type { SHARED_DETAILS } from '@sought/contract/moderation'
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import { deliveryAddresses, knownDevices, payments, users } from '../../../database/schema.ts'
import { asPublicUser } from '../../users/public-user.ts'
import * as queries from './queries.ts'

/**
 * Other accounts that use the same card, bank account, browser or delivery address, for moderators. Shows which of these they
 * share, never the value (ADR 80).
 */
export async function findRelatedAccounts(db: Db, userId: string) {
  const sharesOf = new Map<string, { user: ReturnType<typeof asPublicUser>; shares: Shared[] }>()
  for (const { user, shares } of await findSharers(db, userId)) {
    const known = sharesOf.get(user.id)
    if (known) known.shares.push(shares)
    else sharesOf.set(user.id, { user: asPublicUser(user), shares: [shares] })
  }
  return [...sharesOf.values()]
}

/** What the two accounts share. Empty for accounts that are not related. */
export async function findShared(db: Db, userId: string, otherId: string): Promise<Shared[]> {
  const found = await findSharers(db, userId, otherId)
  return found.map(({ shares }) => shares)
}

type Shared = (typeof SHARED_DETAILS)[number]

/** Enough to recognise a network of accounts. A shared computer, for example in a library, can have any number. */
const ROWS_MAX = 100

/** One row for each other account and each detail that it shares. */
function findSharers(db: Db, userId: string, otherId?: string) {
  const addressesOf = (role: 'mine' | 'theirs') => sql`(
    select user_id, address_hash from ${deliveryAddresses}
    union all select buyer_id, address_hash from ${payments}
  ) ${sql.raw(role)}`
  const shared = sql`(
    select theirs.buyer_id as id, 'card' as shares
      from ${payments} mine join ${payments} theirs on theirs.card_fingerprint = mine.card_fingerprint
      where mine.buyer_id = ${userId}
    union
    select theirs.id, 'bank_account'
      from ${users} mine join ${users} theirs on theirs.bank_account_hash = mine.bank_account_hash
      where mine.id = ${userId}
    union
    select theirs.user_id, 'device'
      from ${knownDevices} mine join ${knownDevices} theirs on theirs.hash = mine.hash
      where mine.user_id = ${userId}
    union
    select theirs.user_id, 'address'
      from ${addressesOf('mine')} join ${addressesOf('theirs')} on theirs.address_hash = mine.address_hash
      where mine.user_id = ${userId}
  ) shared`
  return db
    .select({ user: queries.publicColumns, shares: sql<Shared>`shared.shares` })
    .from(users)
    .innerJoin(shared, sql`shared.id = ${users.id}`)
    .where(and(ne(users.id, userId), otherId ? eq(users.id, otherId) : undefined, isNull(users.deletedAt)))
    .orderBy(asc(users.createdAt), asc(users.id), sql`shared.shares`)
    .limit(ROWS_MAX)
}
