import { convertDown } from '@sought/escrow/conversion'
import type { Decision, LossCause } from '@sought/escrow/debts'
import type { ChargeFee } from '@sought/escrow/postings'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, like, lt, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db, Tx } from '../../../database/database.ts'
import { columns, findRow, insertRow, updateRows } from '../../../database/rows.ts'
import {
  debts,
  ledgerEntries,
  offerRequests,
  payments,
  providerFacts,
  users,
} from '../../../database/schema.ts'

const waivers = alias(users, 'waivers')

type Row = typeof debts.$inferSelect
export type Debt = Row & { amount: number }

const isKnown = (debt: Row): debt is Debt => debt.amount !== null

/**
 * What the provider kept for the charge of a payment, also in the payment's currency at the charge's rate. Null if it
 * has not reported that yet.
 */
export async function findChargeFee(db: Db, paymentId: number): Promise<ChargeFee | null> {
  const [found] = await db
    .select({
      amount: sql`-sum(${ledgerEntries.amount})`.mapWith(Number),
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
    .select(columns(ledgerEntries, 'currency', 'amount'))
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
  const amount =
    settled && paid
      ? convertDown(found.amount, Math.abs(settled.amount), Math.abs(paid.amount))
      : found.amount
  return { amount, taken: found }
}

export async function insertDebt(
  tx: Tx,
  debt: Pick<Row, 'userId' | 'paymentId' | 'reason' | 'amount' | 'currency'> & { cause?: string },
): Promise<number> {
  const { id } = await insertRow(tx, debts, { ...debt, createdAt: tx.now })
  return id
}

export function findEntries(tx: Tx, paymentId: number) {
  return tx
    .select(columns(ledgerEntries, 'key', 'account', 'amount'))
    .from(ledgerEntries)
    .where(eq(ledgerEntries.paymentId, paymentId))
}

/** What a bank has decided about the cause of a loss, as it was applied to the payment. */
export async function findDecision(tx: Tx, { reason, causeId }: LossCause): Promise<Decision> {
  if (reason === 'refund') return { outcome: 'lost', lost: 0 }
  const names = ['opened', 'lost', 'won', 'prevented'].map((name) => `dispute_${name}`)
  const found = await tx
    .select(columns(providerFacts, 'key', 'amountCents'))
    .from(providerFacts)
    .where(
      inArray(
        providerFacts.key,
        names.map((name) => `${name}:${causeId}`),
      ),
    )
  const amountOf = (name: string) => found.find(({ key }) => key.startsWith(`${name}:`))?.amountCents
  const lost = amountOf('dispute_lost')
  if (lost !== undefined) return { outcome: 'lost', lost }
  const isWon = (amountOf('dispute_won') ?? amountOf('dispute_prevented')) !== undefined
  return isWon ? { outcome: 'won' } : { outcome: 'open', disputed: amountOf('dispute_opened') ?? 0 }
}

/** What the buyer is still to get back. */
export async function findOwedRefund(tx: Tx, paymentId: number): Promise<number> {
  const payment = await findRow(tx, payments, { id: paymentId }, ['refundCents', 'refundedAt'])
  return payment?.refundedAt ? 0 : (payment?.refundCents ?? 0)
}

/** Sets the amount of a cancelled deal's debt. Returns its id, or null if there is no debt without an amount. */
export async function setAmount(tx: Tx, paymentId: number, amount: number): Promise<number | null> {
  const [updated] = await tx
    .update(debts)
    .set({ amount })
    .where(and(eq(debts.paymentId, paymentId), eq(debts.reason, 'cancellation'), isNull(debts.amount)))
    .returning({ id: debts.id })
  return updated?.id ?? null
}

const isOpen = and(isNotNull(debts.amount), isNull(debts.settledAt), eq(debts.givenUpCents, 0))

/** Locks a user's open debts in a currency, oldest first, so that two payouts never settle the same part. */
export async function lockOpenDebts(tx: Tx, userId: string, currency: Row['currency']): Promise<Debt[]> {
  const found = await tx
    .select()
    .from(debts)
    .where(and(eq(debts.userId, userId), eq(debts.currency, currency), isOpen))
    .orderBy(asc(debts.id))
    .for('update')
  return found.filter(isKnown)
}

export async function addSettled(
  tx: Tx,
  { id, amount, settled: before }: Debt,
  taken: number,
): Promise<void> {
  const settled = before + taken
  const settledAt = settled === amount ? tx.now : null
  await updateRows(tx, debts, { id }, { settled, settledAt })
}

/** Locks a debt whose amount is known. */
export async function lockDebt(tx: Tx, id: number): Promise<Debt | undefined> {
  const [found] = await tx.select().from(debts).where(eq(debts.id, id)).for('update')
  return found && isKnown(found) ? found : undefined
}

/** Locks open debts from before the time, oldest first, and skips those that another transaction has locked. */
export async function lockOldDebts(tx: Tx, before: Date, limit: number): Promise<Debt[]> {
  const found = await tx
    .select()
    .from(debts)
    .where(and(isOpen, lt(debts.createdAt, before)))
    .orderBy(asc(debts.createdAt))
    .limit(limit)
    .for('update', { skipLocked: true })
  return found.filter(isKnown)
}

export async function closeDebt(
  tx: Tx,
  { id, amount, settled }: Debt,
  closed: Partial<Pick<Row, 'waivedAt' | 'waivedBy' | 'waiveReason' | 'writtenOffAt'>>,
): Promise<void> {
  await updateRows(tx, debts, { id }, { ...closed, givenUpCents: amount - settled })
}

interface AdminFilter extends Page {
  id?: number
  status?: 'open' | 'settled'
  search?: string | undefined
}

/** Everybody's debts whose amount is known, latest first. `search` is a part of a name or an email address. */
export async function findAdminDebts(db: Db, { id, status, search, limit, cursor }: AdminFilter) {
  const pattern = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const found = await db
    .select({
      debt: debts,
      user: users,
      waivedBy: waivers,
      itemTitle: offerRequests.title,
      transactionNumber: payments.transactionNumber,
    })
    .from(debts)
    .innerJoin(payments, eq(payments.id, debts.paymentId))
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .innerJoin(users, eq(users.id, debts.userId))
    .leftJoin(waivers, eq(waivers.id, debts.waivedBy))
    .where(
      and(
        isNotNull(debts.amount),
        id ? eq(debts.id, id) : undefined,
        status === 'open' ? isOpen : undefined,
        status === 'settled' ? or(isNotNull(debts.settledAt), gt(debts.givenUpCents, 0)) : undefined,
        pattern
          ? sql`(concat_ws(' ', ${users.firstName}, ${users.lastName}) ilike ${pattern} or ${users.email} ilike ${pattern})`
          : undefined,
        cursor ? lt(debts.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(debts.id))
    .limit(limit)
  return found.flatMap(({ debt, ...row }) => (isKnown(debt) ? { debt, ...row } : []))
}

interface Page {
  limit: number
  cursor?: number | undefined
}

/** The debts of a user or of a deal whose amount is known, latest first. */
export async function findDebts(
  db: Db,
  of: { userId: string } | { paymentId: number },
  { limit, cursor }: Page,
) {
  const found = await db
    .select({ debt: debts, itemTitle: offerRequests.title })
    .from(debts)
    .innerJoin(payments, eq(payments.id, debts.paymentId))
    .innerJoin(offerRequests, eq(offerRequests.offerId, payments.offerId))
    .where(
      and(
        'userId' in of ? eq(debts.userId, of.userId) : eq(debts.paymentId, of.paymentId),
        isNotNull(debts.amount),
        cursor ? lt(debts.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(debts.id))
    .limit(limit)
  return found.flatMap(({ debt, ...deal }) => (isKnown(debt) ? { debt, ...deal } : []))
}
