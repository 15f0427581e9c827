import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { escrowEnding } from './notifications/payments.ts'
import * as queries from './queries.ts'

const NOTICE_MS = 24 * 3_600_000
const BATCH = 200

/**
 * Notifies buyers whose hold ends within a day. The notification's unique key ensures one notification per hold,
 * also when several processes run this at the same time.
 */
export async function notifyHoldEnding(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<void> {
  type Page = Awaited<ReturnType<typeof queries.findHoldsEnding>>
  let after: Page[number] | null = null
  while (!signal?.aborted) {
    const page: Page = await database.transact(async (tx) => {
      const until = new Date(tx.now.getTime() + NOTICE_MS)
      const ending = await queries.findHoldsEnding(tx, { until, after, limit: BATCH })
      await notify(
        tx,
        ending.flatMap((payment) => escrowEnding(payment)),
      )
      return ending
    })
    after = page.at(-1) ?? null
    if (page.length < BATCH) return
  }
}
