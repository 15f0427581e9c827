import { and, asc, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import {
  chargebacks,
  disputeEvidence,
  disputeTimeline,
  documents,
  fraudSignals,
  goodwillPayments,
  ledgerEntries,
  payoutSteps,
  payouts,
  providerFacts,
  providerTransactions,
  refundSteps,
  supportTickets,
  users,
} from '../../../database/schema.ts'

/** Everything stored about a deal except the payment and its messages. */
export async function findDealRecords(db: Db, { id, sellerId }: { id: number; sellerId: string }) {
  return {
    evidence: await db
      .select()
      .from(disputeEvidence)
      .where(eq(disputeEvidence.disputeId, id))
      .orderBy(asc(disputeEvidence.id)),
    disputeSteps: await db
      .select({ entry: disputeTimeline, person: users })
      .from(disputeTimeline)
      .leftJoin(users, eq(users.id, disputeTimeline.actor))
      .where(eq(disputeTimeline.disputeId, id)),
    documents: await findDocuments(db, id, sellerId),
    ledger: await db
      .select()
      .from(ledgerEntries)
      .where(eq(ledgerEntries.paymentId, id))
      .orderBy(asc(ledgerEntries.id)),
    payout: (await db.select().from(payouts).where(eq(payouts.paymentId, id)))[0],
    payoutSteps: await db
      .select({ step: payoutSteps, admin: users })
      .from(payoutSteps)
      .innerJoin(payouts, eq(payouts.id, payoutSteps.payoutId))
      .innerJoin(users, eq(users.id, payoutSteps.adminId))
      .where(eq(payouts.paymentId, id)),
    refundSteps: await db
      .select({ step: refundSteps, admin: users })
      .from(refundSteps)
      .innerJoin(users, eq(users.id, refundSteps.adminId))
      .where(eq(refundSteps.paymentId, id)),
    chargebacks: await db
      .select()
      .from(chargebacks)
      .where(eq(chargebacks.paymentId, id))
      .orderBy(asc(chargebacks.openedAt), asc(chargebacks.id)),
    fraudSignals: await db.select().from(fraudSignals).where(eq(fraudSignals.paymentId, id)),
    facts: await db
      .select()
      .from(providerFacts)
      .where(eq(providerFacts.paymentId, id))
      .orderBy(asc(providerFacts.createdAt), asc(providerFacts.key)),
    transactions: await db
      .select()
      .from(providerTransactions)
      .where(eq(providerTransactions.paymentId, id))
      .orderBy(asc(providerTransactions.createdAt), asc(providerTransactions.id)),
    goodwill: await db
      .select({ goodwill: goodwillPayments, admin: users })
      .from(goodwillPayments)
      .innerJoin(users, eq(users.id, goodwillPayments.requestedBy))
      .where(eq(goodwillPayments.paymentId, id))
      .orderBy(desc(goodwillPayments.id)),
    tickets: await db
      .select()
      .from(supportTickets)
      .where(eq(supportTickets.paymentId, id))
      .orderBy(desc(supportTickets.id)),
  }
}

export type DealRecords = Awaited<ReturnType<typeof findDealRecords>>

/** The receipt, and the statements of the months with postings. */
function findDocuments(db: Db, paymentId: number, sellerId: string) {
  const months = db
    .selectDistinct({ month: sql<string>`to_char(${ledgerEntries.createdAt} at time zone 'UTC', 'YYYY-MM')` })
    .from(ledgerEntries)
    .where(eq(ledgerEntries.paymentId, paymentId))
  return db
    .select()
    .from(documents)
    .where(
      or(
        eq(documents.paymentId, paymentId),
        and(eq(documents.sellerId, sellerId), inArray(documents.month, months)),
      ),
    )
    .orderBy(asc(documents.issuedAt))
}
