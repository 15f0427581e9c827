import type { FactName } from '@sought/escrow/provider-facts'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database.ts'
import { chargebacks, providerFacts } from '../../platform/schema.ts'
import type { Chargeback } from '../../providers/stripe/card-provider.ts'

export type StoredChargeback = typeof chargebacks.$inferSelect

/** Stores what the provider says about a chargeback. An answer that is older than the end of it changes nothing. */
export async function saveChargeback(tx: Tx, paymentId: number, chargeback: Chargeback): Promise<void> {
  const { id, amountCents, status, reason, deadline, outcome } = chargeback
  const state = { amountCents, status, reason, deadline, closedAt: outcome === 'open' ? null : tx.now }
  await tx
    .insert(chargebacks)
    .values({ id, paymentId, ...state, openedAt: tx.now })
    .onConflictDoUpdate({
      target: chargebacks.id,
      set: state,
      ...(outcome === 'open' && { setWhere: isNull(chargebacks.closedAt) }),
    })
}

export async function markAsOpener(tx: Tx, id: string): Promise<void> {
  await tx.update(chargebacks).set({ openedDispute: true }).where(eq(chargebacks.id, id))
}

export function findChargebacks(db: Db, paymentIds: number[]): Promise<StoredChargeback[]> {
  return db
    .select()
    .from(chargebacks)
    .where(inArray(chargebacks.paymentId, paymentIds))
    .orderBy(asc(chargebacks.openedAt))
}

export function findOpenChargebacks(tx: Tx, paymentId: number): Promise<StoredChargeback[]> {
  return tx
    .select()
    .from(chargebacks)
    .where(and(eq(chargebacks.paymentId, paymentId), isNull(chargebacks.closedAt)))
}

/** Returns false if this fact was recorded before. A concurrent call waits for the first one, then gets false. */
export async function recordFact(
  tx: Tx,
  paymentId: number,
  { name, objectId, cents }: { name: FactName | 'fee' | 'chargeback'; objectId: string; cents: number },
): Promise<boolean> {
  const inserted = await tx
    .insert(providerFacts)
    .values({ key: `${name}:${objectId}`, paymentId, amountCents: cents, createdAt: tx.now })
    .onConflictDoNothing()
    .returning({ key: providerFacts.key })
  return inserted.length > 0
}
