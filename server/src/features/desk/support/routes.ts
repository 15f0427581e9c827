import * as calls from '@sought/contract/support'
import { addressKey } from '../../../http/limits.ts'
import { onPages } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import * as actions from './actions.ts'
import { addNote, answer, close, deskCounts, readAdminTicket, reopen, searchTickets } from './desk.ts'

export function supportRoutes(services: Services): Route[] {
  return [...personRoutes(services), ...deskRoutes(services)]
}

function personRoutes({ database, limits, secrets }: Services): Route[] {
  const { read, transact } = database
  const { sessionKeys } = secrets
  return [
    on(calls.createTicket)(async ({ body, user, request }) => {
      // A visitor's question sends an email to an address that may belong to somebody else (ADR 54).
      if (user) await limits.ticketsByAccount.count(user.id)
      else {
        const email = actions.requireEmail(body.email)
        await limits.visitorTicketsByAddress.count(addressKey(request.ip))
        await limits.visitorTicketsByEmail.count(email)
      }
      return transact((tx) => actions.openTicket(tx, body, user))
    }),

    onPages(calls.listTickets)(({ query, user }) => actions.ticketsOf(read, user, query)),

    on(calls.getTicket)(async ({ params, query, user, request, reply }) => {
      if (!user) await limits.linkByAddress.count(addressKey(request.ip))
      reply.header('cache-control', 'no-store')
      return actions.readTicket(read, params.id, actions.visitOf(user, query.token, sessionKeys))
    }),

    on(calls.replyToTicket)(async ({ params, body, user, request }) => {
      if (!user) await limits.linkByAddress.count(addressKey(request.ip))
      const visit = actions.visitOf(user, body.token, sessionKeys)
      await limits.ticketMessages.count(actions.senderKey(visit))
      return transact((tx) => actions.addToTicket(tx, params.id, body.content, visit))
    }),
  ]
}

function deskRoutes({ database }: Services): Route[] {
  const { read, transact } = database
  return [
    on(calls.getDeskCounts)(() => deskCounts(read)),

    onPages(calls.listAdminTickets)(({ query }) => searchTickets(read, query)),

    on(calls.getAdminTicket)(({ params, user }) => transact((tx) => readAdminTicket(tx, params.id, user))),

    on(calls.answerTicket)(({ params, body, user }) =>
      transact((tx) => answer(tx, params.id, body.content, user)),
    ),

    on(calls.noteTicket)(({ params, body, user }) =>
      transact((tx) => addNote(tx, params.id, body.content, user)),
    ),

    on(calls.closeTicket)(({ params, user }) => transact((tx) => close(tx, params.id, user))),

    on(calls.reopenTicket)(({ params, user }) => transact((tx) => reopen(tx, params.id, user))),
  ]
}
