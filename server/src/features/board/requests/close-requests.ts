import type { Tx } from '../../../database/database.ts'
import {
  closeItems,
  closeOpenItems,
  findOpenItemsOf,
  lockItemsOf,
  reopenItems,
} from './close-requests-queries.ts'

/** Closes the open requests of a user who deletes their account, and removes the pictures from all of them. */
export async function closeRequestsOf(tx: Tx, userId: string): Promise<void> {
  await lockItemsOf(tx, userId)
  await closeItems(tx, userId)
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
