import type { Services } from '../../platform/services.ts'
import { notify } from '../notifications/actions.ts'
import { requestExpiringNotification } from '../notifications/build-notifications.ts'
import { claimExpiring, expireItems } from './expire-requests-queries.ts'

/*
 * What the clock does to open requests (ADR 65). Any number of processes may run these sweeps at the same time, and each
 * can be aborted between two batches.
 */

const BATCH = 200

type Needed = Pick<Services, 'database'>

/** Asks the owners of requests that end within a week whether to renew them, once for each period. */
export async function notifyRequestsExpiring({ database }: Needed, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const expiring = await database.transact(async (tx) => {
      const claimed = await claimExpiring(tx, BATCH)
      await notify(tx, claimed.map(requestExpiringNotification))
      return claimed
    })
    if (expiring.length < BATCH) return
  }
}

/**
 * Records the status of expired requests. Reads do not depend on it: it takes the requests out of the indexes of open
 * ones, which would otherwise fill with requests that no list shows.
 */
export async function expireRequests({ database }: Needed, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const expired = await database.transact((tx) => expireItems(tx, BATCH))
    if (expired < BATCH) return
  }
}
