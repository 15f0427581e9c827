import { Readable } from 'node:stream'
import type { Db } from '../../platform/database.ts'
import { type DisputeFilter, findDisputes } from './queries.ts'

const PAGE = 500
const COLUMNS = ['ID', 'Item', 'Amount', 'Status', 'Buyer', 'Seller', 'Dispute Reason', 'Date']

/** Every dispute of a search, read page by page as it is sent. */
export function disputesAsCsv(db: Db, filter: Pick<DisputeFilter, 'search' | 'status'>): Readable {
  return Readable.from(lines(db, filter))
}

async function* lines(db: Db, filter: Pick<DisputeFilter, 'search' | 'status'>): AsyncGenerator<string> {
  yield lineOf(COLUMNS)
  for (let cursor: number | undefined; ; ) {
    const page = await findDisputes(db, { ...filter, cursor, limit: PAGE })
    for (const { payment, item } of page) {
      const { id, amount, status, buyerId, sellerId, disputeReason, updatedAt } = payment
      const date = updatedAt.toISOString().slice(0, 10)
      yield lineOf([
        id,
        item.title,
        (amount / 100).toFixed(2),
        status,
        buyerId,
        sellerId,
        disputeReason ?? '',
        date,
      ])
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    cursor = last.payment.id
  }
}

const lineOf = (cells: (string | number)[]) => `${cells.map(asCell).join(',')}\r\n`

/** A spreadsheet takes a cell that begins like this for a formula, and would run what a stranger wrote. */
const FORMULA = /^\s*[=+\-@\t\r]/

export function asCell(value: string | number): string {
  const text = String(value)
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}
