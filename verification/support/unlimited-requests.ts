import pg from 'pg'

/** Lets people post more requests than the default of a market allows. */
export async function allowUnlimitedRequests(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`insert into market_settings (settings) values ('{"openRequestsMax": null}')`)
  } finally {
    await client.end()
  }
}
