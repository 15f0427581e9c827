import type { Db } from '../../../database/database.ts'
import { countDifferences, findDifferences, findLastRun, findOwnMovements } from './queries.ts'

export { countDifferences }

const MAX_DIFFERENCES = 100
const MAX_OWN_MOVEMENTS = 20

export async function readReconciliation(db: Db) {
  const lastRun = await findLastRun(db)
  const own = await findOwnMovements(db, MAX_OWN_MOVEMENTS)
  return {
    lastRun: lastRun ?? null,
    total: await countDifferences(db),
    differences: await findDifferences(db, MAX_DIFFERENCES),
    ownMovements: own.map(({ id, ...movement }) => ({ transactionId: id, ...movement })),
  }
}
