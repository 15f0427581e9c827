import type { Readable } from 'node:stream'
import { asCsv, type CsvCell, type CsvRow } from '../../../files/csv.ts'
import type { readReceipt } from './receipts.ts'
import type { readStatement } from './statements.ts'

type Receipt = Awaited<ReturnType<typeof readReceipt>>
type Statement = Awaited<ReturnType<typeof readStatement>>

const day = (at: Date) => at.toISOString().slice(0, 10)
const amountOrEmpty = (cents: number): CsvCell => (cents === 0 ? '' : { cents })

const RECEIPT_COLUMNS = [
  'Receipt',
  'Date',
  'Type',
  'Payment',
  'Item',
  'Seller',
  'Currency',
  'Amount',
  'Refund',
  'Platform Fee',
  'Processing Fee',
  'To Seller',
  'Transaction Number',
]

/** Lists the payment, each refund, and how the price was divided. */
export function receiptAsCsv(receipt: Receipt): Readable {
  const { number, paymentId, transactionNumber, itemTitle, sellerName, currency, release } = receipt
  const row = (at: Date, type: string, amounts: CsvCell[]): CsvRow => [
    number,
    day(at),
    type,
    paymentId,
    itemTitle,
    sellerName,
    currency.toUpperCase(),
    ...amounts,
    transactionNumber,
  ]
  return asCsv(RECEIPT_COLUMNS, [
    row(receipt.paidAt, 'payment', [{ cents: receipt.price }, '', '', '', '']),
    ...receipt.returns.map(({ at, kind, amount }) => row(at, kind, ['', { cents: amount }, '', '', ''])),
    ...(release
      ? [
          row(release.at, 'release', [
            '',
            '',
            { cents: release.platformFee },
            { cents: release.processingFee },
            { cents: release.toSeller },
          ]),
        ]
      : []),
  ])
}

const STATEMENT_COLUMNS = [
  'Statement',
  'Date',
  'Type',
  'Payment',
  'Item',
  'Buyer',
  'Currency',
  'Amount',
  'Refund',
  'Platform Fee',
  'Processing Fee',
  'Payout',
  'Payout Method',
  'Balance',
  'Transaction Number',
]

/** Lists the opening balance, the lines and the closing balance of each currency. `Balance` is a running total. */
export function statementAsCsv(statement: Statement): Readable {
  return asCsv(STATEMENT_COLUMNS, statementRows(statement))
}

function* statementRows({ number, month, accounts }: Statement): Generator<CsvRow> {
  for (const { currency, opening, lines, closing } of accounts) {
    const start = [number ?? 'Draft', month]
    const code = currency.toUpperCase()
    yield [...start, 'opening_balance', '', '', '', code, '', '', '', '', '', '', { cents: opening }, '']
    let owed = opening
    for (const line of lines) {
      owed += line.balance
      yield [
        number ?? 'Draft',
        day(line.at),
        line.kind,
        line.paymentId,
        line.itemTitle,
        line.buyerName,
        code,
        amountOrEmpty(line.amount),
        amountOrEmpty(line.refund),
        amountOrEmpty(line.platformFee),
        amountOrEmpty(line.processingFee),
        amountOrEmpty(line.payout),
        line.payoutMethod ?? '',
        { cents: owed },
        line.transactionNumber,
      ]
    }
    yield [...start, 'closing_balance', '', '', '', code, '', '', '', '', '', '', { cents: closing }, '']
  }
}
