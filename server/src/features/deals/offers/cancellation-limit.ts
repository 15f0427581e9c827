import type { MarketSettings } from '@sought/contract/market-settings'
import { formatTime } from '../../../core/dates.ts'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import { openCase, severityOf } from '../../trust/cases/open-case.ts'
import * as queries from './queries.ts'

/*
 * Sellers who cancel too many deals can make no new offers for a while (ADR 90). A deal counts whoever cancelled it:
 * only the seller, or the seller's delay, can end one before it is shipped.
 */

const WINDOW_DAYS = 30
const DAY_MS = 86_400_000

const windowStart = (now: Date) => new Date(now.getTime() - WINDOW_DAYS * DAY_MS)

/** Refuses sellers who have reached the limit, until enough of their cancelled deals are 30 days old. */
export async function requireFewCancellations(
  tx: Tx,
  sellerId: string,
  { cancellationsMax }: MarketSettings,
): Promise<void> {
  const counted = await queries.findCancelled(tx, sellerId, {
    since: windowStart(tx.now),
    limit: cancellationsMax,
  })
  const oldest = counted.at(-1)
  if (!oldest || counted.length < cancellationsMax) return
  const until = new Date(oldest.getTime() + WINDOW_DAYS * DAY_MS)
  throw refuse('cancellation_limit', {
    retryAfterSeconds: Math.ceil((until.getTime() - tx.now.getTime()) / 1000),
    issues: [{ path: 'until', message: `You can make new offers from ${formatTime(until)}.` }],
  })
}

/** Opens a case about the seller with the cancellation that reaches the limit. */
export async function reportCancellations(tx: Tx, sellerId: string): Promise<void> {
  // Of several concurrent cancellations, exactly one counts as the last.
  await queries.lockCancellations(tx, sellerId)
  const { cancellationsMax } = await findSettings(tx)
  const counted = await queries.findCancelled(tx, sellerId, {
    since: windowStart(tx.now),
    limit: cancellationsMax + 1,
  })
  if (counted.length !== cancellationsMax) return
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
