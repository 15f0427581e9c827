import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { offers, requestVersions, wantedItems } from '../../../database/schema.ts'

/**
 * Closes the open requests of a user who deletes their account, and removes the pictures from all of them and from all
 * that they have said.
 */
export async function closeRequestsOf(tx: Tx, userId: string): Promise<void> {
  await lockItemsOf(tx, userId)
  await closeItems(tx, userId)
  await eraseVersions(tx, userId)
}

/** Closes the open requests of a user who is suspended, and returns their ids. */
export async function closeOpenRequestsOf(tx: Tx, userId: string): Promise<number[]> {
  await lockItemsOf(tx, userId)
  return closeOpenItems(tx, userId)
}

/**
 * Reopens the requests that a suspension closed, after it was undone. Skips those that are no longer closed
 * or are hidden.
 */
export async function reopenRequests(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length > 0) await reopenItems(tx, ids)
}

/** True if a request was posted or reopened after `closeRequestsOf` ran. */
export async function hasOpenRequests(tx: Tx, userId: string): Promise<boolean> {
  return (await findOpenItemsOf(tx, userId)).length > 0
}

/** Locks by ascending id, like all code that locks requests. */
function lockItemsOf(tx: Tx, userId: string) {
  return tx
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .where(eq(wantedItems.userId, userId))
    .orderBy(wantedItems.id)
    .for('update')
}

/**
 * Fulfilled requests keep their status. Reserved ones are skipped: an account with one has open money and is
 * not deleted.
 */
async function closeItems(tx: Tx, userId: string): Promise<void> {
  await tx
    .update(wantedItems)
    .set({
      status: sql`case when ${wantedItems.status} in ('open', 'expired') then 'closed' else ${wantedItems.status} end`,
      images: [],
      updatedAt: tx.now,
    })
    .where(and(eq(wantedItems.userId, userId), ne(wantedItems.status, 'reserved')))
}

/** Keeps the texts of the current versions, and of those that other people answered with an offer (ADR 93). */
async function eraseVersions(tx: Tx, userId: string): Promise<void> {
  const isOwn = sql`exists (
    select from ${wantedItems} item where item.id = ${requestVersions.wantedItemId} and item.user_id = ${userId}`
  const isAnswered = sql`exists (
    select from ${offers} where ${offers.wantedItemId} = ${requestVersions.wantedItemId}
      and ${offers.requestVersion} = ${requestVersions.version})`
  await tx
    .delete(requestVersions)
    .where(sql`${isOwn} and item.version <> ${requestVersions.version}) and not ${isAnswered}`)
  await tx
    .update(requestVersions)
    .set({ images: [] })
    .where(sql`${isOwn}) and ${requestVersions.images} <> '[]'`)
}

async function findOpenItemsOf(tx: Tx, userId: string) {
  return tx
    .select({ id: wantedItems.id })
    .from(wantedItems)
    .where(and(eq(wantedItems.userId, userId), eq(wantedItems.status, 'open')))
}

async function closeOpenItems(tx: Tx, userId: string): Promise<number[]> {
  const closed = await tx
    .update(wantedItems)
    .set({ status: 'closed', updatedAt: tx.now })
    .where(and(eq(wantedItems.userId, userId), eq(wantedItems.status, 'open')))
    .returning({ id: wantedItems.id })
  return closed.map(({ id }) => id)
}

async function reopenItems(tx: Tx, ids: number[]): Promise<void> {
  await tx
    .update(wantedItems)
    .set({ status: 'open', updatedAt: tx.now })
    .where(and(inArray(wantedItems.id, ids), eq(wantedItems.status, 'closed'), isNull(wantedItems.hiddenAt)))
}
