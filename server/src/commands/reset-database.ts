import { sql } from 'drizzle-orm'
import { readConfig } from '../core/config.ts'
import { OWNER_FILE } from '../files/storage-owner.ts'
import { openStorage } from '../providers/files/open-storage.ts'
import { withDatabase } from './with-database.ts'

/** npm run db:reset: drops all data. The next start migrates and seeds the database again. Not in production. */
if (readConfig().production) {
  console.error('db:reset is disabled in production')
  process.exit(2)
}

await withDatabase(async ({ read }) => {
  await read.execute(sql`drop schema if exists public, drizzle, graphile_worker, sandbox cascade`)
  await read.execute(sql`create schema public`)
})
// Otherwise the files of the deleted database would never be removed as orphans, because the storage would still
// belong to it.
await (await openStorage(readConfig())).remove(OWNER_FILE)
console.log('The database is empty. Run npm start to fill it again.')
