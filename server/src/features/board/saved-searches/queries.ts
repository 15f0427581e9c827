import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { insertRow, updateRows } from '../../../database/rows.ts'
import { savedSearches, searchAlerts } from '../../../database/schema.ts'

interface OwnSearch {
  id: number
  userId: string
}

const isOwn = ({ id, userId }: OwnSearch) => and(eq(savedSearches.id, id), eq(savedSearches.userId, userId))

export type SavedSearch = typeof savedSearches.$inferSelect

export function findSearches(db: Db, userId: string): Promise<SavedSearch[]> {
  return db
    .select()
    .from(savedSearches)
    .where(eq(savedSearches.userId, userId))
    .orderBy(desc(savedSearches.id))
}

export function countSearches(tx: Tx, userId: string): Promise<number> {
  return tx.$count(savedSearches, eq(savedSearches.userId, userId))
}

type SearchFields = Omit<typeof savedSearches.$inferInsert, 'id' | 'createdAt' | 'updatedAt'>

export async function insertSearch(tx: Tx, search: SearchFields): Promise<SavedSearch> {
  return insertRow(tx, savedSearches, { ...search, createdAt: tx.now, updatedAt: tx.now })
}

/** Undefined if the user has no such search. A digest is due a day after alerts were switched on. */
export async function updateSearch(
  tx: Tx,
  { id, userId }: OwnSearch,
  change: Partial<SearchFields>,
): Promise<SavedSearch | undefined> {
  const digestAt = sql`case ${savedSearches.alerts} when 'off' then ${tx.now.toISOString()}::timestamptz else ${savedSearches.digestAt} end`
  const [updated] = await tx
    .update(savedSearches)
    .set({ ...change, ...(change.alerts && { digestAt }), updatedAt: tx.now })
    .where(isOwn({ id, userId }))
    .returning()
  return updated
}

/** False if the user has no such search. */
export async function deleteSavedSearch(tx: Tx, search: OwnSearch): Promise<boolean> {
  await deletePendingAlerts(tx, search)
  const deleted = await tx.delete(savedSearches).where(isOwn(search)).returning({ id: savedSearches.id })
  return deleted.length > 0
}

/** Keeps the rows, so that nobody is alerted to the same requests again. */
export async function deletePendingAlerts(tx: Tx, { id, userId }: OwnSearch): Promise<void> {
  await updateRows(tx, searchAlerts, { savedSearchId: id, userId }, { dueAt: null })
}

/**
 * Deletes searches first: a concurrent job that adds alerts then fails on its foreign key, and finds no search when
 * it is retried.
 */
export async function deleteSearchesOf(tx: Tx, userId: string): Promise<void> {
  await tx.delete(savedSearches).where(eq(savedSearches.userId, userId))
  await tx.delete(searchAlerts).where(eq(searchAlerts.userId, userId))
}
