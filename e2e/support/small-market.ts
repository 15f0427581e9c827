import { systemClock } from '@sought/server/core/clock'
import { openDatabase } from '@sought/server/database/database'
import { insertRequests, personId } from '@sought/server/demo/insert-requests'
import { people } from '@sought/server/demo/people'
import { insertPeople } from '@sought/server/market-builder/insert-people'

/**
 * Inserts the people and requests of the demo market, without its pictures and deals: those take more processor
 * time than two journeys.
 */
export async function insertSmallMarket(databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl, systemClock, () => {})
  await database.transact(async (tx) => {
    const users = people.map(({ key, email, firstName, lastName }) => {
      const role = key === 'admin' || key === 'moderator' ? key : undefined
      return { id: personId(key), email, emailVerifiedAt: tx.now, firstName, lastName, role }
    })
    await insertPeople(tx, users, { now: tx.now })
    await insertRequests(tx, new Map())
  })
  await database.close()
}
