import { refuse } from '../../../core/errors.ts'
import type { PooledDb } from '../../../database/database.ts'
import { sellingOf } from '../../identity/accounts/profile.ts'
import { publicName } from '../../users/public-user.ts'
import { openItemsOf } from '../requests/actions.ts'
import * as queries from './queries.ts'
import { badgesOf, dealsOf, standingOf } from './standing.ts'

/** Deleted users have no public profile. */
export async function findActivePerson(db: PooledDb, id: string) {
  const person = await queries.readPerson(db, id)
  if (!person) throw refuse('person_not_found')
  return person
}

export async function profileOf(db: PooledDb, id: string, now: Date) {
  const person = await findActivePerson(db, id)
  const { cancelledAsSeller, responseMinutes, createdAt: memberSince } = person
  return {
    id,
    name: publicName(person),
    profileImageUrl: person.profileImageUrl,
    ...standingOf(person, now),
    cancelledDeals: cancelledAsSeller,
    deals: dealsOf(person),
    responseMinutes,
    badges: badgesOf(person),
    bio: person.bio,
    selling: sellingOf(person),
    memberSince,
  }
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
