import type { Tx } from '../../../database/database.ts'
import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { applyBatch, type Turn } from '../set-aside/set-aside.ts'
import { escrowEnding } from './notifications/payments.ts'
import * as queries from './queries.ts'

const NOTICE_MS = 24 * 3_600_000
const BATCH = 200

/**
 * Notifies buyers whose hold ends within a day. The notification's unique key ensures one notification per hold,
 * also when several processes run this at the same time.
 */
export async function notifyHoldEnding(
  services: Pick<Services, 'database'> & Partial<Pick<Services, 'log'>>,
  signal?: AbortSignal,
): Promise<void> {
  type Page = Awaited<ReturnType<typeof queries.findHoldsEnding>>
  let after: Page[number] | null = null
  while (!signal?.aborted) {
    const batch = {
      task: 'reminder' as const,
      find(tx: Tx, turn: Turn) {
        const until = new Date(tx.now.getTime() + NOTICE_MS)
        return queries.findHoldsEnding(tx, { until, after, turn, limit: BATCH })
      },
      apply: (tx: Tx, ending: Page) =>
        notify(
          tx,
          ending.flatMap((payment) => escrowEnding(payment)),
        ),
    }
    const { found } = await applyBatch(services, batch, [])
    after = found.at(-1) ?? null
    if (found.length < BATCH) return
  }
}
