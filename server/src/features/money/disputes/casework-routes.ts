import * as calls from '@sought/contract/casework'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { appeal, checkAndDecide, searchAppeals } from './appeals.ts'
import { previewBulk, ruleOnEach } from './bulk.ts'
import { addNote, assign, listAdminPeople } from './casework.ts'
import { addReply, changeReply, readReplies, removeReply } from './replies.ts'

export function caseworkRoutes(services: Services): Route[] {
  const { read, transact } = services.database
  return [
    on(calls.previewBulkRuling)(({ body, user }) => previewBulk(read, body, user)),

    on(calls.ruleInBulk)(({ body, user }) => ruleOnEach(services, body, user)),

    on(calls.noteDispute)(({ params, body, user }) =>
      transact((tx) => addNote(tx, params.id, body.text, user)),
    ),

    on(calls.assignDispute)(({ params, body, user }) =>
      transact((tx) => assign(tx, params.id, body.adminId, user)),
    ),

    on(calls.listAdmins)(() => listAdminPeople(read)),

    on(calls.listReplies)(() => readReplies(read)),

    on(calls.saveReply)(({ body, user }) => transact((tx) => addReply(tx, body, user))),

    on(calls.updateReply)(({ params, body, user }) =>
      transact((tx) => changeReply(tx, params.id, body, user)),
    ),

    on(calls.deleteReply)(({ params, user }) => transact((tx) => removeReply(tx, params.id, user))),

    on(calls.appealRuling)(({ params, body, user }) =>
      transact((tx) => appeal(tx, params.paymentId, body.reason, user)),
    ),

    onPages(calls.listAppeals)(
      ({ query, user }) => transact((tx) => searchAppeals(tx, query, user)),
      ({ rank }) => rank,
    ),

    on(calls.decideAppeal)(({ params, body, user }) => checkAndDecide(services, params.id, body, user)),
  ]
}
