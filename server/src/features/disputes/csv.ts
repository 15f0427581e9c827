import { pipeline, Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import type { Db } from '../../platform/database.ts'
import { type DisputeFilter, findDisputes } from './queries.ts'

const PAGE = 500
const COLUMNS = ['ID', 'Item', 'Amount', 'Status', 'Buyer', 'Seller', 'Dispute Reason', 'Date']

type Filter = Pick<DisputeFilter, 'search' | 'status'>

/** Streams all disputes that match the filter, one page of rows at a time. */
export function disputesAsCsv(db: Db, filter: Filter): Readable {
  const format = stringify({
    header: true,
    columns: COLUMNS,
    quoted: true,
    quoted_empty: true,
    record_delimiter: 'windows',
    cast: { string: escapeFormula },
  })
  // An error destroys both streams; Fastify logs it and ends the response.
  return pipeline(Readable.from(readRows(db, filter)), format, () => {})
}

async function* readRows(db: Db, filter: Filter): AsyncGenerator<(string | number)[]> {
  for (let cursor: number | undefined; ; ) {
    const page = await findDisputes(db, { ...filter, cursor, limit: PAGE })
    for (const { payment, item } of page) {
      const { id, amount, status, buyerId, sellerId, disputeReason, updatedAt } = payment
      yield [
        id,
        item.title,
        (amount / 100).toFixed(2),
        status,
        buyerId,
        sellerId,
        disputeReason ?? '',
        updatedAt.toISOString().slice(0, 10),
      ]
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    cursor = last.payment.id
  }
}

/** A spreadsheet runs a cell that starts with one of these as a formula. An apostrophe makes it text. */
const FORMULA = /^\s*[=+\-@\t\r]/
const escapeFormula = (text: string) => (FORMULA.test(text) ? `'${text}` : text)
