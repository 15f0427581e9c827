import { and, eq, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../database/database.ts'
import { findRow, hasRow } from '../../database/rows.ts'
import { knownDevices, users } from '../../database/schema.ts'
import type { Device } from '../../http/session.ts'

/*
 * The browsers where a user has signed in (ADR 43). A browser is recognised by a random id in a signed cookie,
 * together with its kind and system, so that a copied cookie does not work in another kind of browser.
 */

/** Returns whether the user has signed in there before. The first device of an account counts as known. */
export async function rememberDevice(
  tx: Tx,
  userId: string,
  { hash, name }: Device,
): Promise<'known' | 'new'> {
  const [before] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(knownDevices)
    .where(eq(knownDevices.userId, userId))
  const [saved] = await tx
    .insert(knownDevices)
    .values({ userId, hash, name, createdAt: tx.now, seenAt: tx.now })
    .onConflictDoUpdate({ target: [knownDevices.userId, knownDevices.hash], set: { seenAt: tx.now } })
    .returning({ isNew: sql<boolean>`xmax = 0` })
  return saved?.isNew && before?.count ? 'new' : 'known'
}

export async function isKnownDevice(db: Db, userId: string, hash: string): Promise<boolean> {
  return hasRow(db, knownDevices, { userId, hash })
}

/** Whether the device has signed in to the account with this address. */
export async function isKnownDeviceOfEmail(db: Db, email: string, hash: string): Promise<boolean> {
  const found = await db
    .select({ userId: knownDevices.userId })
    .from(knownDevices)
    .innerJoin(users, eq(users.id, knownDevices.userId))
    .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), eq(knownDevices.hash, hash)))
  return found.length > 0
}

/** The device that was added at this time. */
export async function findDeviceAddedAt(db: Db, userId: string, at: Date): Promise<string | undefined> {
  const found = await findRow(db, knownDevices, { userId, createdAt: at }, ['name'])
  return found?.name
}

/** Called when somebody else may have signed in. All devices except `keepHash` count as new. */
export async function forgetDevices(tx: Tx, userId: string, keepHash = ''): Promise<void> {
  await tx.delete(knownDevices).where(and(eq(knownDevices.userId, userId), ne(knownDevices.hash, keepHash)))
}
