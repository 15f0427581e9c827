import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database.ts'
import { accountTokens } from '../../platform/schema.ts'

type Purpose = (typeof accountTokens.$inferSelect)['purpose']

export async function insertToken(
  tx: Tx,
  token: Omit<typeof accountTokens.$inferInsert, 'createdAt'>,
): Promise<void> {
  await tx.insert(accountTokens).values({ ...token, createdAt: tx.now })
}

/** Deletes a token that has not run out, with its siblings, and gives whose it was; of two at once, to one. */
export async function spendToken(tx: Tx, hash: string, purpose: Purpose) {
  const { userId, expiresAt } = accountTokens
  const owner = tx
    .select({ userId })
    .from(accountTokens)
    .where(
      and(
        eq(accountTokens.hash, hash),
        eq(accountTokens.purpose, purpose),
        gt(expiresAt, sql`${tx.now.toISOString()}::timestamptz`),
      ),
    )
  const spent = await tx
    .delete(accountTokens)
    .where(and(eq(userId, sql`(${owner})`), eq(accountTokens.purpose, purpose)))
    .returning({ hash: accountTokens.hash, userId, email: accountTokens.email })
  return spent.find((token) => token.hash === hash)
}

export async function deleteTokens(tx: Tx, userId: string, purpose?: Purpose): Promise<void> {
  await tx
    .delete(accountTokens)
    .where(and(eq(accountTokens.userId, userId), purpose ? eq(accountTokens.purpose, purpose) : undefined))
}

export async function purgeTokens(db: Db, now: Date): Promise<void> {
  await db.delete(accountTokens).where(lte(accountTokens.expiresAt, now))
}
