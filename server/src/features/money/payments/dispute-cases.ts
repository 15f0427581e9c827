import { findDisputeType } from '@sought/contract/dispute-draft'
import { nextDue } from '@sought/escrow/promised-times'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { disputeCases } from '../../../database/schema.ts'
import type { Move } from './move.ts'
import type { Payment } from './queries.ts'

export type DisputeCase = typeof disputeCases.$inferSelect

export const isInDispute = ({ status }: Pick<Payment, 'status'>) =>
  status === 'disputed' || status === 'under_review'

/**
 * Keeps the record of a dispute up to date: who opened it and how it ended. `payment` is the state before the
 * move.
 */
export async function recordDisputeMove(tx: Tx, payment: Payment, move: Move): Promise<void> {
  switch (move.name) {
    case 'dispute':
      await tx.insert(disputeCases).values({ paymentId: payment.id, ...openingOf(move), openedAt: tx.now })
      return
    case 'review':
      return recordAdminStep(tx, payment)
    case 'refund':
    case 'release':
    case 'divide':
      if (move.actor === 'admin') {
        await recordAdminStep(tx, payment)
        return endCase(tx, payment, { ending: 'ruled', ruledBy: move.timeline?.actor ?? null })
      }
      return endCase(tx, payment, { ending: 'settled' })
    case 'withdraw':
      return endCase(tx, payment, { ending: 'withdrawn' })
    case 'resume':
    case 'reimburse':
      return endCase(tx, payment, { ending: 'bank' })
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

/** Records that an admin answered the parties. Only the first answer counts for the promised answer time. */
export async function recordAdminStep(tx: Tx, payment: Payment): Promise<void> {
  if (!isInDispute(payment)) return
  const { id, firstStepAt } = await findOpenCase(tx, payment.id)
  if (firstStepAt === null) await updateCase(tx, id, { firstStepAt: tx.now })
}

/** The record of an open dispute. */
export async function findOpenCase(tx: Tx, paymentId: number): Promise<DisputeCase> {
  const [found] = await tx
    .select()
    .from(disputeCases)
    .where(and(eq(disputeCases.paymentId, paymentId), isNull(disputeCases.endedAt)))
  if (!found) throw new Error(`payment ${paymentId} has no open dispute`)
  return found
}

export async function updateCase(
  tx: Tx,
  id: number,
  changes: Partial<Omit<DisputeCase, 'id'>>,
): Promise<void> {
  await tx.update(disputeCases).set(changes).where(eq(disputeCases.id, id))
}

async function endCase(
  tx: Tx,
  payment: Payment,
  ending: Pick<typeof disputeCases.$inferInsert, 'ending' | 'ruledBy'>,
): Promise<void> {
  if (!isInDispute(payment)) return
  const { id } = await findOpenCase(tx, payment.id)
  await updateCase(tx, id, { ...ending, endedAt: tx.now })
}

/**
 * The next time that we promised the parties. While a bank decides, this is only the first answer, because
 * our team cannot rule.
 */
export function dueAtOf(payment: Payment, open: DisputeCase | null): Date | null {
  if (!open || !isInDispute(payment)) return null
  return payment.bankDecides && open.firstStepAt ? null : nextDue(open)
}
