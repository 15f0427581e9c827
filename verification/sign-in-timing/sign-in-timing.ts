import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '@sought/server/app'
import { readConfig } from '@sought/server/core/config'
import { createServices } from '@sought/server/create-services'
import { pino } from 'pino'
import type { Line, Part } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { withTemporaryDatabase } from '../support/temporary-database.ts'

const TRIES = 500
const MAX_DIFFERENCE_MS = 5
const PASSWORD = 'correct horse'
/** Several accounts, so that the database caches known and unknown addresses alike. */
const ACCOUNTS = 20
/** Requesting a link waits on purpose, so several requests can wait concurrently. */
const CONCURRENT_REQUESTS = 4

type Send = (path: string, body: object) => Promise<number>

/** Response times must not reveal who has an account: compares the medians of known and unknown addresses. */
export const signInTiming: Part = ({ postgresUrl, seed, share }) =>
  withTemporaryDatabase(postgresUrl, (databaseUrl) =>
    withServer(databaseUrl, async (send) => {
      const random = seeded(seed)
      const tries = Math.max(3, Math.round(TRIES * share))
      await createAccounts(send)
      return [
        await compare('sign-ins with a known or an unknown email', tries, 1, random.split(), (email) =>
          send('/api/auth/login', { email, password: 'wrong horse' }),
        ),
        await compare(
          'link requests for a known or an unknown email',
          tries,
          CONCURRENT_REQUESTS,
          random.split(),
          (email) => send('/api/auth/forgot-password', { email }),
        ),
      ]
    }),
  )

async function withServer<Result>(
  databaseUrl: string,
  work: (send: Send) => Promise<Result>,
): Promise<Result> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-timing-'))
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
    await services.sandbox?.close()
    await app.close()
    await services.database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const knownEmail = (number: number) => `known-${number}@example.com`

async function createAccounts(send: Send): Promise<void> {
  for (let number = 0; number < ACCOUNTS; number++) {
    const form = { email: knownEmail(number), password: PASSWORD, firstName: 'Known', lastName: 'Tester' }
    await send('/api/auth/signup', form)
  }
}

/** Measures both kinds in each round, in random order, so that a busy machine slows down both. */
async function compare(
  what: string,
  tries: number,
  concurrency: number,
  random: Random,
  timeOf: (email: string) => Promise<number>,
): Promise<Line> {
  const times = { known: [] as number[], unknown: [] as number[] }
  const measure = async (kind: keyof typeof times) => {
    const email = kind === 'known' ? knownEmail(random.below(ACCOUNTS)) : `${randomUUID()}@example.com`
    times[kind].push(await timeOf(email))
  }
  const both = async () => {
    const first = random.chance(0.5)
    await measure(first ? 'known' : 'unknown')
    await measure(first ? 'unknown' : 'known')
  }
  // The first ones include one-time work such as compilation.
  await both()
  times.known.length = times.unknown.length = 0
  while (times.known.length < tries) {
    await Promise.all(Array.from({ length: Math.min(concurrency, tries - times.known.length) }, both))
  }
  const [knownMs, unknownMs] = [median(times.known), median(times.unknown)]
  const medians = `known ${knownMs.toFixed(2)} ms, unknown ${unknownMs.toFixed(2)} ms`
  const violations =
    Math.abs(knownMs - unknownMs) > MAX_DIFFERENCE_MS ? [`the medians differ too much: ${medians}`] : []
  return { what: `${what} (medians: ${medians})`, times: 2 * tries, violations }
}

function median(values: number[]): number {
  const sorted = values.toSorted((one, two) => one - two)
  const middle = Math.floor(sorted.length / 2)
  const [upper = 0, lower = 0] = [sorted[middle], sorted[sorted.length % 2 === 0 ? middle - 1 : middle]]
  return (upper + lower) / 2
}
