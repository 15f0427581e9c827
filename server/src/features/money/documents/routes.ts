import * as calls from '@sought/contract/documents'
import { on, type Route } from '../../../http/route.ts'
import { sendDownload } from '../../../http/serve-files.ts'
import type { Services } from '../../../services.ts'
import { receiptAsCsv, statementAsCsv } from './csv.ts'
import { readReceipt } from './receipts.ts'
import { listMonths, readStatement } from './statements.ts'

const CSV = 'text/csv; charset=utf-8'

export function documentRoutes(services: Services): Route[] {
  const { database, clock } = services
  const { read, transact } = database
  return [
    on(calls.getReceipt)(({ params, user }) => transact((tx) => readReceipt(tx, services, params.id, user))),

    on(calls.exportReceipt)(async ({ params, user, reply }) => {
      const receipt = await transact((tx) => readReceipt(tx, services, params.id, user))
      return sendDownload(reply, `receipt-${receipt.number}.csv`, CSV, receiptAsCsv(receipt))
    }),

    on(calls.listStatements)(({ user }) => listMonths(read, user, clock())),

    on(calls.getStatement)(({ params, user }) =>
      transact((tx) => readStatement(tx, services, params.month, user)),
    ),

    on(calls.exportStatement)(async ({ params, user, reply }) => {
      const statement = await transact((tx) => readStatement(tx, services, params.month, user))
      const name = `statement-${statement.number ?? `${statement.month}-draft`}.csv`
      return sendDownload(reply, name, CSV, statementAsCsv(statement))
    }),
  ]
}
