import { convertDown } from '@sought/escrow/conversion'
import type { ChargeFee } from '@sought/escrow/postings'
import { and, asc, desc, eq, isNotNull, isNull, like, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { columns, insertRow, updateRows } from '../../../database/rows.ts'
import { debts, ledgerEntries, providerFacts } from '../../../database/schema.ts'

type Row = typeof debts.$inferSelect
export type Debt = Row & { amountCents: number }

const isKnown = (debt: Row): debt is Debt => debt.amountCents !== null

/**
 * What the provider kept for the charge of a payment, also in the payment's currency at the charge's rate. Null if it
 * has not reported that yet.
 */
export async function findChargeFee(db: Db, paymentId: number): Promise<ChargeFee | null> {
  const [found] = await db
    .select({
      cents: sql`-sum(${ledgerEntries.amountCents})`.mapWith(Number),
      currency: ledgerEntries.currency,
    })
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.paymentId, paymentId),
        eq(ledgerEntries.account, 'fees:provider'),
        sql`${ledgerEntries.key} like 'provider-fee:%'`,
        // The fee of a chargeback belongs to a transaction that took money.
        sql`not exists (select from ${providerFacts}
          where ${providerFacts.key} = 'chargeback:' || substr(${ledgerEntries.key}, length('provider-fee:') + 1))`,
      ),
    )
    .groupBy(ledgerEntries.currency)
  if (!found) return null
  const converted = await db
    .select(columns(ledgerEntries, 'currency', 'amountCents'))
    .from(ledgerEntries)
    .where(
      and(
        eq(ledgerEntries.paymentId, paymentId),
        like(ledgerEntries.key, 'fx-charge:%'),
        eq(ledgerEntries.account, 'provider'),
      ),
    )
  const settled = converted.find(({ currency }) => currency === found.currency)
  const paid = converted.find(({ currency }) => currency !== found.currency)
  const cents =
    settled && paid
      ? convertDown(found.cents, Math.abs(settled.amountCents), Math.abs(paid.amountCents))
      : found.cents
  return { cents, taken: found }
}

export async function insertDebt(
  tx: Tx,
  debt: Pick<Row, 'userId' | 'paymentId' | 'reason' | 'amountCents' | 'currency'>,
): Promise<void> {
  await insertRow(tx, debts, { ...debt, createdAt: tx.now })
}

/** Sets the amount of a cancelled deal's debt. Returns false if there is no debt without an amount. */
export const setAmount = (tx: Tx, paymentId: number, amountCents: number): Promise<boolean> =>
  updateRows(tx, debts, { paymentId, reason: 'cancellation', amountCents: null }, { amountCents })

/** Locks a user's open debts in a currency, oldest first, so that two payouts never settle the same part. */
export async function lockOpenDebts(tx: Tx, userId: string, currency: Row['currency']): Promise<Debt[]> {
  const found = await tx
    .select()
    .from(debts)
    .where(
      and(
        eq(debts.userId, userId),
        eq(debts.currency, currency),
        isNotNull(debts.amountCents),
        isNull(debts.settledAt),
      ),
    )
    .orderBy(asc(debts.id))
    .for('update')
  return found.filter(isKnown)
}

export async function addSettled(
  tx: Tx,
  { id, amountCents, settledCents }: Debt,
  cents: number,
): Promise<void> {
  const settled = settledCents + cents
  const settledAt = settled === amountCents ? tx.now : null
  await updateRows(tx, debts, { id }, { settledCents: settled, settledAt })
}

interface Page {
  limit: number
  cursor?: number | undefined
}

/** A user's debts whose amount is known, latest first. */
export async function findDebts(db: Db, userId: string, { limit, cursor }: Page): Promise<Debt[]> {
  const found = await db
    .select()
    .from(debts)
    .where(
      and(eq(debts.userId, userId), isNotNull(debts.amountCents), cursor ? lt(debts.id, cursor) : undefined),
    )
    .orderBy(desc(debts.id))
    .limit(limit)
  return found.filter(isKnown)
}
