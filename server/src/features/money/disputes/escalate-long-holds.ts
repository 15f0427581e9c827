import type { Services } from '../../../services.ts'
import { findAdmins } from '../../identity/accounts/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { composeSearchWords } from '../dispute-records/dispute-records.ts'
import { paymentHeldTooLong } from './notifications.ts'
import * as queries from './queries.ts'

/** In most countries, Stripe allows platforms to hold money for 90 days. */
const ESCALATED_AFTER_DAYS = 80
const DAY_MS = 86_400_000
const BATCH = 100

/** Puts payments on the desk whose money has been in escrow for too long, and notifies every admin once. */
export async function escalateLongHolds(
  { database }: Pick<Services, 'database'>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const escalated = await database.transact(async (tx) => {
      const chargedBefore = new Date(tx.now.getTime() - ESCALATED_AFTER_DAYS * DAY_MS)
      const found = await queries.findLongHeldPayments(tx, chargedBefore, BATCH)
      const admins = found.length > 0 ? await findAdmins(tx) : []
      for (const payment of found) {
        await queries.escalatePayment(tx, payment.id, await composeSearchWords(tx, payment))
        await notify(tx, paymentHeldTooLong(payment, admins))
      }
      return found
    })
    if (escalated.length < BATCH) return
  }
}
