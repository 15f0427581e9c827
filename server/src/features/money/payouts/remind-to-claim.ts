import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { payoutUnclaimed } from './notifications.ts'
import * as queries from './queries.ts'

/** Then again after 6 days, 12, 24 and so on. The desk lists the payout after `UNCLAIMED_AFTER_DAYS`. */
const FIRST_DAYS = 3
const BATCH = 200

/** Reminds sellers who are owed money but have set up no way to be paid. */
export async function remindToClaim(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<void> {
  let after = 0
  while (!signal?.aborted) {
    const page = await database.transact(async (tx) => {
      const found = await queries.findToClaim(tx, payoutUnclaimed.event, {
        firstDays: FIRST_DAYS,
        after,
        limit: BATCH,
      })
      await notify(
        tx,
        found.flatMap(({ payout, days }) =>
          payoutUnclaimed({ ...payout, amount: queries.dueCents(payout) }, days),
        ),
      )
      return found
    })
    after = page.at(-1)?.payout.id ?? after
    if (page.length < BATCH) return
  }
}
