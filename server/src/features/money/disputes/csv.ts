import type { Readable } from 'node:stream'
import type { Db } from '../../../database/database.ts'
import { asCsv, type CsvRow } from '../../../files/csv.ts'
import type { DisputeFilter } from './queries.ts'
import * as queries from './queries.ts'

const PAGE = 500
const COLUMNS = ['ID', 'Item', 'Amount', 'Status', 'Buyer', 'Seller', 'Dispute Reason', 'Date']

type Filter = Pick<DisputeFilter, 'search' | 'status' | 'now' | 'assignedTo'>

/** Streams all disputes that match the filter, one page of rows at a time. */
export function disputesAsCsv(db: Db, filter: Filter): Readable {
  return asCsv(COLUMNS, readRows(db, filter))
}

async function* readRows(db: Db, filter: Filter): AsyncGenerator<CsvRow> {
  for (let after: DisputeFilter['after']; ; ) {
    const page = await queries.findDisputes(db, { ...filter, after, limit: PAGE })
    for (const { payment, item } of page) {
      const { id, amount, deskStatus, buyerId, sellerId, disputeReason, updatedAt } = payment
      yield [
        id,
        item.title,
        { cents: amount },
        deskStatus ?? '',
        buyerId,
        sellerId,
        disputeReason ?? '',
        updatedAt.toISOString().slice(0, 10),
      ]
    }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = { id: last.payment.id, dueAt: null }
  }
}
