import type { Tx } from '../../platform/database.ts'
import { closeItems, lockItemsOf } from './leaving-queries.ts'

/** Takes the requests of somebody who leaves off the board, and the pictures off the requests. */
export async function leaveRequests(tx: Tx, userId: string): Promise<void> {
  await lockItemsOf(tx, userId)
  await closeItems(tx, userId)
}
