import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../platform/database.ts'
import { admins, users } from '../../platform/schema.ts'

const active = isNull(users.deletedAt)

export async function findByEmail(db: Db, email: string) {
  const [found] = await db
    .select()
    .from(users)
    .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), active))
  return found
}

export async function findByGoogleSubject(db: Db, subject: string) {
  const [found] = await db
    .select()
    .from(users)
    .where(and(eq(users.providerId, subject), active))
  return found
}

export async function insertUser(tx: Tx, user: Omit<typeof users.$inferInsert, 'createdAt' | 'updatedAt'>) {
  const [inserted] = await tx
    .insert(users)
    .values({ ...user, createdAt: tx.now, updatedAt: tx.now })
    .returning()
  if (!inserted) throw new Error('insert returned no row')
  return inserted
}

export async function updateUser(tx: Tx, id: string, change: Partial<typeof users.$inferInsert>) {
  const [updated] = await tx
    .update(users)
    .set({ ...change, updatedAt: tx.now })
    .where(eq(users.id, id))
    .returning()
  if (!updated) throw new Error(`no user ${id} to update`)
  return updated
}

export async function isAdmin(db: Db, userId: string): Promise<boolean> {
  const found = await db.select({ userId: admins.userId }).from(admins).where(eq(admins.userId, userId))
  return found.length > 0
}

export async function insertAdmin(tx: Tx, userId: string): Promise<void> {
  await tx.insert(admins).values({ userId, grantedAt: tx.now }).onConflictDoNothing()
}

export async function deleteAdmin(tx: Tx, userId: string): Promise<void> {
  await tx.delete(admins).where(eq(admins.userId, userId))
}
