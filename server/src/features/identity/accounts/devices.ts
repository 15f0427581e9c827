import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { deviceName } from '../../../http/device-name.ts'
import type { Origin } from '../../../http/request-origin.ts'
import { endSessionsOf, type User } from '../../../http/session.ts'
import { recordAudit } from '../../users/audit-log.ts'
import { deleteSession, findSessions } from './device-queries.ts'

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
