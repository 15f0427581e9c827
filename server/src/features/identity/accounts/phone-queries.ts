import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { phoneCodes, users } from '../../../database/schema.ts'

export async function findPhone(db: Db, userId: string) {
  const [found] = await db
    .select({ phone: users.phone, verifiedPhone: users.verifiedPhone })
    .from(users)
    .where(eq(users.id, userId))
  if (!found) throw new Error(`no user ${userId}`)
  return found
}

export async function replacePhoneCode(
  tx: Tx,
  code: Pick<typeof phoneCodes.$inferInsert, 'userId' | 'phone' | 'codeHash' | 'expiresAt'>,
): Promise<void> {
  const row = { ...code, attempts: 0, createdAt: tx.now }
  await tx.insert(phoneCodes).values(row).onConflictDoUpdate({ target: phoneCodes.userId, set: row })
}

/** Undefined if there is no valid code or if there were too many attempts. */
export async function countPhoneAttempt(tx: Tx, userId: string, max: number) {
  const [counted] = await tx
    .update(phoneCodes)
    .set({ attempts: sql`${phoneCodes.attempts} + 1` })
    .where(and(eq(phoneCodes.userId, userId), gt(phoneCodes.expiresAt, tx.now), lt(phoneCodes.attempts, max)))
    .returning({ phone: phoneCodes.phone, codeHash: phoneCodes.codeHash })
  return counted
}

/** Deletes the code. Returns false if it no longer exists. */
export async function takePhoneCode(tx: Tx, userId: string, codeHash: string): Promise<boolean> {
  const taken = await tx
    .delete(phoneCodes)
    .where(and(eq(phoneCodes.userId, userId), eq(phoneCodes.codeHash, codeHash)))
    .returning({ userId: phoneCodes.userId })
  return taken.length > 0
}

export async function deletePhoneCode(tx: Tx, userId: string): Promise<void> {
  await tx.delete(phoneCodes).where(eq(phoneCodes.userId, userId))
}
