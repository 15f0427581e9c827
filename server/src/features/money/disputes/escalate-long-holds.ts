import type { Tx } from '../../../database/database.ts'
import type { Services } from '../../../services.ts'
import { findAdmins } from '../../identity/accounts/actions.ts'
import { notify } from '../../notifications/actions.ts'
import { composeSearchWords } from '../dispute-records/dispute-records.ts'
import { applyToAll, type Turn } from '../set-aside/set-aside.ts'
import { paymentHeldTooLong } from './notifications.ts'
import * as queries from './queries.ts'

/** In most countries, Stripe allows platforms to hold money for 90 days. */
const ESCALATED_AFTER_DAYS = 80
const DAY_MS = 86_400_000
const BATCH = 100

/** Puts payments on the desk whose money has been in escrow for too long, and notifies every admin once. */
export function escalateLongHolds(
  services: Pick<Services, 'database'> & Partial<Pick<Services, 'log'>>,
  signal?: AbortSignal,
): Promise<void> {
  type Found = Awaited<ReturnType<typeof queries.findLongHeldPayments>>
  const batch = {
    task: 'reminder' as const,
    size: BATCH,
    find(tx: Tx, turn: Turn) {
      const chargedBefore = new Date(tx.now.getTime() - ESCALATED_AFTER_DAYS * DAY_MS)
      return queries.findLongHeldPayments(tx, { chargedBefore, turn, limit: BATCH })
    },
    async apply(tx: Tx, found: Found) {
      const admins = found.length > 0 ? await findAdmins(tx) : []
      for (const payment of found) {
        await queries.escalatePayment(tx, payment.id, await composeSearchWords(tx, payment))
        await notify(tx, paymentHeldTooLong(payment, admins))
      }
    },
  }
  return applyToAll(services, batch, signal)
}
