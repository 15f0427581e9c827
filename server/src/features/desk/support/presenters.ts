import { asPublicUser } from '../../users/public-user.ts'
import type { findDeal, findTicketWithPerson, StoredMessage } from './queries.ts'

type Deal = NonNullable<Awaited<ReturnType<typeof findDeal>>>
type TicketRow = NonNullable<Awaited<ReturnType<typeof findTicketWithPerson>>>

/** Does not reveal which admin replied. */
export function asMessage({ id, kind, content, createdAt }: StoredMessage) {
  return { id, from: kind === 'question' ? ('you' as const) : ('team' as const), content, createdAt }
}

interface WrittenMessage {
  message: StoredMessage
  admin: Parameters<typeof asPublicUser>[0] | null
}

export function asAdminMessage({ message, admin }: WrittenMessage) {
  const { id, kind, content, createdAt } = message
  return { id, kind, content, createdAt, author: admin && asPublicUser(admin) }
}

export function asAdminTicket({ ticket, person, excerpt }: TicketRow) {
  return {
    ...ticket,
    person: person && asPublicUser(person),
    email: ticket.email ?? person?.email ?? null,
    excerpt,
  }
}

export function asDeal(deal: Deal, userId: string) {
  const role = deal.buyerId === userId ? ('buyer' as const) : ('seller' as const)
  return { ...deal, role, disputed: deal.deskStatus !== null }
}
