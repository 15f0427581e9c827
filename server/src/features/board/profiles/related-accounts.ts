import { and, asc, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import { knownDevices, payments, users } from '../../../database/schema.ts'
import { asPublicUser } from '../../users/public-user.ts'
import * as queries from './queries.ts'

/**
 * Other accounts that use the same card, bank account or browser, for moderators. Shows which of these they
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

type Shared = 'card' | 'bank_account' | 'device'

/** Enough to recognise a network of accounts. A shared computer, for example in a library, can have any number. */
const ROWS_MAX = 100

/** One row for each other account and each detail that it shares. */
function findSharers(db: Db, userId: string) {
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
  ) shared`
  return db
    .select({ user: queries.publicColumns, shares: sql<Shared>`shared.shares` })
    .from(users)
    .innerJoin(shared, sql`shared.id = ${users.id}`)
    .where(and(ne(users.id, userId), isNull(users.deletedAt)))
    .orderBy(asc(users.createdAt), asc(users.id), sql`shared.shares`)
    .limit(ROWS_MAX)
}
