import pg from 'pg'
import { readConfig } from '../server/src/platform/config.ts'
import { startTestPostgres } from '../server/src/platform/embedded-postgres.ts'
import { measureReleases } from './releases.ts'
import { comparePages, compareSizes } from './search-times.ts'
import { seed } from './seed.ts'
import { measureStreams } from './streams.ts'
import { compareServers } from './throughput.ts'

/*
 * What the claims about speed are measured with (ADR 30). Every bound is a ratio of two things measured in this run,
 * or generous: a verdict depends on the code and not on the machine. It uses a PostgreSQL of its own, or the one of
 * DATABASE_URL, in databases of its own.
 */

const SIZES = { small: 10_000, large: 1_000_000 }

async function bench(adminUrl: string): Promise<boolean> {
  const small = await createDatabase(adminUrl, SIZES.small)
  const large = await createDatabase(adminUrl, SIZES.large)
  try {
    const verdicts = [
      await compareSizes(small.read, large.read),
      await comparePages(large.read),
      await compareServers(databaseUrl(adminUrl, SIZES.large)),
      await measureStreams(small, databaseUrl(adminUrl, SIZES.small)),
      await measureReleases(adminUrl),
    ]
    return verdicts.every(Boolean)
  } finally {
    await small.close()
    await large.close()
  }
}

async function createDatabase(adminUrl: string, size: number) {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`drop database if exists ${databaseName(size)}`)
  await admin.query(`create database ${databaseName(size)} template template0`)
  await admin.end()
  return seed(databaseUrl(adminUrl, size), size, console.log)
}

const databaseName = (size: number) => `sought_bench_${size}`

function databaseUrl(adminUrl: string, size: number): string {
  const url = new URL(adminUrl)
  url.pathname = `/${databaseName(size)}`
  return url.href
}

const given = readConfig().databaseUrl
const own = given ? undefined : await startTestPostgres()
try {
  const ok = await bench(given ?? own?.url ?? '')
  process.exitCode = ok ? 0 : 1
} finally {
  await own?.stop()
}
