import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '@sought/server/app'
import { createServices } from '@sought/server/create-services'
import { readConfig } from '@sought/server/platform/config'
import { pino } from 'pino'
import type { Line, Part } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { withDatabase } from '../support/temporary-database.ts'

const TRIES = 500
const MOST_APART_MS = 5
const PASSWORD = 'correct horse'
/** So that what the database keeps in its cache is the same for those who are known and those who are not. */
const KNOWN_PEOPLE = 20
/** Asking for a link waits on purpose, and several can wait at once. */
const ASKING_AT_ONCE = 4

type Ask = (path: string, body: object) => Promise<number>

/** Whether the time of an answer tells who has an account: medians of each kind of address, asked in turns. */
export const signInTimes: Part = ({ postgresUrl, seed, share }) =>
  withDatabase(postgresUrl, (databaseUrl) =>
    withServer(databaseUrl, async (ask) => {
      const random = seeded(seed)
      const tries = Math.max(3, Math.round(TRIES * share))
      await openAccounts(ask)
      return [
        await compare('sign-in with a known or an unknown e-mail', tries, 1, random.split(), (email) =>
          ask('/api/auth/login', { email, password: 'wrong horse' }),
        ),
        await compare(
          'a link asked for a known or an unknown e-mail',
          tries,
          ASKING_AT_ONCE,
          random.split(),
          (email) => ask('/api/auth/forgot-password', { email }),
        ),
      ]
    }),
  )

async function withServer<Result>(databaseUrl: string, work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-times-'))
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    LOAD_SHEDDING: 'off',
  })
  const log = pino({ level: config.logLevel })
  const services = await createServices(config, databaseUrl, () => new Date(), log)
  const app = await buildApp(services, { ready: true }, log)
  try {
    return await work(async (url, body) => {
      const start = performance.now()
      const { statusCode } = await app.inject({ method: 'POST', url, body })
      if (![200, 201, 401].includes(statusCode)) throw new Error(`${url} answered ${statusCode}`)
      return performance.now() - start
    })
  } finally {
    await services.events.stop()
    await app.close()
    await services.database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const known = (number: number) => `known-${number}@example.com`

async function openAccounts(ask: Ask): Promise<void> {
  for (let number = 0; number < KNOWN_PEOPLE; number++) {
    const form = { email: known(number), password: PASSWORD, firstName: 'Known', lastName: 'Tester' }
    await ask('/api/auth/signup', form)
  }
}

/** Both kinds in each round, in an order that chance decides, so that whatever slows the machine slows both. */
async function compare(
  what: string,
  tries: number,
  atOnce: number,
  random: Random,
  timeOf: (email: string) => Promise<number>,
): Promise<Line> {
  const times = { known: [] as number[], unknown: [] as number[] }
  const measure = async (kind: keyof typeof times) => {
    const email = kind === 'known' ? known(random.below(KNOWN_PEOPLE)) : `${randomUUID()}@example.com`
    times[kind].push(await timeOf(email))
  }
  const both = async () => {
    const first = random.chance(0.5)
    await measure(first ? 'known' : 'unknown')
    await measure(first ? 'unknown' : 'known')
  }
  // The first ones pay for what is only done once.
  await both()
  times.known.length = times.unknown.length = 0
  while (times.known.length < tries) {
    await Promise.all(Array.from({ length: Math.min(atOnce, tries - times.known.length) }, both))
  }
  const [one, other] = [median(times.known), median(times.unknown)]
  const apart = `known ${one.toFixed(2)} ms, unknown ${other.toFixed(2)} ms`
  const violations = Math.abs(one - other) > MOST_APART_MS ? [`medians too far apart: ${apart}`] : []
  return { what: `${what} (medians: ${apart})`, times: 2 * tries, violations }
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, two) => one - two)
  const middle = Math.floor(sorted.length / 2)
  const [upper = 0, lower = 0] = [sorted[middle], sorted[sorted.length % 2 === 0 ? middle - 1 : middle]]
  return (upper + lower) / 2
}
