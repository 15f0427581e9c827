import type { Encryption } from '../../../core/encryption.ts'
import type { Db } from '../../../database/database.ts'
import type { CsvCell, CsvRow } from '../../../files/csv.ts'
import { describeBank } from '../payouts/manual-payouts.ts'
import type { Batches } from './batches.ts'
import { findSellers, type SellerSum, sumSellers } from './row-queries.ts'
import { dayOf, type Period } from './year.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const QUARTERS = [1, 2, 3, 4]

/** The fields of DAC7 and Form 1099-K that we know. We do not ask sellers for their tax number and address. */
export const PAYOUT_COLUMNS = [
  'Seller ID',
  'First Name',
  'Last Name',
  'Email',
  'Account Holder',
  'Country',
  'Account Last Four',
  'Stripe Account',
  'Registered',
  'Currency',
  'Transactions',
  'Gross Amount',
  'Fees',
  'Refunds and Chargebacks',
  'Goodwill',
  'Paid Out',
  'Change of Balance',
  ...QUARTERS.flatMap((quarter) => [
    `Q${quarter} Transactions`,
    `Q${quarter} Gross Amount`,
    `Q${quarter} Fees`,
  ]),
  ...MONTHS.map((month) => `${month} Gross Amount`),
]

type Seller = Awaited<ReturnType<typeof findSellers>>[number]

/** One row for each seller and currency with postings in the period. */
export async function* readPayouts(db: Db, encryption: Encryption, period: Period, limit: number): Batches {
  for (let after = '', read = 0; ; ) {
    const sellers = await findSellers(db, after, limit)
    const end = sellers.at(-1)?.id
    if (!end) return
    after = end
    read += sellers.length
    const sums = await sumSellers(
      db,
      period,
      sellers.map(({ id }) => id),
    )
    const rows: CsvRow[] = []
    for (const seller of sellers) {
      const own = sums.filter(({ sellerId }) => sellerId === seller.id)
      const person = own.length > 0 ? await describeSeller(encryption, seller) : []
      for (const [currency, booked] of Map.groupBy(own, (sum) => sum.currency))
        rows.push([...person, currency.toUpperCase(), ...amountsOf(booked)])
    }
    // The number of remaining sellers is unknown, so the progress is an estimate.
    yield { rows, done: read / (read + sellers.length) }
  }
}

async function describeSeller(encryption: Encryption, seller: Seller): Promise<CsvCell[]> {
  const bank = await describeBank(encryption, seller)
  return [
    seller.id,
    seller.firstName ?? '',
    seller.lastName ?? '',
    seller.email ?? '',
    bank.accountHolderName ?? '',
    bank.country ?? '',
    bank.accountLast4 ?? '',
    seller.stripeConnectAccountId ?? '',
    dayOf(seller.createdAt),
  ]
}

/** Postings that release the price from escrow to the seller. */
const SALES = ['release', 'ruling']
const GOODWILL = ['goodwill']
/** The fees of cancelled deals, taken from payouts. */
const CANCELLATION_FEES = ['debt-cancellation']
/** Postings that pay the seller, or take a payout back. */
const PAYOUTS = ['payout', 'payout-undone', 'reversal', 'goodwill-paid']

function amountsOf(sums: SellerSum[]): CsvCell[] {
  const salesIn = (...months: number[]) =>
    sums.filter((it) => SALES.includes(it.posting) && (months.length === 0 || months.includes(it.month)))
  const add = (of: SellerSum[], value: (sum: SellerSum) => number) =>
    of.reduce((total, it) => total + value(it), 0)
  const gross = (of: SellerSum[]) => ({ cents: add(of, (it) => it.owedCents + it.feeCents) })
  const fees = (of: SellerSum[]) => ({ cents: add(of, (it) => it.feeCents) })
  const count = (of: SellerSum[]) => add(of, (it) => it.postings)
  const of = (postings: string[]) => sums.filter(({ posting }) => postings.includes(posting))
  const named = [...SALES, ...GOODWILL, ...CANCELLATION_FEES, ...PAYOUTS]
  const others = sums.filter(({ posting }) => !named.includes(posting))
  const cancellationFees = -add(of(CANCELLATION_FEES), (it) => it.owedCents)
  const paidOut = -add(of(PAYOUTS), (it) => it.owedCents) - add(sums, (it) => it.takenBackCents)
  return [
    count(salesIn()),
    gross(salesIn()),
    { cents: fees(sums).cents + cancellationFees },
    { cents: -gross(others).cents + add(sums, (it) => it.takenBackCents) },
    { cents: add(of(GOODWILL), (it) => it.owedCents) },
    { cents: paidOut },
    { cents: add(sums, (it) => it.owedCents) },
    ...QUARTERS.flatMap((quarter) => {
      const sales = salesIn(3 * quarter - 2, 3 * quarter - 1, 3 * quarter)
      return [count(sales), gross(sales), fees(sales)]
    }),
    ...MONTHS.map((_, month) => gross(salesIn(month + 1))),
  ]
}
