import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { reviewPublished } from './notifications.ts'
import * as queries from './queries.ts'

const BATCH = 200

/**
 * Adds the stars of reviews whose blind period is over to the averages, and notifies their subjects. Reads do not
 * depend on it, because they compare the end of the period themselves. Any number of processes may run it at the
 * same time.
 */
export async function publishDueReviews(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const due = await database.transact(async (tx) => {
      const locked = await queries.lockDueReviews(tx, BATCH)
      const due = locked.map(({ review }) => review)
      if (due.length === 0) return due
      await queries.publishReviews(
        tx,
        due.map(({ id }) => id),
      )
      await queries.addStars(
        tx,
        due.filter(({ isCounted, excluded }) => !isCounted && !excluded),
      )
      const shown = locked.filter(({ review }) => review.hiddenAt === null)
      await notify(
        tx,
        shown.flatMap(({ payment, review }) => reviewPublished(payment, review.subjectRole)),
      )
      return due
    })
    if (due.length < BATCH) return
  }
}
