import type { FirstSteps, StepList } from '@sought/contract/first-steps'
import { and, eq, not, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { offers, users, wantedItems } from '../../../database/schema.ts'

export function firstStepsOf(db: Db, userId: string): Promise<FirstSteps> {
  return findFirstSteps(db, userId)
}

/** Idempotent. */
export async function dismissSteps(tx: Tx, list: StepList, userId: string): Promise<FirstSteps> {
  await addDismissed(tx, userId, list)
  return findFirstSteps(tx, userId)
}

async function findFirstSteps(db: Db, userId: string): Promise<FirstSteps> {
  const [found] = await db
    .select({
      hasPosted: sql<boolean>`exists (select from ${wantedItems} where user_id = ${userId})`,
      hasMadeOffer: sql<boolean>`exists (select from ${offers} where seller_id = ${userId})`,
      hasPayoutMethod: sql<boolean>`num_nonnulls(${users.stripeConnectAccountId}, ${users.bankAccountDetails}) > 0`,
      dismissed: users.dismissedSteps,
    })
    .from(users)
    .where(eq(users.id, userId))
  if (!found) throw new Error('the signed-in user does not exist')
  return found
}

async function addDismissed(tx: Tx, userId: string, list: StepList): Promise<void> {
  await tx
    .update(users)
    .set({ dismissedSteps: sql`array_append(${users.dismissedSteps}, ${list})`, updatedAt: tx.now })
    .where(and(eq(users.id, userId), not(sql`${list} = any(${users.dismissedSteps})`)))
}
