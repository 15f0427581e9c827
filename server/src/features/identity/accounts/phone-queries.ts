import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { deleteRows, findRow } from '../../../database/rows.ts'
import { phoneCodes, users } from '../../../database/schema.ts'

export async function findPhone(db: Db, userId: string) {
  const found = await findRow(db, users, { id: userId }, ['phone', 'verifiedPhone'])
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

/** Undefined if there is no valid code or too many attempts. */
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
  return deleteRows(tx, phoneCodes, { userId, codeHash })
}

export async function deletePhoneCode(tx: Tx, userId: string): Promise<void> {
  await tx.delete(phoneCodes).where(eq(phoneCodes.userId, userId))
}
