import { and, desc, eq, ilike, lt, ne, or, type SQL } from 'drizzle-orm'
import type { Db } from '../../platform/database.ts'
import { users, wantedItems } from '../../platform/schema.ts'

const itemWithOwner = {
  id: wantedItems.id,
  title: wantedItems.title,
  description: wantedItems.description,
  category: wantedItems.category,
  minBudget: wantedItems.minBudget,
  maxBudget: wantedItems.maxBudget,
  location: wantedItems.location,
  urgency: wantedItems.urgency,
  imageUrl: wantedItems.imageUrl,
  userId: wantedItems.userId,
  status: wantedItems.status,
  createdAt: wantedItems.createdAt,
  owner: {
    id: users.id,
    firstName: users.firstName,
    lastName: users.lastName,
    rating: users.rating,
    profileImageUrl: users.profileImageUrl,
  },
}

function selectItems(db: Db) {
  return db.select(itemWithOwner).from(wantedItems).innerJoin(users, eq(users.id, wantedItems.userId))
}

export interface ItemFilter {
  search?: string | undefined
  category?: string | undefined
  urgency?: 'low' | 'medium' | 'high' | undefined
  notOf?: string | undefined
  before?: number | undefined
  limit: number
}

export function findOpenItems(db: Db, filter: ItemFilter) {
  return selectItems(db)
    .where(
      and(
        eq(wantedItems.status, 'open'),
        filter.category ? eq(wantedItems.category, filter.category) : undefined,
        filter.urgency ? eq(wantedItems.urgency, filter.urgency) : undefined,
        filter.notOf ? ne(wantedItems.userId, filter.notOf) : undefined,
        filter.before ? lt(wantedItems.id, filter.before) : undefined,
        ...words(filter.search ?? '').map(holds),
      ),
    )
    .orderBy(desc(wantedItems.id))
    .limit(filter.limit)
}

function words(search: string): string[] {
  return search.split(/\s+/).filter((word) => word !== '')
}

/** A request holds a word if any of its texts does. The word is text: % and _ mean themselves. */
function holds(word: string): SQL | undefined {
  const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`
  const { title, description, category, location } = wantedItems
  return or(
    ilike(title, pattern),
    ilike(description, pattern),
    ilike(category, pattern),
    ilike(location, pattern),
  )
}

export async function findItem(db: Db, id: number) {
  const [found] = await selectItems(db).where(eq(wantedItems.id, id))
  return found
}

export function findItemsOf(db: Db, userId: string) {
  return selectItems(db).where(eq(wantedItems.userId, userId)).orderBy(desc(wantedItems.id))
}
