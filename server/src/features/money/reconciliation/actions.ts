import type { Db } from '../../../database/database.ts'
import { countUnhandledEvents, findUnhandledEvents } from '../payments/provider-events.ts'
import { countSetAside, findSetAside } from '../set-aside/set-aside.ts'
import * as queries from './queries.ts'

const MAX_LISTED = 100
const MAX_OWN_MOVEMENTS = 20
/** Most events that could not be handled at first are about something that we still write. */
const UNHANDLED_AFTER_MS = 3_600_000

const unhandledSince = (now: Date) => new Date(now.getTime() - UNHANDLED_AFTER_MS)

/** What an admin sees on the page: differences, payments that were set aside, and unhandled events. */
export async function countProblems(db: Db, now: Date): Promise<number> {
  const differences = await queries.countDifferences(db)
  return differences + (await countSetAside(db)) + (await countUnhandledEvents(db, unhandledSince(now)))
}

export async function readReconciliation(db: Db, now: Date) {
  const lastRun = await queries.findLastRun(db)
  const own = await queries.findOwnMovements(db, MAX_OWN_MOVEMENTS)
  return {
    lastRun: lastRun ?? null,
    total: await queries.countDifferences(db),
    differences: await queries.findDifferences(db, MAX_LISTED),
    ownMovements: own.map(({ id, ...movement }) => ({ transactionId: id, ...movement })),
    setAside: await findSetAside(db, MAX_LISTED),
    unhandledEvents: await findUnhandledEvents(db, unhandledSince(now), MAX_LISTED),
  }
}
