import type { Cause } from './cause.ts'
import { type Database, firstRow } from './database.ts'
import type { Faults } from './faults.ts'
import { settlePayment } from './payment-attempts.ts'
import { settleRefund } from './refunds.ts'

/** Settles one pending payment or refund that is due. Returns false if there is none. */
export function settleNext(database: Database, faults: Faults): Promise<boolean> {
  const cause: Cause = {
    requestId: null,
    idempotencyKey: null,
    deliveryFault: (delivery) => faults.delivery?.(delivery),
  }
  return database.transact(async (tx) => {
    const due = firstRow(
      await tx.query<{ id: string; kind: string }>(
        `select id, kind from sandbox.objects where settle_at <= $1
         order by settle_at limit 1 for update skip locked`,
        [tx.now],
      ),
    )
    if (!due) return false
    if (due.kind === 'refund') await settleRefund(tx, cause, due.id)
    else await settlePayment(tx, cause, due.id)
    return true
  })
}
