import type { Db } from '../../platform/database.ts'
import type { User } from '../../platform/session.ts'
import { asPublicUser } from '../accounts/presenters.ts'
import { findOffersOf } from './queries.ts'

export async function offersOf(db: Db, user: User) {
  const found = await findOffersOf(db, user.id)
  return found.map(({ offer, buyer, seller }) => ({
    ...offer,
    buyer: asPublicUser(buyer),
    seller: asPublicUser(seller),
  }))
}
