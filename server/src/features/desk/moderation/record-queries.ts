import { and, eq, inArray, or } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import { moderationCases, payments, reports, users } from '../../../database/schema.ts'

/** People with the numbers of their completed deals, lost disputes and reports. */
export function findPeople(db: Db, ids: string[]) {
  const isBuyer = eq(payments.buyerId, users.id)
  const isSeller = eq(payments.sellerId, users.id)
  const ofPerson = db
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(eq(moderationCases.personId, users.id))
  return db
    .select({
      user: users,
      completedDeals: db.$count(payments, and(or(isBuyer, isSeller), eq(payments.status, 'completed'))),
      lostDisputes: db.$count(
        payments,
        or(
          and(isSeller, eq(payments.status, 'resolved_buyer')),
          and(isBuyer, eq(payments.status, 'resolved_seller')),
        ),
      ),
      reports: db.$count(reports, inArray(reports.caseId, ofPerson)),
    })
    .from(users)
    .where(inArray(users.id, ids))
}
