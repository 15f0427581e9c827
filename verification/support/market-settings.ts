import type { MarketSettings } from '@sought/contract/market-settings'
import pg from 'pg'

/** Changes these settings of the market before a server starts. */
export async function changeMarketSettings(
  databaseUrl: string,
  settings: Partial<MarketSettings>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('insert into market_settings (settings) values ($1)', [settings])
  } finally {
    await client.end()
  }
}
