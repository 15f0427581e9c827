import type { PushSubscription } from '@sought/contract/push'
import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Db, Tx } from '../../database/database.ts'
import { presence, pushSubscriptions, sessions, users } from '../../database/schema.ts'

/** Each notification costs one request per browser. */
export const BROWSERS_MAX = 10

/** Serializes concurrent calls of a session. Returns false if the session has ended. */
export async function lockSession(tx: Tx, sid: string): Promise<boolean> {
  const locked = await tx
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(eq(sessions.sid, sid))
    .for('no key update')
  return locked.length > 0
}

/** A browser keeps its endpoint when another person signs in there, so a known endpoint gets the new user. */
export async function savePushSubscription(
  tx: Tx,
  { endpoint, keys }: PushSubscription,
  owner: { userId: string; sid: string },
): Promise<void> {
  const row = { ...owner, endpoint, ...keys, createdAt: tx.now }
  await deletePushSubscription(tx, owner.sid)
  await tx
    .insert(pushSubscriptions)
    .values(row)
    .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: row })
}

export async function deletePushSubscription(tx: Tx, sid: string): Promise<void> {
  await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.sid, sid))
}

/** Keeps the latest subscriptions of a user. */
export async function deleteOldSubscriptions(tx: Tx, userId: string, keep: number): Promise<void> {
  const old = tx
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId))
    .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id))
    .offset(keep)
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, old))
}

/** A subscription with its user's settings and last presence, which decide whether to send a push notification. */
export async function findSubscription(db: Db, id: number) {
  const [found] = await db
    .select({ subscription: pushSubscriptions, off: users.pushOff, seenAt: presence.seenAt })
    .from(pushSubscriptions)
    .innerJoin(users, eq(users.id, pushSubscriptions.userId))
    .leftJoin(presence, eq(presence.userId, pushSubscriptions.userId))
    .where(eq(pushSubscriptions.id, id))
  return found
}

export async function findPushSettings(db: Db, userId: string, sid: string) {
  const [found] = await db
    .select({ off: users.pushOff, subscriptionId: pushSubscriptions.id })
    .from(users)
    .leftJoin(pushSubscriptions, and(eq(pushSubscriptions.userId, users.id), eq(pushSubscriptions.sid, sid)))
    .where(eq(users.id, userId))
  if (!found) throw new Error(`no user ${userId}`)
  return found
}
