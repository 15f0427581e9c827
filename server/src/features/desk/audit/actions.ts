import type { OwnAuditEntry } from '@sought/contract/audit'
import { shortenIp } from '../../../core/shorten-ip.ts'
import type { Db } from '../../../database/database.ts'
import type { User } from '../../../http/session.ts'
import { asPublicUser } from '../../users/public-user.ts'
import type { AuditFilter } from './queries.ts'
import * as queries from './queries.ts'

type Entry = Awaited<ReturnType<typeof queries.findEntriesOf>>[number]

export async function ownAuditLog(
  db: Db,
  { id }: Pick<User, 'id'>,
  page: Pick<AuditFilter, 'limit' | 'cursor'>,
) {
  const found = await queries.findEntriesOf(db, id, page)
  return found.map((entry) => asOwnEntry(entry, id))
}

/** Users do not see the device and the IP address of an admin. */
function asOwnEntry({ id, action, createdAt, ...entry }: Entry, userId: string) {
  const by = whoActed(entry, userId)
  const { device, ip } = by === 'team' ? { device: null, ip: null } : entry
  return { id, action, createdAt, by, device, ip: ip && shortenIp(ip) }
}

/** Entries from the command line have no IP address. */
function whoActed({ actorId, ip }: Pick<Entry, 'actorId' | 'ip'>, userId: string): OwnAuditEntry['by'] {
  if (actorId === userId) return 'you'
  return actorId === null && ip !== null ? 'unknown' : 'team'
}

export async function searchAuditLog(db: Db, filter: AuditFilter) {
  const found = await queries.findEntries(db, filter)
  return found.map(({ entry: { id, action, device, ip, details, createdAt }, actor, subject }) => ({
    id,
    action,
    device,
    ip,
    details,
    createdAt,
    actor: actor && asPublicUser(actor),
    subject: subject && asPublicUser(subject),
  }))
}
