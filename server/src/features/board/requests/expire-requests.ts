import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { claimExpiring, expireItems } from './expire-requests-queries.ts'
import { requestExpiring } from './notifications.ts'

/*
 * Clock-driven changes to open requests (ADR 65). Any number of processes may run these sweeps at the same
 * time, and each can be aborted between two batches.
 */

const BATCH = 200

type Needed = Pick<Services, 'database'>

/** Asks owners, once per period, whether to renew requests that end within a week. */
export async function notifyRequestsExpiring({ database }: Needed, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const expiring = await database.transact(async (tx) => {
      const claimed = await claimExpiring(tx, BATCH)
      await notify(
        tx,
        claimed.flatMap((item) => requestExpiring(item)),
      )
      return claimed
    })
    if (expiring.length < BATCH) return
  }
}

/**
 * Records that requests have expired. Reads do not depend on it. It removes the requests from the indexes of
 * open ones, which would otherwise fill with requests that no list shows.
 */
export async function expireRequests({ database }: Needed, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const expired = await database.transact((tx) => expireItems(tx, BATCH))
    if (expired < BATCH) return
  }
}
