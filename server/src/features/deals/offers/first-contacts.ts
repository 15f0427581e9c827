import { countByAge } from '../../../http/limits.ts'
import type { Actor } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import * as queries from './queries.ts'

/**
 * The first message or offer about a request counts towards a daily limit against spam, which is lower for
 * new accounts (ADR 45).
 */
export async function countFirstContact(
  { database, limits, clock }: Pick<Services, 'database' | 'limits' | 'clock'>,
  wantedItemId: number,
  person: Pick<Actor, 'id' | 'createdAt'>,
  request: { ip: string },
): Promise<void> {
  if (await queries.isKnownTo(database.read, wantedItemId, person.id)) return
  await countByAge(limits, 'firstContacts', person, request, clock())
}
