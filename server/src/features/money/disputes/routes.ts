import {
  acceptSettlement,
  addAdminEvidence,
  answerDispute,
  dismissFraudSignals,
  disputeCursor,
  exportDisputes,
  getDispute,
  getDisputeDetails,
  getEvidenceFile,
  initiateDispute,
  listDisputeMessages,
  listDisputes,
  proposeSettlement,
  resolveDispute,
  sendBankEvidence,
  uploadEvidence,
  withdrawDispute,
} from '@sought/contract/disputes'
import { disputePayment } from '@sought/contract/payments'
import { countProviderCall } from '../../../http/limits.ts'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import { sendPrivateFile } from '../../../http/serve-files.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import {
  addAnswer,
  checkAndAccept,
  fileDispute,
  fileFromDelivery,
  propose,
  readDispute,
  withdraw,
} from './actions.ts'
import { caseworkRoutes } from './casework-routes.ts'
import { disputesAsCsv } from './csv.ts'
import {
  addEvidence,
  checkAndResolve,
  dismissSignals,
  filterOf,
  readConversation,
  readDetails,
  searchDisputes,
} from './desk.ts'
import { addFile, findReadableEvidence } from './evidence.ts'
import { sendEvidence } from './send-evidence.ts'

export function disputeRoutes(services: Services): Route[] {
  const { config, database, files, clock, market, limits } = services
  const { read, transact } = database
  return [
    on(disputePayment)(({ params, body, user }) =>
      transact((tx) => fileFromDelivery(tx, params.id, body.reason, user)),
    ),

    on(initiateDispute)(({ body, user }) =>
      transact((tx) => fileDispute(tx, body.paymentId, body.reason, user)),
    ),

    on(getDispute)(async ({ params, user }) =>
      readDispute(read, params.paymentId, user, (await market.read()).name),
    ),

    on(uploadEvidence)(({ params, file, fields, user }) =>
      addFile(database, files, params.paymentId, file, fields.description, user),
    ),

    on(getEvidenceFile)(async ({ params, user, reply }) => {
      const file = await transact((tx) => findReadableEvidence(tx, config, params, user))
      return sendPrivateFile(reply, files, file, 'dispute_not_found')
    }),

    on(answerDispute)(({ params, body, user }) =>
      transact((tx) => addAnswer(tx, params.paymentId, body.content, user)),
    ),

    on(withdrawDispute)(({ params, user }) => transact((tx) => withdraw(tx, params.paymentId, user))),

    on(proposeSettlement)(async ({ params, body, user }) => {
      await limits.settlementsByDispute.count(`${user.id}:${params.paymentId}`)
      return transact((tx) => propose(tx, params.paymentId, body.refundAmount, user))
    }),

    on(acceptSettlement)(async ({ params, body, user }) => {
      await countProviderCall(limits, user, params.paymentId)
      return checkAndAccept(services, params.paymentId, body.refundAmount, user)
    }),

    on(listDisputes)(async ({ query, user, reply }) => {
      const found = await searchDisputes(read, filterOf(query, user, clock()))
      const cursors = found.map(({ id, dueAt }) => ({
        id: disputeCursor({ id, dueAt: dueAt?.toISOString() ?? null }, query.sort),
      }))
      addNextPageLink(reply, listDisputes, query, cursors)
      return found
    }),

    on(exportDisputes)(async ({ query, user, reply }) => {
      await transact((tx) => recordAudit(tx, { action: 'disputes_exported', ...by(user), subjectId: null }))
      return reply
        .type('text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="disputes-${clock().toISOString().slice(0, 10)}.csv"`,
        )
        .send(disputesAsCsv(read, filterOf(query, user, clock())))
    }),

    on(getDisputeDetails)(({ params, user }) => transact((tx) => readDetails(tx, params.id, user))),

    on(listDisputeMessages)(async ({ params, query, user, reply }) => {
      const messages = await transact((tx) => readConversation(tx, params.id, query, user))
      addNextPageLink(reply, listDisputeMessages, query, messages, { id: String(params.id) })
      return messages
    }),

    on(resolveDispute)(({ params, body, user }) => checkAndResolve(services, params.id, body, user)),

    on(sendBankEvidence)(({ params, user }) => sendEvidence(services, params.id, user)),

    on(dismissFraudSignals)(({ params, user }) => transact((tx) => dismissSignals(tx, params.id, user))),

    on(addAdminEvidence)(({ params, body, user }) =>
      transact((tx) => addEvidence(tx, params.id, body, user)),
    ),

    ...caseworkRoutes(services),
  ]
}
