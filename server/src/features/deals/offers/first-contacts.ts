import { addressKey } from '../../../http/limits.ts'
import type { Actor } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import * as queries from './queries.ts'

const DAY_MS = 86_400_000

/**
 * The first message or offer about a request counts towards a daily limit against spam, which is lower for
 * new accounts (ADR 45).
 */
export async function countFirstContact(
  { database, limits, clock }: Pick<Services, 'database' | 'limits' | 'clock'>,
  wantedItemId: number,
  { id, createdAt }: Pick<Actor, 'id' | 'createdAt'>,
  { ip }: { ip: string },
): Promise<void> {
  if (await queries.isKnownTo(database.read, wantedItemId, id)) return
  const isNew = clock().getTime() - createdAt.getTime() < DAY_MS
  await limits.firstContactsByAddress.count(addressKey(ip))
  await (isNew ? limits.firstContactsByNewAccount : limits.firstContactsByAccount).count(id)
}
