import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { moderationCases, moderationDecisions } from '../../../database/schema.ts'

/**
 * For deleted accounts, moderators keep what was decided and when, without texts. Open cases about content
 * that is deleted with the account are closed. Messages and reviews stay visible, and so do cases about them.
 */
export async function eraseDecisionsAbout(tx: Tx, userId: string): Promise<void> {
  await closeCasesOf(tx, userId)
  await eraseDecisionTexts(tx, userId)
}

async function closeCasesOf(tx: Tx, personId: string): Promise<void> {
  await tx
    .update(moderationCases)
    .set({ status: 'decided', decidedAt: tx.now })
    .where(
      and(
        eq(moderationCases.personId, personId),
        eq(moderationCases.status, 'open'),
        or(
          inArray(moderationCases.kind, ['request', 'profile', 'picture']),
          isNotNull(moderationCases.appealedId),
        ),
      ),
    )
}

async function eraseDecisionTexts(tx: Tx, personId: string): Promise<void> {
  await tx
    .update(moderationDecisions)
    .set({
      reason: '',
      undo: {},
      appeal: sql`case when ${moderationDecisions.appeal} is not null then '' end`,
      appealAnswer: sql`case when ${moderationDecisions.appealAnswer} is not null then '' end`,
    })
    .where(eq(moderationDecisions.personId, personId))
}
