import type { StaffRole } from '@sought/contract/call'
import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { admins, users } from '../../../database/schema.ts'
import { signedInColumns } from '../../../http/session.ts'

const active = isNull(users.deletedAt)
const hasEmail = (email: string) => eq(sql`lower(${users.email})`, email.toLowerCase())

/** The columns of a user with the password hash, which other reads leave out. */
const withPassword = {
  user: signedInColumns,
  password: users.password,
  emailConfirmedElsewhere: users.emailConfirmedElsewhere,
}

export async function findByEmail(db: Db, email: string) {
  const [found] = await db
    .select(withPassword)
    .from(users)
    .where(and(hasEmail(email), active))
  return found
}

export async function findById(db: Db, id: string) {
  const [found] = await db
    .select(withPassword)
    .from(users)
    .where(and(eq(users.id, id), active))
  return found
}

/**
 * Locks a user who is not deleted. 'update' also waits for transactions that only need the user to exist
 * (`areActive`).
 */
export async function lockUser(tx: Tx, id: string, strength: 'update' | 'no key update' = 'no key update') {
  const [found] = await tx
    .select(withPassword)
    .from(users)
    .where(and(eq(users.id, id), active))
    .for(strength)
  return found
}

/**
 * Locks a user: until the transaction ends, moderators cannot restrict or suspend them, and they cannot delete
 * their account. Undefined if the account was already deleted.
 */
export async function lockSanctions(tx: Tx, id: string) {
  const { restrictedUntil, suspendedUntil } = users
  const [found] = await tx
    .select({ restrictedUntil, suspendedUntil })
    .from(users)
    .where(and(eq(users.id, id), active))
    .for('share')
  return found
}

export async function findByGoogleSubject(db: Db, subject: string) {
  const [found] = await db
    .select(signedInColumns)
    .from(users)
    .where(and(eq(users.providerId, subject), active))
  return found
}

/** Undefined if the address or the Google account is taken. Only one of several concurrent inserts succeeds. */
export async function insertUser(tx: Tx, user: Omit<typeof users.$inferInsert, 'createdAt' | 'updatedAt'>) {
  const [inserted] = await tx
    .insert(users)
    .values({ ...user, createdAt: tx.now, updatedAt: tx.now })
    .onConflictDoNothing()
    .returning(signedInColumns)
  if (inserted) tx.activities.push('sign_up')
  return inserted
}

/** Clears the payout destination. Payouts that are being sent keep theirs (ADR 34). */
export const NO_PAYOUT_DETAILS = {
  stripeConnectAccountId: null,
  payoutsEnabled: false,
  bankAccountDetails: null,
  bankAccountHash: null,
}

export async function updateUser(tx: Tx, id: string, change: Partial<typeof users.$inferInsert>) {
  const [updated] = await tx
    .update(users)
    .set({ ...change, updatedAt: tx.now })
    .where(eq(users.id, id))
    .returning(signedInColumns)
  if (!updated) throw new Error(`no user ${id} to update`)
  return updated
}

/** Null for users who are not members of the team. */
export async function findStaffRole(db: Db, userId: string): Promise<StaffRole | null> {
  const [found] = await db
    .select({ role: sql<StaffRole>`coalesce(${admins.role}, 'admin')` })
    .from(admins)
    .where(eq(admins.userId, userId))
  return found?.role ?? null
}

export async function isAdmin(db: Db, userId: string): Promise<boolean> {
  return (await findStaffRole(db, userId)) === 'admin'
}

/** The admins who can receive emails. */
export function findAdmins(tx: Tx) {
  return tx
    .select({ userId: users.id, address: users.email })
    .from(admins)
    .innerJoin(users, eq(users.id, admins.userId))
    .where(and(active, isNotNull(users.email), sql`coalesce(${admins.role}, 'admin') = 'admin'`))
}

/** Sets or replaces the role of a user. */
export async function saveStaffRole(tx: Tx, userId: string, role: StaffRole): Promise<void> {
  await tx
    .insert(admins)
    .values({ userId, role, grantedAt: tx.now })
    .onConflictDoUpdate({ target: admins.userId, set: { role } })
}

export async function deleteAdmin(tx: Tx, userId: string): Promise<void> {
  await tx.delete(admins).where(eq(admins.userId, userId))
}
