import type { Db } from '../../../database/database.ts'
import { type Batches, type Columns, readById } from './batches.ts'
import { findFeeEntries, findLastEntry } from './row-queries.ts'
import { dayOf, type Period } from './year.ts'

type Fee = Awaited<ReturnType<typeof findFeeEntries>>[number]

/** One row for each ledger entry of a fee. Fees kept by the provider are negative. */
const columns: Columns<Fee> = {
  Entry: ({ entry }) => entry.id,
  Date: ({ entry }) => dayOf(entry.createdAt),
  Account: ({ entry }) => entry.account,
  Posting: ({ entry }) => entry.key,
  Payment: ({ entry }) => entry.paymentId,
  'Transaction Number': ({ transactionNumber }) => transactionNumber,
  Currency: ({ entry }) => entry.currency.toUpperCase(),
  Amount: ({ entry }) => ({ cents: entry.amount }),
}

export const FEE_COLUMNS = Object.keys(columns)

export async function* readFees(db: Db, period: Period, limit: number): Batches {
  yield* readById(columns, {
    last: await findLastEntry(db),
    idOf: ({ entry }) => entry.id,
    findPage: (after) => findFeeEntries(db, period, after, limit),
  })
}
