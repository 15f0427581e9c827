import type { Db } from '../../../database/database.ts'
import * as queries from './queries.ts'

export { countDifferences } from './queries.ts'

const MAX_DIFFERENCES = 100
const MAX_OWN_MOVEMENTS = 20

export async function readReconciliation(db: Db) {
  const lastRun = await queries.findLastRun(db)
  const own = await queries.findOwnMovements(db, MAX_OWN_MOVEMENTS)
  return {
    lastRun: lastRun ?? null,
    total: await queries.countDifferences(db),
    differences: await queries.findDifferences(db, MAX_DIFFERENCES),
    ownMovements: own.map(({ id, ...movement }) => ({ transactionId: id, ...movement })),
  }
}
