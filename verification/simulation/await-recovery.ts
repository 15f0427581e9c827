import { setTimeout as wait } from 'node:timers/promises'
import { brokenPromises } from './acknowledged-writes.ts'
import { compareBooks } from './compare-ledger.ts'
import { violations } from './invariants.ts'
import type { Promised } from './market.ts'
import type { ProcessMarket } from './process-market.ts'

const WITHIN_MS = 30_000
const LOOK_EVERY_MS = 500

/** Nobody lends a hand: the servers alone have to put everything right, and in time. Gives what they did not. */
export async function settleAlone(market: ProcessMarket, promised: Promised[]): Promise<string[]> {
  const { sql, services } = market
  const find = async () => [
    ...(await violations(sql, market.now())),
    ...(await brokenPromises(sql, promised)),
  ]
  const deadline = Date.now() + WITHIN_MS
  let found = await find()
  while (found.length > 0 && Date.now() < deadline) {
    await wait(LOOK_EVERY_MS)
    found = await find()
  }
  return [...found, ...(await compareBooks(services))]
}
