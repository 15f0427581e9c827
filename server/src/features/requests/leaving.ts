import type { Tx } from '../../platform/database.ts'
import { closeItems, findOpenItemsOf, lockItemsOf } from './leaving-queries.ts'

/** Takes the requests of somebody who leaves off the board, and the pictures off the requests. */
export async function leaveRequests(tx: Tx, userId: string): Promise<void> {
  await lockItemsOf(tx, userId)
  await closeItems(tx, userId)
}

/** Whether somebody has, all the same, an open request: it was posted meanwhile. */
export async function hasOpenRequests(tx: Tx, userId: string): Promise<boolean> {
  return (await findOpenItemsOf(tx, userId)).length > 0
}
