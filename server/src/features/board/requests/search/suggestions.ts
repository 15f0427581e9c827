import { refuse } from '../../../../core/errors.ts'
import type { Db, PooledDb } from '../../../../database/database.ts'
import type { User } from '../../../../http/session.ts'
import { sellingOf } from '../../../identity/accounts/profile.ts'
import { asWantedItem, presentItem } from '../actions.ts'
import { findVisibleItems, type ItemPage, readItem } from '../queries.ts'
import { findMatchingItems } from './matches-queries.ts'
import { findSimilarItems } from './similar-requests-queries.ts'

const SIMILAR_COUNT = 6

/** Open requests similar to this one, which may be closed itself. */
export async function similarTo(db: PooledDb, id: number, viewer: User | null, now: Date) {
  const found = await findSimilarItems(db, { id, notOf: viewer?.id, limit: SIMILAR_COUNT, now })
  if (found.length === 0) await requireShown(db, id)
  return found.map(asWantedItem)
}

async function requireShown(db: PooledDb, id: number): Promise<void> {
  const item = await readItem(db, id)
  if (!item || item.isHidden) throw refuse('item_not_found')
}

/** Open requests for the categories and keywords of a seller. */
export async function matchesOf(db: PooledDb, user: User, now: Date, page: ItemPage) {
  const { keywords, categories } = sellingOf(user)
  if (keywords.length + categories.length === 0) return []
  const found = await findMatchingItems(db, { id: user.id, keywords, categories }, now, page)
  return found.map(asWantedItem)
}

/** The requests that still exist, in the given order. */
export async function existingItems(db: Db, ids: number[], now: Date) {
  const found = new Map((await findVisibleItems(db, ids)).map((item) => [item.id, item]))
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []).map((item) => presentItem(item, now))
}
