import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { sessions } from '../../../database/schema.ts'
import { isComplete } from '../../../http/session.ts'

const DEVICES_MAX = 100

/** A hash of the session id, so that the list of devices does not reveal it. */
const deviceId = sql<string>`left(encode(sha256(convert_to(${sessions.sid}, 'UTF8')), 'hex'), 32)`
const isOf = (userId: string) => eq(sql`${sessions.sess} ->> 'userId'`, userId)
const lastSeen = sql<string>`coalesce(${sessions.sess} ->> 'seenAt', ${sessions.sess} ->> 'createdAt')`

/** Most recently used first. */
export function findSessions(db: Db, userId: string, now: Date) {
  return db
    .select({
      id: deviceId,
      sid: sessions.sid,
      userAgent: sql<string | null>`${sessions.sess} ->> 'userAgent'`,
      signedInAt: sql<string>`${sessions.sess} ->> 'createdAt'`,
      seenAt: lastSeen,
    })
    .from(sessions)
    .where(and(isOf(userId), gt(sessions.expire, now), isComplete))
    .orderBy(desc(lastSeen), desc(sessions.expire))
    .limit(DEVICES_MAX)
}

export async function deleteSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const deleted = await tx
    .delete(sessions)
    .where(and(isOf(userId), eq(deviceId, id)))
    .returning({ sid: sessions.sid })
  return deleted.length > 0
}
