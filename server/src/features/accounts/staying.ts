import type { Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { holdUsers } from './queries.ts'

/*
 * Whoever leaves something behind that others can answer, a request or an offer, may have been deleted since the
 * request came in, and the other side too. What is held here cannot leave before the transaction ends.
 */

/** Refuses whoever is gone. */
export async function lockActiveUser(tx: Tx, id: string): Promise<void> {
  if (!(await areHeld(tx, [id]))) throw refuse('signed_out')
}

/** False if one of them is gone. */
export async function areHeld(tx: Tx, ids: string[]): Promise<boolean> {
  return (await holdUsers(tx, ids)).length === ids.length
}
