import { and, desc, eq, gt, ilike, lt, lte, ne, or, type SQL } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database.ts'
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

/** The item alone, locked until the transaction ends. */
export async function lockItem(tx: Tx, id: number) {
  const [found] = await tx.select().from(wantedItems).where(eq(wantedItems.id, id)).for('update')
  return found
}

type ItemFields = Omit<typeof wantedItems.$inferInsert, 'id' | 'createdAt' | 'updatedAt'>

export async function insertItem(tx: Tx, item: ItemFields): Promise<number> {
  const [inserted] = await tx
    .insert(wantedItems)
    .values({ ...item, createdAt: tx.now, updatedAt: tx.now })
    .returning({ id: wantedItems.id })
  if (!inserted) throw new Error('insert returned no row')
  return inserted.id
}

export async function updateItem(tx: Tx, id: number, change: Partial<ItemFields>): Promise<void> {
  await tx
    .update(wantedItems)
    .set({ ...change, updatedAt: tx.now })
    .where(eq(wantedItems.id, id))
}

export async function newestItemId(db: Db): Promise<number> {
  const [newest] = await db
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .orderBy(desc(wantedItems.id))
    .limit(1)
  return newest?.id ?? 0
}

/** The ids of open requests above the first and up to the last. */
export async function openItemIds(db: Db, above: number, upTo: number): Promise<number[]> {
  const { id, status } = wantedItems
  const found = await db
    .select({ id })
    .from(wantedItems)
    .where(and(eq(status, 'open'), gt(id, above), lte(id, upTo)))
  return found.map((item) => item.id)
}
