import pg from 'pg'
import { readConfig } from '../server/src/platform/config.ts'
import { startTestPostgres } from '../server/src/platform/embedded-postgres.ts'
import { compareAnalytics } from './analytics.ts'
import { compareFilters } from './filters.ts'
import { measureReleases } from './releases.ts'
import { comparePosting } from './saved-searches.ts'
import { comparePages, compareSizes } from './search.ts'
import { seedRequests } from './seed-requests.ts'
import { validateSitemap } from './sitemap.ts'
import { measureStreams } from './streams.ts'
import { comparePublicCalls, compareServers } from './throughput.ts'
import { measureSignInDuringUploads } from './uploads.ts'

/*
 * The benchmarks (ADR 30). Each limit is a ratio of two measurements of the same run, or generous, so that the result
 * depends on the code and not on the machine. Creates its databases in DATABASE_URL or in a temporary PostgreSQL.
 */

const SIZES = { small: 10_000, large: 1_000_000 }

async function bench(adminUrl: string): Promise<boolean> {
  const small = await createSeededDatabase(adminUrl, SIZES.small)
  const large = await createSeededDatabase(adminUrl, SIZES.large)
  const withSearches = await createSeededDatabase(adminUrl, SIZES.small, 'with_searches')
  try {
    const verdicts = [
      await compareSizes(small.read, large.read),
      await comparePages(large.read),
      await compareFilters(small, large),
      await validateSitemap(large),
      await compareServers(databaseUrl(adminUrl, SIZES.large)),
      await comparePublicCalls(databaseUrl(adminUrl, SIZES.large)),
      await comparePosting(small, withSearches),
      await measureStreams(small, databaseUrl(adminUrl, SIZES.small)),
      await measureReleases(adminUrl),
      await compareAnalytics(adminUrl),
      await measureSignInDuringUploads(databaseUrl(adminUrl, SIZES.small)),
    ]
    return verdicts.every(Boolean)
  } finally {
    await small.close()
    await large.close()
    await withSearches.close()
  }
}

async function createSeededDatabase(adminUrl: string, size: number, suffix?: string) {
  const name = databaseName(size, suffix)
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`drop database if exists ${name}`)
  await admin.query(`create database ${name} template template0`)
  await admin.end()
  return seedRequests(databaseUrl(adminUrl, size, suffix), size, console.log)
}

const databaseName = (size: number, suffix?: string) =>
  ['sought_bench', size, ...(suffix ? [suffix] : [])].join('_')

function databaseUrl(adminUrl: string, size: number, suffix?: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${databaseName(size, suffix)}`
  return url.href
}

const configuredUrl = readConfig().databaseUrl
const testPostgres = configuredUrl ? undefined : await startTestPostgres()
try {
  const ok = await bench(configuredUrl ?? testPostgres?.url ?? '')
  process.exitCode = ok ? 0 : 1
} finally {
  await testPostgres?.stop()
}
