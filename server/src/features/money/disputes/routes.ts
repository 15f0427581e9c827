import * as caseworkCalls from '@sought/contract/casework'
import * as calls from '@sought/contract/disputes'
import { disputePayment } from '@sought/contract/payments'
import { countProviderCall } from '../../../http/limits.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import { sendPrivateFile } from '../../../http/serve-files.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import * as actions from './actions.ts'
import { appeal, checkAndDecide, searchAppeals } from './appeals.ts'
import { previewBulk, ruleOnEach } from './bulk.ts'
import {
  addNote,
  addReply,
  assign,
  changeReply,
  listAdminPeople,
  readReplies,
  removeReply,
} from './casework.ts'
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
import { previewEvidence, sendEvidence } from './send-evidence.ts'

export function disputeRoutes(services: Services): Route[] {
  const { config, database, files, clock, market, limits } = services
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

    on(calls.proposeSettlement)(async ({ params, body, user }) => {
      await limits.settlementsByDispute.count(`${user.id}:${params.paymentId}`)
      return transact((tx) => actions.propose(tx, params.paymentId, body.refundAmount, user))
    }),

    on(calls.acceptSettlement)(async ({ params, body, user }) => {
      await countProviderCall(limits, user, params.paymentId)
      return actions.checkAndAccept(services, params.paymentId, body.refundAmount, user)
    }),

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

    on(calls.previewBankEvidence)(({ params, user }) => previewEvidence(services, params.id, user)),

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

function caseworkRoutes(services: Services): Route[] {
  const { read, transact } = services.database
  return [
    on(caseworkCalls.previewBulkRuling)(({ body, user }) => previewBulk(read, body, user)),

    on(caseworkCalls.ruleInBulk)(({ body, user }) => ruleOnEach(services, body, user)),

    on(caseworkCalls.noteDispute)(({ params, body, user }) =>
      transact((tx) => addNote(tx, params.id, body.text, user)),
    ),

    on(caseworkCalls.assignDispute)(({ params, body, user }) =>
      transact((tx) => assign(tx, params.id, body.adminId, user)),
    ),

    on(caseworkCalls.listAdmins)(() => listAdminPeople(read)),

    on(caseworkCalls.listReplies)(() => readReplies(read)),

    on(caseworkCalls.saveReply)(({ body, user }) => transact((tx) => addReply(tx, body, user))),

    on(caseworkCalls.updateReply)(({ params, body, user }) =>
      transact((tx) => changeReply(tx, params.id, body, user)),
    ),

    on(caseworkCalls.deleteReply)(({ params, user }) => transact((tx) => removeReply(tx, params.id, user))),

    on(caseworkCalls.appealRuling)(({ params, body, user }) =>
      transact((tx) => appeal(tx, params.paymentId, body.reason, user)),
    ),

    onPages(caseworkCalls.listAppeals)(
      ({ query, user }) => transact((tx) => searchAppeals(tx, query, user)),
      ({ rank }) => rank,
    ),

    on(caseworkCalls.decideAppeal)(({ params, body, user }) =>
      checkAndDecide(services, params.id, body, user),
    ),
  ]
}
