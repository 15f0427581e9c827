import type { MarketSettings } from '@sought/contract/market-settings'
import { and, count, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { formatTime } from '../../../core/dates.ts'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import { payments } from '../../../database/schema.ts'
import { openCase, severityOf } from '../../trust/cases/open-case.ts'

/*
 * Sellers who cancel too many deals can make no new offers for a while (ADR 90). A deal counts whoever cancelled it:
 * only the seller, or the seller's delay, can end one before it is shipped.
 */

const WINDOW_DAYS = 30
const DAY_MS = 86_400_000

const recentOf = (tx: Tx, sellerId: string) =>
  and(
    eq(payments.sellerId, sellerId),
    isNotNull(payments.cancelledBy),
    gt(payments.endedAt, new Date(tx.now.getTime() - WINDOW_DAYS * DAY_MS)),
  )

/** Refuses sellers who have reached the limit, until enough of their cancelled deals are 30 days old. */
export async function requireFewCancellations(
  tx: Tx,
  sellerId: string,
  { cancellationsMax }: MarketSettings,
): Promise<void> {
  const [oldest] = await tx
    .select({ endedAt: payments.endedAt })
    .from(payments)
    .where(recentOf(tx, sellerId))
    .orderBy(desc(payments.endedAt))
    .limit(1)
    .offset(cancellationsMax - 1)
  if (!oldest?.endedAt) return
  const until = new Date(oldest.endedAt.getTime() + WINDOW_DAYS * DAY_MS)
  throw refuse('cancellation_limit', {
    retryAfterSeconds: Math.ceil((until.getTime() - tx.now.getTime()) / 1000),
    issues: [{ path: 'until', message: `You can make new offers from ${formatTime(until)}.` }],
  })
}

/** Opens a case about the seller with the cancellation that reaches the limit. */
export async function reportCancellations(tx: Tx, sellerId: string): Promise<void> {
  // Of several concurrent cancellations, exactly one counts as the last.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`cancellations:${sellerId}`}, 0))`)
  const { cancellationsMax } = await findSettings(tx)
  const [found] = await tx.select({ recent: count() }).from(payments).where(recentOf(tx, sellerId))
  if (found?.recent !== cancellationsMax) return
  await openCase(tx, {
    kind: 'profile',
    targetId: sellerId,
    personId: sellerId,
    severity: severityOf.other,
    report: {
      reporterId: null,
      reason: 'other',
      note: `${cancellationsMax} deals of this seller were cancelled within ${WINDOW_DAYS} days.`,
    },
  })
}
