import type { Db } from '../../../database/database.ts'
import { publicName } from '../../users/public-user.ts'
import type { Batches } from './batches.ts'
import { findLastPayment, findPayments } from './row-queries.ts'
import { dayOf, type Period } from './year.ts'

export const PAYMENT_COLUMNS = [
  'Payment',
  'Transaction Number',
  'Date',
  'Status',
  'Item',
  'Category',
  'Buyer ID',
  'Buyer',
  'Seller ID',
  'Seller',
  'Currency',
  'Amount',
  'Returned',
  'Platform Fee',
  'Processing Fee',
  'Provider Fee',
  'Paid Out',
  'In Escrow',
  'Goodwill',
  'Ended',
]

/** One row for each payment charged in the period, with its current amounts in the ledger. */
export async function* readPayments(db: Db, period: Period, limit: number): Batches {
  const last = await findLastPayment(db)
  for (let after = 0; ; ) {
    const page = await findPayments(db, period, after, limit)
    const end = page.at(-1)?.payment.id
    if (!end) return
    after = end
    yield {
      done: after / last,
      rows: page.map(({ payment, paidAt, itemTitle, category, buyer, seller, ...booked }) => [
        payment.id,
        payment.transactionNumber,
        dayOf(paidAt),
        payment.status,
        itemTitle,
        category,
        buyer.id,
        publicName(buyer),
        seller.id,
        publicName(seller),
        payment.currency.toUpperCase(),
        { cents: payment.amount },
        { cents: booked.returned },
        { cents: booked.platformFee },
        { cents: booked.processingFee },
        { cents: -booked.providerFee },
        { cents: booked.paidOut },
        { cents: booked.inEscrow },
        { cents: -booked.goodwill },
        payment.endedAt ? dayOf(payment.endedAt) : '',
      ]),
    }
  }
}
