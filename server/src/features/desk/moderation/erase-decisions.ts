import type { Tx } from '../../../database/database.ts'
import { closeCasesOf, eraseDecisionTexts } from './erase-decisions-queries.ts'

/**
 * For deleted accounts, moderators keep what was decided and when, without texts. Open cases about content
 * that is deleted with the account are closed. Messages and reviews stay visible, and so do cases about them.
 */
export async function eraseDecisionsAbout(tx: Tx, userId: string): Promise<void> {
  await closeCasesOf(tx, userId)
  await eraseDecisionTexts(tx, userId)
}
