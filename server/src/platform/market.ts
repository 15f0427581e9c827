import { MarketSettings } from '@sought/contract/market-settings'
import type { FeeRates } from '@sought/escrow/fees'
import { desc, lte } from 'drizzle-orm'
import { feeRates, marketSettings } from './back-office-tables.ts'
import type { Clock } from './clock.ts'
import type { Db } from './database.ts'

/** The settings in force, and the fees of an offer that is accepted now. */
export interface Market extends MarketSettings {
  fees: FeeRates
}

export interface MarketReader {
  read(): Promise<Market>
  /** Called by the process that has changed the settings. The others follow within a second. */
  forget(): void
}

const MAX_AGE_MS = 1_000

/** Reads the settings at most once a second, because every request needs them. Money uses `findFees` instead. */
export function createMarketReader(
  db: Db,
  clock: Clock,
  nowMs: () => number = performance.now.bind(performance),
): MarketReader {
  let known: { market: Promise<Market>; readAtMs: number } | null = null
  const forget = () => {
    known = null
  }
  return {
    forget,
    read() {
      if (known && nowMs() - known.readAtMs < MAX_AGE_MS) return known.market
      const market = readMarket(db, clock())
      known = { market, readAtMs: nowMs() }
      market.catch(forget)
      return market
    },
  }
}

async function readMarket(db: Db, now: Date): Promise<Market> {
  const [settings, fees] = await Promise.all([findSettings(db), findFees(db, now)])
  return { ...settings, fees }
}

export async function findSettings(db: Db): Promise<MarketSettings> {
  const [latest] = await db
    .select({ settings: marketSettings.settings })
    .from(marketSettings)
    .orderBy(desc(marketSettings.id))
    .limit(1)
  return MarketSettings.parse(latest?.settings ?? {})
}

/** The fees in force at a time, such as the one when an offer was accepted. */
export async function findFees(db: Db, at: Date): Promise<FeeRates> {
  const [rates] = await db
    .select({
      platformFeeBasisPoints: feeRates.platformFeeBasisPoints,
      processingFeeBasisPoints: feeRates.processingFeeBasisPoints,
      processingFeeCents: feeRates.processingFeeCents,
    })
    .from(feeRates)
    .where(lte(feeRates.effectiveFrom, at))
    .orderBy(desc(feeRates.effectiveFrom), desc(feeRates.id))
    .limit(1)
  if (!rates) throw new Error('there are no fees')
  return rates
}
