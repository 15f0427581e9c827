import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { insertAlerts, type Match } from './match-queries.ts'
import { searchMatch } from './notifications.ts'

/**
 * Alerts people to a request that matches their saved searches, immediately or in their next digest. Idempotent.
 */
export async function matchSearches({ database }: Pick<Services, 'database'>, match: Match): Promise<void> {
  await database.transact(async (tx) => {
    await notify(tx, searchMatch(match.itemId, await insertAlerts(tx, match)))
  })
}
