import { type MarketSettings, withCurrencies } from '@sought/contract/market-settings'
import { findSettings } from '../database/market-settings.ts'
import { marketSettings } from '../database/schema.ts'
import type { Services } from '../services.ts'

/** Changes settings of the market without an admin. */
export async function changeSettings(
  { database, market }: Services,
  changes: Partial<MarketSettings>,
): Promise<void> {
  await database.transact(async (tx) => {
    const before = await findSettings(tx)
    const settings = withCurrencies(before, changes.currencies ?? before.currencies)
    await tx.insert(marketSettings).values({ settings: { ...settings, ...changes } })
  })
  market.forget()
}
