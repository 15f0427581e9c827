import type { Services } from '../../../services.ts'
import { notify } from '../../notifications/actions.ts'
import { searchMatchNotifications } from '../../notifications/build-notifications.ts'
import { insertAlerts, type Match } from './match-queries.ts'

/**
 * Alerts people to a request that matches their saved searches, immediately or in their next digest. Idempotent.
 */
export async function matchSearches({ database }: Pick<Services, 'database'>, match: Match): Promise<void> {
  await database.transact(async (tx) => {
    await notify(tx, searchMatchNotifications(match.itemId, await insertAlerts(tx, match)))
  })
}
