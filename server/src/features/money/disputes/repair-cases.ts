import { isInDispute } from '@sought/escrow/moves'
import { and, desc, eq, gte, inArray, isNull, notInArray } from 'drizzle-orm'
import type { Database, Tx } from '../../../database/database.ts'
import { disputeCases, disputeTimeline, payments } from '../../../database/schema.ts'
import { findOpenCase, updateCase } from '../dispute-records/dispute-records.ts'
import { lockPayment } from '../payments/stored-payment.ts'

const BATCH = 100
const OPEN_STATUSES = ['disputed', 'under_review'] as const

const ENDINGS = {
  refund_full: 'ruled',
  refund_partial: 'ruled',
  release_seller: 'ruled',
  split_difference: 'ruled',
  settled: 'settled',
  withdrawn: 'withdrawn',
} as const

/**
 * During an upgrade, processes of the previous release end disputes without ending their records. This ends
 * those records.
 */
export async function endStaleCases({ read, transact }: Pick<Database, 'read' | 'transact'>): Promise<void> {
  const stale = await read
    .select({ paymentId: disputeCases.paymentId })
    .from(disputeCases)
    .innerJoin(payments, eq(payments.id, disputeCases.paymentId))
    .where(and(isNull(disputeCases.endedAt), notInArray(payments.status, [...OPEN_STATUSES])))
    .limit(BATCH)
  for (const { paymentId } of stale) await transact((tx) => endStaleCase(tx, paymentId))
}

async function endStaleCase(tx: Tx, paymentId: number): Promise<void> {
  const payment = await lockPayment(tx, paymentId)
  const open = await findOpenCase(tx, paymentId)
  if (!payment || !open || isInDispute(payment.status)) return
  const [end] = await tx
    .select()
    .from(disputeTimeline)
    .where(
      and(
        eq(disputeTimeline.disputeId, paymentId),
        gte(disputeTimeline.timestamp, open.openedAt),
        inArray(disputeTimeline.action, Object.keys(ENDINGS)),
      ),
    )
    .orderBy(desc(disputeTimeline.id))
    .limit(1)
  const ending = end ? ENDINGS[end.action as keyof typeof ENDINGS] : 'bank'
  await updateCase(tx, open.id, {
    ending,
    endedAt: end?.timestamp ?? payment.endedAt ?? tx.now,
    ...(ending === 'ruled' && {
      firstStepAt: open.firstStepAt ?? end?.timestamp ?? null,
      ruledBy: end?.actor ?? null,
    }),
  })
}
