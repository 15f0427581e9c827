import type { Db } from '../../../database/database.ts'
import { publicName } from '../../users/public-user.ts'
import { type Batches, type Columns, readById } from './batches.ts'
import { findLastPayment, findPayments } from './row-queries.ts'
import { dayOf, type Period } from './year.ts'

type Row = Awaited<ReturnType<typeof findPayments>>[number]

/** One row for each payment charged in the period, with its current amounts in the ledger. */
const columns: Columns<Row> = {
  Payment: ({ payment }) => payment.id,
  'Transaction Number': ({ payment }) => payment.transactionNumber,
  Date: ({ paidAt }) => dayOf(paidAt),
  Status: ({ payment }) => payment.status,
  Item: ({ itemTitle }) => itemTitle,
  Category: ({ category }) => category,
  'Buyer ID': ({ buyer }) => buyer.id,
  Buyer: ({ buyer }) => publicName(buyer),
  'Seller ID': ({ seller }) => seller.id,
  Seller: ({ seller }) => publicName(seller),
  Currency: ({ payment }) => payment.currency.toUpperCase(),
  Amount: ({ payment }) => ({ cents: payment.amount }),
  Returned: ({ returned }) => ({ cents: returned }),
  'Platform Fee': ({ platformFee }) => ({ cents: platformFee }),
  'Processing Fee': ({ processingFee }) => ({ cents: processingFee }),
  'Provider Fee': ({ providerFee }) => ({ cents: -providerFee }),
  'Paid Out': ({ paidOut }) => ({ cents: paidOut }),
  'In Escrow': ({ inEscrow }) => ({ cents: inEscrow }),
  Goodwill: ({ goodwill }) => ({ cents: -goodwill }),
  Ended: ({ payment }) => (payment.endedAt ? dayOf(payment.endedAt) : ''),
}

export const PAYMENT_COLUMNS = Object.keys(columns)

export async function* readPayments(db: Db, period: Period, limit: number): Batches {
  yield* readById(columns, {
    last: await findLastPayment(db),
    idOf: ({ payment }) => payment.id,
    findPage: (after) => findPayments(db, period, after, limit),
  })
}
