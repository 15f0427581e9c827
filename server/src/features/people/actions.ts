import type { PooledDb } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { asPublicUser } from '../../platform/public-user.ts'
import { sellingOf } from '../accounts/profile.ts'
import { openItemsOf } from '../requests/actions.ts'
import { findFeedback, readPerson } from './queries.ts'

/** Deleted users have no public profile. */
async function findActivePerson(db: PooledDb, id: string) {
  const person = await readPerson(db, id)
  if (!person) throw refuse('person_not_found')
  return person
}

export async function profileOf(db: PooledDb, id: string) {
  const person = await findActivePerson(db, id)
  const { ratingCount, cancelledDeals, bio, createdAt: memberSince } = person
  return {
    ...asPublicUser(person),
    ratingCount,
    cancelledDeals,
    bio,
    selling: sellingOf(person),
    memberSince,
  }
}

export async function feedbackOf(
  db: PooledDb,
  id: string,
  page: { limit: number; after?: number | undefined },
) {
  await findActivePerson(db, id)
  const found = await findFeedback(db, id, page)
  return found.map(({ rating, itemTitle, buyer }) => ({ ...rating, itemTitle, by: asPublicUser(buyer) }))
}

export async function openRequestsOf(
  db: PooledDb,
  id: string,
  now: Date,
  page: { limit: number; before?: number | undefined },
) {
  await findActivePerson(db, id)
  return openItemsOf(db, id, now, page)
}
