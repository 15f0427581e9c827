import {
  appealRuling,
  assignDispute,
  decideAppeal,
  deleteReply,
  listAdmins,
  listAppeals,
  listReplies,
  noteDispute,
  previewBulkRuling,
  ruleInBulk,
  saveReply,
  updateReply,
} from '@sought/contract/casework'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import { appeal, checkAndDecide, searchAppeals } from './appeals.ts'
import { previewBulk, ruleOnEach } from './bulk.ts'
import { addNote, assign, listAdminPeople } from './casework.ts'
import { addReply, changeReply, readReplies, removeReply } from './replies.ts'

export function caseworkRoutes(services: Services): Route[] {
  const { read, transact } = services.database
  return [
    on(previewBulkRuling)(({ body, user }) => previewBulk(read, body, user)),

    on(ruleInBulk)(({ body, user }) => ruleOnEach(services, body, user)),

    on(noteDispute)(({ params, body, user }) => transact((tx) => addNote(tx, params.id, body.text, user))),

    on(assignDispute)(({ params, body, user }) =>
      transact((tx) => assign(tx, params.id, body.adminId, user)),
    ),

    on(listAdmins)(() => listAdminPeople(read)),

    on(listReplies)(() => readReplies(read)),

    on(saveReply)(({ body, user }) => transact((tx) => addReply(tx, body, user))),

    on(updateReply)(({ params, body, user }) => transact((tx) => changeReply(tx, params.id, body, user))),

    on(deleteReply)(({ params, user }) => transact((tx) => removeReply(tx, params.id, user))),

    on(appealRuling)(({ params, body, user }) =>
      transact((tx) => appeal(tx, params.paymentId, body.reason, user)),
    ),

    on(listAppeals)(async ({ query, user, reply }) => {
      const found = await transact((tx) => searchAppeals(tx, query, user))
      const ranks = found.map(({ rank }) => ({ id: rank }))
      addNextPageLink(reply, listAppeals, query, ranks)
      return found
    }),

    on(decideAppeal)(({ params, body, user }) => checkAndDecide(services, params.id, body, user)),
  ]
}
