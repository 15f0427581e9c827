import * as calls from '@sought/contract/disputes'
import { disputePayment } from '@sought/contract/payments'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import { sendPrivateFile } from '../../../http/serve-files.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import * as actions from './actions.ts'
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
  const { config, database, files, clock, market } = services
  const { read, transact } = database
  return [
    on(disputePayment)(({ params, body, user }) =>
      transact((tx) => actions.fileFromDelivery(tx, params.id, body.reason, user)),
    ),

    on(calls.initiateDispute)(({ body, user }) =>
      transact((tx) => actions.fileDispute(tx, body.paymentId, body.reason, user)),
    ),

    on(calls.getDispute)(async ({ params, user }) =>
      actions.readDispute(read, params.paymentId, user, (await market.read()).name),
    ),

    on(calls.uploadEvidence)(({ params, file, fields, user }) =>
      addFile(database, files, params.paymentId, file, fields.description, user),
    ),

    on(calls.getEvidenceFile)(async ({ params, user, reply }) => {
      const file = await transact((tx) => findReadableEvidence(tx, config, params, user))
      return sendPrivateFile(reply, files, file, 'dispute_not_found')
    }),

    on(calls.answerDispute)(({ params, body, user }) =>
      transact((tx) => actions.addAnswer(tx, params.paymentId, body.content, user)),
    ),

    on(calls.withdrawDispute)(({ params, user }) =>
      transact((tx) => actions.withdraw(tx, params.paymentId, user)),
    ),

    on(calls.proposeSettlement)(({ params, body, user }) =>
      transact((tx) => actions.propose(tx, params.paymentId, body.refundAmount, user)),
    ),

    on(calls.acceptSettlement)(({ params, body, user }) =>
      actions.checkAndAccept(services, params.paymentId, body.refundAmount, user),
    ),

    onPages(calls.listDisputes)(
      ({ query, user }) => searchDisputes(read, filterOf(query, user, clock())),
      ({ id, dueAt }, { sort }) => calls.disputeCursor({ id, dueAt: dueAt?.toISOString() ?? null }, sort),
    ),

    on(calls.exportDisputes)(async ({ query, user, reply }) => {
      await transact((tx) => recordAudit(tx, { action: 'disputes_exported', ...by(user), subjectId: null }))
      return reply
        .type('text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="disputes-${clock().toISOString().slice(0, 10)}.csv"`,
        )
        .send(disputesAsCsv(read, filterOf(query, user, clock())))
    }),

    on(calls.getDisputeDetails)(({ params, user }) => transact((tx) => readDetails(tx, params.id, user))),

    onPages(calls.listDisputeMessages)(({ params, query, user }) =>
      transact((tx) => readConversation(tx, params.id, query, user)),
    ),

    on(calls.resolveDispute)(({ params, body, user }) => checkAndResolve(services, params.id, body, user)),

    on(calls.sendBankEvidence)(({ params, user }) => sendEvidence(services, params.id, user)),

    on(calls.dismissFraudSignals)(({ params, user }) =>
      transact((tx) => dismissSignals(tx, params.id, user)),
    ),

    on(calls.addAdminEvidence)(({ params, body, user }) =>
      transact((tx) => addEvidence(tx, params.id, body, user)),
    ),

    ...caseworkRoutes(services),
  ]
}
