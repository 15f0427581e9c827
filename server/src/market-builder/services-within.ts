import { sql } from 'drizzle-orm'
import type { Database, PooledDb, Tx } from '../database/database.ts'
import type { Services } from '../services.ts'

export interface ServicesWithin {
  services: Services
  /** Sets the clock of these services. */
  moveTo(moment: Date): void
}

/**
 * Services for actions within one transaction, also in the past. Their clock can be set, and their commits become
 * part of that transaction.
 */
export function createServicesWithin(tx: Tx, services: Services): ServicesWithin {
  let now = tx.now
  const transact: Database['transact'] = async (work) => {
    const result = await work(Object.create(tx, { now: { value: now } }))
    // Checks the deferred constraints after every action, like a commit, because later actions change the rows they
    // compare.
    await tx.execute(sql`set constraints all immediate; set constraints all deferred`)
    return result
  }
  const read: PooledDb = Object.assign(Object.create(tx), { $client: services.database.pool })
  return {
    services: { ...services, clock: () => now, database: { ...services.database, read, transact } },
    moveTo(moment) {
      now = moment
    },
  }
}
