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
      return openCase(tx, payment, { ...openingOf(move), openedAt: tx.now })
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

interface Opening {
  actor: Extract<Move, { name: 'dispute' }>['actor']
  changes: Pick<Payment, 'disputeReason'>
}

function openingOf({ actor, changes }: Opening) {
  if (actor === 'provider') return { openedBy: 'bank', reason: 'chargeback' } as const
  return { openedBy: 'buyer', reason: findDisputeType(changes.disputeReason ?? '') } as const
}

/** Records that an admin answered the parties. Only the first answer counts for the promised answer time. */
export async function recordAdminStep(tx: Tx, payment: Payment): Promise<void> {
  if (!isInDispute(payment)) return
  const { id, firstStepAt } = await findOrOpenCase(tx, payment)
  if (firstStepAt === null) await updateCase(tx, id, { firstStepAt: tx.now })
}

/**
 * The record of a locked payment's open dispute. Creates a missing one: during an upgrade, processes of the
 * previous release open disputes without a record.
 */
export async function findOrOpenCase(tx: Tx, payment: Payment): Promise<DisputeCase> {
  const found = await findOpenCase(tx, payment.id)
  if (found) return found
  const changes = { disputeReason: payment.disputeReason }
  await openCase(tx, payment, {
    ...openingOf({ actor: payment.bankDecides ? 'provider' : 'buyer', changes }),
    openedAt: payment.disputedAt ?? tx.now,
  })
  const opened = await findOpenCase(tx, payment.id)
  if (!opened) throw new Error(`the dispute of payment ${payment.id} was not recorded`)
  return opened
}

export async function findOpenCase(tx: Tx, paymentId: number): Promise<DisputeCase | undefined> {
  const [found] = await tx.select().from(disputeCases).where(isOpenCaseOf(paymentId))
  return found
}

export async function updateCase(
  tx: Tx,
  id: number,
  changes: Partial<Omit<DisputeCase, 'id'>>,
): Promise<void> {
  await tx.update(disputeCases).set(changes).where(eq(disputeCases.id, id))
}

/** Closes a record that is still open: the previous release ended its dispute without closing it. */
async function openCase(
  tx: Tx,
  { id: paymentId }: Payment,
  opening: Pick<DisputeCase, 'openedBy' | 'openedAt' | 'reason'>,
): Promise<void> {
  await tx
    .update(disputeCases)
    .set({ ending: 'withdrawn', endedAt: opening.openedAt })
    .where(isOpenCaseOf(paymentId))
  await tx.insert(disputeCases).values({ paymentId, ...opening })
}

async function endCase(
  tx: Tx,
  payment: Payment,
  ending: Pick<typeof disputeCases.$inferInsert, 'ending' | 'ruledBy'>,
): Promise<void> {
  if (!isInDispute(payment)) return
  const { id } = await findOrOpenCase(tx, payment)
  await updateCase(tx, id, { ...ending, endedAt: tx.now })
}

const isOpenCaseOf = (paymentId: number) =>
  and(eq(disputeCases.paymentId, paymentId), isNull(disputeCases.endedAt))

/**
 * The next time that we promised the parties. While a bank decides, this is only the first answer, because
 * our team cannot rule. Without a record, the previous release opened the dispute.
 */
export function dueAtOf(payment: Payment, open: DisputeCase | null): Date | null {
  if (!isInDispute(payment)) return null
  const openedAt = payment.disputedAt ?? payment.updatedAt
  const progress = open ?? { openedAt, firstStepAt: null, endedAt: null }
  return payment.bankDecides && progress.firstStepAt ? null : nextDue(progress)
}
