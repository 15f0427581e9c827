import { asPublicUser } from '../../platform/public-user.ts'
import type { findPayment } from './queries.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findPayment>>>

function withParties({ payment, buyer, seller, rated }: Row) {
  return { ...payment, buyer: asPublicUser(buyer), seller: asPublicUser(seller), rated }
}

export function asPayment(row: Row) {
  return { ...withParties(row), wantedItem: row.item }
}

/** The list returns each payment's item under two names (ADR 18). */
export function asPair(row: Row) {
  return { payments: withParties(row), wantedItem: row.item, wanted_items: row.item }
}

export function asSummary({ payment, item }: Row) {
  const { id, buyerId, amount, currency, transactionNumber, status, createdAt } = payment
  return { id, buyerId, amount, currency, transactionNumber, status, createdAt, wantedItems: item }
}
