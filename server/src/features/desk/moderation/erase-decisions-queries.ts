import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { moderationCases, moderationDecisions } from '../../../database/schema.ts'

export async function closeCasesOf(tx: Tx, personId: string): Promise<void> {
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

export async function eraseDecisionTexts(tx: Tx, personId: string): Promise<void> {
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
