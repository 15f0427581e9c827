import type { Db } from '../../../database/database.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { findSharers, type Shared } from './related-accounts-queries.ts'

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
