import { limitsOf } from '@sought/contract/market-settings'
import type { Tx } from '../../../database/database.ts'
import { findSettings } from '../../../database/market-settings.ts'
import type { payments } from '../../../database/schema.ts'
import type { Services } from '../../../services.ts'
import { findShared } from '../../board/profiles/related-accounts.ts'
import { openCase } from '../../trust/cases/open-case.ts'
import * as queries from './queries.ts'

/*
 * Reviews that are shown, but whose stars do not count: those of small deals, and those between accounts that share a
 * device, a card, a bank account or an address (ADR 78). Otherwise people could rate themselves for a few cents.
 */

interface Pair {
  authorId: string
  subjectId: string
}

/** Why a new review does not count. The limit for small deals applies as it is now. */
export async function findExclusion(
  tx: Tx,
  { authorId, subjectId }: Pair,
  { amount, currency }: Pick<typeof payments.$inferSelect, 'amount' | 'currency'>,
): Promise<'related' | 'small_deal' | null> {
  if ((await findShared(tx, authorId, subjectId)).length > 0) return 'related'
  const { ratingMinCents } = limitsOf(await findSettings(tx), currency)
  return amount < ratingMinCents ? 'small_deal' : null
}

/**
 * Takes away the stars of all reviews between two accounts if they are related, and opens a case once per pair. The
 * caller has locked the pair, and no user yet.
 */
export async function excludeIfRelated(tx: Tx, review: Pair & { id: number }): Promise<void> {
  const { authorId, subjectId } = review
  const shared = await findShared(tx, authorId, subjectId)
  if (shared.length === 0) return
  const excluded = await queries.excludeReviewsBetween(tx, authorId, subjectId)
  await queries.addStars(
    tx,
    excluded.filter(({ isCounted }) => isCounted),
    -1,
  )
  if (await queries.hasCaseBetween(tx, authorId, subjectId)) return
  const details = shared.map((detail) => detail.replace('_', ' ')).join(', ')
  await openCase(tx, {
    kind: 'review',
    targetId: String(review.id),
    personId: authorId,
    severity: 2,
    report: {
      reporterId: null,
      reason: 'other',
      note: `The two accounts of this review share: ${details}. Their ratings of each other do not count.`,
    },
  })
}

const BATCH = 100

/** People can use the same device or card after they have reviewed each other. */
export async function recheckReviews(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const claimed = await database.transact((tx) => queries.claimReviewsToRecheck(tx, BATCH))
    for (const review of claimed)
      await database.transact(async (tx) => {
        await queries.lockPair(tx, review.authorId, review.subjectId)
        await excludeIfRelated(tx, review)
      })
    if (claimed.length < BATCH) return
  }
}
