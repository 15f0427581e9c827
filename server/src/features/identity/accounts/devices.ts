import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { sessions } from '../../../database/schema.ts'
import { deviceName } from '../../../http/device-name.ts'
import type { Origin } from '../../../http/request-origin.ts'
import { endSessionsOf, isComplete, type User } from '../../../http/session.ts'
import { recordAudit } from '../../users/audit-log.ts'

/** The devices where a user is signed in. The session ids themselves stay secret. */
export async function devicesOf(db: Db, { id }: Pick<User, 'id'>, sid: string | null, now: Date) {
  const found = await findSessions(db, id, now)
  return found.map((session) => ({
    id: session.id,
    name: deviceName(session.userAgent ?? ''),
    isThisOne: session.sid === sid,
    signedInAt: new Date(session.signedInAt),
    seenAt: new Date(session.seenAt),
  }))
}

export async function signOutDevice(tx: Tx, { id }: Pick<User, 'id'>, deviceId: string, origin: Origin) {
  if (!(await deleteSession(tx, id, deviceId))) throw refuse('device_not_found')
  await recordAudit(tx, { action: 'device_signed_out', actorId: id, origin })
  return { ok: true as const }
}

export async function signOutOtherDevices(
  tx: Tx,
  { id }: Pick<User, 'id'>,
  sid: string | null,
  origin: Origin,
) {
  await endSessionsOf(tx, id, sid ?? undefined)
  await recordAudit(tx, { action: 'other_devices_signed_out', actorId: id, origin })
  return { ok: true as const }
}

const DEVICES_MAX = 100

/** A hash of the session id, so that the list of devices does not reveal it. */
const deviceId = sql<string>`left(encode(sha256(convert_to(${sessions.sid}, 'UTF8')), 'hex'), 32)`
const isOf = (userId: string) => eq(sql`${sessions.sess} ->> 'userId'`, userId)
const lastSeen = sql<string>`coalesce(${sessions.sess} ->> 'seenAt', ${sessions.sess} ->> 'createdAt')`

/** Most recently used first. */
function findSessions(db: Db, userId: string, now: Date) {
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

async function deleteSession(tx: Tx, userId: string, id: string): Promise<boolean> {
  const deleted = await tx
    .delete(sessions)
    .where(and(isOf(userId), eq(deviceId, id)))
    .returning({ sid: sessions.sid })
  return deleted.length > 0
}
