import { findDisputeType } from '@sought/contract/dispute-draft'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { disputeCases } from '../../platform/back-office-tables.ts'
import type { Tx } from '../../platform/database.ts'
import type { Move } from './move.ts'
import type { Payment } from './queries.ts'

/** Keeps the record of a dispute in step with its payment: who opened it, and how and when it ended. */
export async function recordDisputeMove(tx: Tx, { id: paymentId }: Payment, move: Move): Promise<void> {
  switch (move.name) {
    case 'dispute':
      await tx
        .insert(disputeCases)
        .values({ paymentId, ...openingOf(move), openedAt: tx.now })
        .onConflictDoNothing()
      return
    case 'review':
      return recordAdminStep(tx, paymentId)
    case 'refund':
    case 'release':
    case 'divide':
      if (move.actor === 'admin') {
        await recordAdminStep(tx, paymentId)
        return endCase(tx, paymentId, { ending: 'ruled', ruledBy: move.timeline?.actor ?? null })
      }
      return endCase(tx, paymentId, { ending: 'settled' })
    case 'withdraw':
      return endCase(tx, paymentId, { ending: 'withdrawn' })
    case 'resume':
    case 'reimburse':
      return endCase(tx, paymentId, { ending: 'bank' })
    case 'hold':
    case 'return_duplicate':
    case 'ship':
    case 'deliver':
    case 'hand_over':
    case 'cancel':
    case 'confirm':
    case 'lapse':
      return
  }
}

function openingOf({ actor, changes }: Extract<Move, { name: 'dispute' }>) {
  if (actor === 'provider') return { openedBy: 'bank', reason: 'chargeback' } as const
  return { openedBy: 'buyer', reason: findDisputeType(changes.disputeReason ?? '') } as const
}

/** An admin has answered the parties. The first time counts for the promised one. */
export async function recordAdminStep(tx: Tx, paymentId: number): Promise<void> {
  await tx
    .update(disputeCases)
    .set({ firstStepAt: sql`coalesce(${disputeCases.firstStepAt}, ${tx.now.toISOString()}::timestamptz)` })
    .where(isOpenCaseOf(paymentId))
}

type Ending = Pick<typeof disputeCases.$inferInsert, 'ending' | 'ruledBy'>

async function endCase(tx: Tx, paymentId: number, ending: Ending): Promise<void> {
  await tx
    .update(disputeCases)
    .set({ ...ending, endedAt: tx.now })
    .where(isOpenCaseOf(paymentId))
}

const isOpenCaseOf = (paymentId: number) =>
  and(eq(disputeCases.paymentId, paymentId), isNull(disputeCases.endedAt))
