import { settleAccount } from './accounts/requirements.ts'
import type { Cause } from './cause.ts'
import { settleCharge } from './charges.ts'
import { type Database, firstRow, type Tx } from './database.ts'
import { settleDispute } from './disputes/disputes.ts'
import type { Faults } from './faults.ts'
import { settlePayment } from './payments/payment-attempts.ts'
import { settlePayout } from './payouts/payouts.ts'
import { settleRefund } from './refunds.ts'

const SETTLE = {
  account: settleAccount,
  charge: settleCharge,
  dispute: settleDispute,
  payment_intent: settlePayment,
  payout: settlePayout,
  refund: settleRefund,
}

/** Settles one pending object that is due. Returns false if there is none. */
export function settleNext(database: Database, faults: Faults): Promise<boolean> {
  const cause: Cause = {
    requestId: null,
    idempotencyKey: null,
    deliveryFault: (delivery) => faults.delivery?.(delivery),
  }
  return database.transact(async (tx) => {
    const due = await claimDue(tx)
    if (due) await SETTLE[due.kind](tx, cause, due.id)
    return due !== undefined
  })
}

interface Due {
  id: string
  kind: keyof typeof SETTLE
}

/** Claims an object with an advisory lock. Its row is locked later, in the same order as API calls lock rows. */
async function claimDue(tx: Tx): Promise<Due | undefined> {
  const candidates = await tx.query<Due>(
    'select id, kind from sandbox.objects where settle_at <= $1 order by settle_at limit 20',
    [tx.now],
  )
  for (const candidate of candidates) {
    const claimed = firstRow(
      await tx.query<{ locked: boolean }>(
        `select pg_try_advisory_xact_lock(hashtextextended('sandbox settle ' || $1, 0)) as locked`,
        [candidate.id],
      ),
    )
    if (!claimed?.locked) continue
    const stillDue = await tx.query('select from sandbox.objects where id = $1 and settle_at <= $2', [
      candidate.id,
      tx.now,
    ])
    if (stillDue.length > 0) return candidate
  }
  return undefined
}
