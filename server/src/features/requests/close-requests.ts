import type { Tx } from '../../platform/database.ts'
import { closeItems, findOpenItemsOf, lockItemsOf } from './close-requests-queries.ts'

/** Closes the open requests of a user who deletes their account, and removes the pictures from all of them. */
export async function closeRequestsOf(tx: Tx, userId: string): Promise<void> {
  await lockItemsOf(tx, userId)
  await closeItems(tx, userId)
}

/** True if a request was posted or reopened after `closeRequestsOf` ran. */
export async function hasOpenRequests(tx: Tx, userId: string): Promise<boolean> {
  return (await findOpenItemsOf(tx, userId)).length > 0
}
