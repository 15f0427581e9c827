import { systemClock } from '@sought/server/core/clock'
import { openDatabase } from '@sought/server/database/database'
import { admins, users, wantedItems } from '@sought/server/database/schema'
import { people } from '@sought/server/demo/people'
import { requests } from '@sought/server/demo/requests'

const HOUR_MS = 3_600_000

/**
 * Inserts the people and requests of the demo market, without its pictures and deals: those take more processor
 * time than two journeys.
 */
export async function insertSmallMarket(databaseUrl: string): Promise<void> {
  const database = openDatabase(databaseUrl, systemClock, () => {})
  await database.transact(async (tx) => {
    await tx.insert(users).values(
      people.map(({ key, email, firstName, lastName }) => ({
        id: idOf(key),
        email,
        emailVerifiedAt: tx.now,
        firstName,
        lastName,
      })),
    )
    await tx
      .insert(admins)
      .values([{ userId: idOf('admin') }, { userId: idOf('moderator'), role: 'moderator' }])
    // The oldest first, so that ids grow with time.
    await tx.insert(wantedItems).values(
      requests.toReversed().map(({ key: _, by, pictures: __, postedHoursAgo, ...fields }) => {
        const createdAt = new Date(tx.now.getTime() - postedHoursAgo * HOUR_MS)
        return { ...fields, userId: idOf(by), createdAt, updatedAt: createdAt }
      }),
    )
  })
  await database.close()
}

const idOf = (personKey: string) => `demo-${personKey}`
