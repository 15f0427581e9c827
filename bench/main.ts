import { parseArgs } from 'node:util'
import { readConfig } from '../server/src/core/config.ts'
import type { Database } from '../server/src/database/database.ts'
import { startTestPostgres } from '../server/src/database/embedded-postgres/embedded-postgres.ts'
import { measureAnalytics } from './analytics.ts'
import { createDatabase } from './create-database.ts'
import { measureFigureTriggers } from './figure-triggers.ts'
import { compareFilters } from './filters.ts'
import { measureMemory } from './memory.ts'
import { comparePartitions } from './partitions.ts'
import { measureReleases } from './releases.ts'
import { comparePosting } from './saved-searches.ts'
import { comparePages, compareSizes } from './search.ts'
import { seedRequests } from './seed-requests.ts'
import { validateSitemap } from './sitemap.ts'
import { measureStreams } from './streams.ts'
import { comparePublicCalls, compareServers, measurePlanning } from './throughput.ts'
import { measureSignInDuringUploads } from './uploads.ts'
import { compareVersions } from './versions.ts'
import { compareWrites } from './writes.ts'

/*
 * The benchmarks (ADR 30): all, or only some, such as npm run bench -- search analytics. Each limit is a ratio of two
 * measurements of the same run, or generous, so that the result depends on the code and not on the machine. Creates its
 * databases in DATABASE_URL or in a temporary PostgreSQL. `-- versions --other FOLDER` compares this version with another
 * checkout.
 */

interface Databases {
  adminUrl: string
  small(): Promise<Database>
  large(): Promise<Database>
  withSearches(): Promise<Database>
}

/** A database is seeded when a part first needs it. */
const PARTS: Record<string, (databases: Databases) => Promise<boolean[]>> = {
  search: async ({ small, large }) => [
    await compareSizes((await small()).read, (await large()).read),
    await comparePages((await large()).read),
  ],
  filters: async ({ small, large }) => [await compareFilters(await small(), await large())],
  sitemap: async ({ large }) => [await validateSitemap(await large())],
  throughput: async ({ large }) => [
    await compareServers(urlOf(await large())),
    await comparePublicCalls(urlOf(await large())),
    await measurePlanning(await large()),
    await measureMemory(urlOf(await large())),
  ],
  'saved-searches': async ({ small, withSearches }) => [
    await comparePosting(await small(), await withSearches()),
  ],
  streams: async ({ small }) => [await measureStreams(await small(), urlOf(await small()))],
  releases: async ({ adminUrl }) => [await measureReleases(adminUrl)],
  analytics: async ({ adminUrl }) => [await measureAnalytics(adminUrl)],
  'figure-triggers': async ({ adminUrl }) => [await measureFigureTriggers(adminUrl)],
  partitions: async ({ adminUrl }) => [await comparePartitions(adminUrl)],
  uploads: async ({ small }) => [await measureSignInDuringUploads(urlOf(await small()))],
  writes: async ({ small }) => [await compareWrites(await small(), urlOf(await small()))],
  versions: async ({ adminUrl }) => [other ? await compareVersions(adminUrl, other) : skipVersions()],
}

function skipVersions(): true {
  console.log('\nOnly this version is measured: the folder of another follows --other.')
  return true
}

async function bench(adminUrl: string, names: string[]): Promise<boolean> {
  const seeded = new Map<string, Promise<Database>>()
  const seedOnce = (name: string, size: number) => () => {
    const database = seeded.get(name) ?? createSeededDatabase(adminUrl, `sought_bench_${name}`, size)
    seeded.set(name, database)
    return database
  }
  const databases: Databases = {
    adminUrl,
    small: seedOnce('10000', 10_000),
    large: seedOnce('1000000', 1_000_000),
    withSearches: seedOnce('10000_with_searches', 10_000),
  }
  try {
    const verdicts: boolean[] = []
    for (const name of names) verdicts.push(...((await PARTS[name]?.(databases)) ?? []))
    return verdicts.every(Boolean)
  } finally {
    for (const database of seeded.values()) await (await database).close()
  }
}

async function createSeededDatabase(adminUrl: string, name: string, size: number): Promise<Database> {
  return seedRequests(await createDatabase(adminUrl, name), size, console.log)
}

const urlOf = ({ pool }: Database) => pool.options.connectionString ?? ''

const {
  positionals,
  values: { other },
} = parseArgs({ allowPositionals: true, options: { other: { type: 'string' } } })
const names = positionals.length > 0 ? positionals : Object.keys(PARTS)
const unknown = names.find((name) => !PARTS[name])
if (unknown) throw new Error(`There is no part ${unknown}. The parts: ${Object.keys(PARTS).join(', ')}.`)

const configuredUrl = readConfig().databaseUrl
const testPostgres = configuredUrl ? undefined : await startTestPostgres()
try {
  const ok = await bench(configuredUrl ?? testPostgres?.url ?? '', names)
  process.exitCode = ok ? 0 : 1
} finally {
  await testPostgres?.stop()
}
