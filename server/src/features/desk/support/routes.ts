import {
  answerTicket,
  closeTicket,
  createTicket,
  getAdminTicket,
  getDeskCounts,
  getTicket,
  listAdminTickets,
  listTickets,
  noteTicket,
  reopenTicket,
  replyToTicket,
} from '@sought/contract/support'
import { addressKey } from '../../../http/limits.ts'
import { addNextPageLink } from '../../../http/next-page-link.ts'
import { on, type Route } from '../../../http/route.ts'
import type { Services } from '../../../services.ts'
import {
  addToTicket,
  openTicket,
  readTicket,
  requireEmail,
  senderKey,
  ticketsOf,
  visitOf,
} from './actions.ts'
import { addNote, answer, close, deskCounts, readAdminTicket, reopen, searchTickets } from './desk.ts'

export function supportRoutes(services: Services): Route[] {
  return [...personRoutes(services), ...deskRoutes(services)]
}

function personRoutes({ database, limits, secrets }: Services): Route[] {
  const { read, transact } = database
  const { sessionSecret } = secrets
  return [
    on(createTicket)(async ({ body, user, request }) => {
      // A visitor's question sends an email to an address that may belong to somebody else (ADR 54).
      if (user) await limits.ticketsByAccount.count(user.id)
      else {
        const email = requireEmail(body.email)
        await limits.visitorTicketsByAddress.count(addressKey(request.ip))
        await limits.visitorTicketsByEmail.count(email)
      }
      return transact((tx) => openTicket(tx, body, user))
    }),

    on(listTickets)(async ({ query, user, reply }) => {
      const found = await ticketsOf(read, user, query)
      addNextPageLink(reply, listTickets, query, found)
      return found
    }),

    on(getTicket)(async ({ params, query, user, request, reply }) => {
      if (!user) await limits.linkByAddress.count(addressKey(request.ip))
      reply.header('cache-control', 'no-store')
      return readTicket(read, params.id, visitOf(user, query.token, sessionSecret))
    }),

    on(replyToTicket)(async ({ params, body, user, request }) => {
      if (!user) await limits.linkByAddress.count(addressKey(request.ip))
      const visit = visitOf(user, body.token, sessionSecret)
      await limits.ticketMessages.count(senderKey(visit))
      return transact((tx) => addToTicket(tx, params.id, body.content, visit))
    }),
  ]
}

function deskRoutes({ database }: Services): Route[] {
  const { read, transact } = database
  return [
    on(getDeskCounts)(() => deskCounts(read)),

    on(listAdminTickets)(async ({ query, reply }) => {
      const found = await searchTickets(read, query)
      addNextPageLink(reply, listAdminTickets, query, found)
      return found
    }),

    on(getAdminTicket)(({ params, user }) => transact((tx) => readAdminTicket(tx, params.id, user))),

    on(answerTicket)(({ params, body, user }) => transact((tx) => answer(tx, params.id, body.content, user))),

    on(noteTicket)(({ params, body, user }) => transact((tx) => addNote(tx, params.id, body.content, user))),

    on(closeTicket)(({ params, user }) => transact((tx) => close(tx, params.id, user))),

    on(reopenTicket)(({ params, user }) => transact((tx) => reopen(tx, params.id, user))),
  ]
}
