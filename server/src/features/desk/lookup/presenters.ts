import { asPublicUser } from '../../users/public-user.ts'
import type { findDeals, findPeople, findRequests } from './queries.ts'

type Person = Awaited<ReturnType<typeof findPeople>>[number]
type Request = Awaited<ReturnType<typeof findRequests>>[number]
export type Deal = Awaited<ReturnType<typeof findDeals>>[number]

export function asFoundPerson(person: Person) {
  const { email, createdAt, deletedAt } = person
  return { ...asPublicUser(person), email, createdAt, deletedAt }
}

export function asFoundRequest({ item, owner }: Request) {
  const { id, title, status, createdAt } = item
  return { id, title, status, createdAt, owner: asPublicUser(owner) }
}

export function asFoundDeal({ payment, item, buyer, seller }: Deal) {
  const { id, transactionNumber, amount, currency, status, cardLast4, createdAt } = payment
  const { method, waitingUntil, waitsFor } = payment
  return {
    id,
    transactionNumber,
    itemTitle: item.title,
    amount,
    currency,
    status,
    method,
    waitingUntil,
    waitsFor,
    cardLast4,
    createdAt,
    buyer: asPublicUser(buyer),
    seller: asPublicUser(seller),
  }
}
