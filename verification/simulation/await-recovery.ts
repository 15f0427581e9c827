import { setTimeout as wait } from 'node:timers/promises'
import { findLostWrites } from './acknowledged-writes.ts'
import { compareLedgerWithProvider } from './compare-ledger.ts'
import { findInvariantViolations } from './invariants.ts'
import type { Acknowledged } from './market.ts'
import type { ProcessMarket } from './process-market.ts'

const WITHIN_MS = 30_000
const CHECK_EVERY_MS = 500

/** The servers must recover in time without help. Returns the remaining problems. */
export async function awaitRecovery(market: ProcessMarket, acknowledged: Acknowledged[]): Promise<string[]> {
  const { sql, services } = market
  const find = async () => [
    ...(await findInvariantViolations(sql, market.now())),
    ...(await findLostWrites(sql, acknowledged)),
  ]
  const deadline = Date.now() + WITHIN_MS
  let found = await find()
  while (found.length > 0 && Date.now() < deadline) {
    await wait(CHECK_EVERY_MS)
    found = await find()
  }
  return [...found, ...(await compareLedgerWithProvider(services))]
}
