import type { Db } from '../../../database/database.ts'
import type { Batches } from './batches.ts'
import { findFeeEntries, findLastEntry } from './row-queries.ts'
import { dayOf, type Period } from './year.ts'

export const FEE_COLUMNS = [
  'Entry',
  'Date',
  'Account',
  'Posting',
  'Payment',
  'Transaction Number',
  'Currency',
  'Amount',
]

/** One row for each ledger entry of a fee. Fees kept by the provider are negative. */
export async function* readFees(db: Db, period: Period, limit: number): Batches {
  const last = await findLastEntry(db)
  for (let after = 0; ; ) {
    const page = await findFeeEntries(db, period, after, limit)
    const end = page.at(-1)?.entry.id
    if (!end) return
    after = end
    yield {
      done: after / last,
      rows: page.map(({ entry, currency, transactionNumber }) => [
        entry.id,
        dayOf(entry.createdAt),
        entry.account,
        entry.key,
        entry.paymentId,
        transactionNumber,
        currency.toUpperCase(),
        { cents: entry.amountCents },
      ]),
    }
  }
}
