import { calls } from '@sought/contract/calls'
import type { Line, Part } from '../support/part.ts'
import { type Random, seeded } from '../support/random.ts'
import { fuzzCall } from './fuzz-calls.ts'
import { fuzzShown } from './fuzz-rendered-texts.ts'
import { fuzzSockets } from './fuzz-sockets.ts'
import { fuzzTexts } from './fuzz-stored-texts.ts'
import { fuzzPages } from './fuzz-urls.ts'
import { openStage, type Stage } from './fuzz-world.ts'

const TRIES_PER_CALL = 3_000
/** From here on every call is tried so often that it must be let in at least once. */
const SHARE_AT_LENGTH = 0.5

/** Some calls take their time on purpose; at length, others are tried meanwhile in markets of their own. */
const MARKETS = 3

/** Fuzz from the contract: every declared call, near and far from its schema, as everybody. */
export const fuzz: Part = async ({ postgresUrl, seed, share }) => {
  const random = seeded(seed)
  const stage = await openStage(postgresUrl)
  const others: Stage[] = []
  try {
    while (share >= SHARE_AT_LENGTH && others.length < MARKETS - 1) others.push(await openStage(postgresUrl))
    return [
      await bodies([stage, ...others], random.split(), share),
      await texts(stage, random.split(), share),
      await shown(stage, random.split(), share),
      await pages(stage, random.split(), share),
      await sockets(stage, random.split(), share),
    ]
  } finally {
    for (const opened of [stage, ...others]) await opened.close()
  }
}

async function bodies(stages: Stage[], random: Random, share: number): Promise<Line> {
  const line: Line = { what: 'requests near and far from the schemas of all calls', times: 0, violations: [] }
  const times = Math.max(1, Math.round(TRIES_PER_CALL * share))
  const waiting = Object.entries(calls).map(([name, call]) => ({ name, call, seed: random.below(2 ** 31) }))
  const tryInOne = async (stage: Stage) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outcome = await fuzzCall(stage, next.name, next.call, { seed: next.seed, times })
      line.times += outcome.times
      line.violations.push(...outcome.violations)
      if (share >= SHARE_AT_LENGTH && outcome.accepted === 0) {
        line.violations.push(`${next.name} was never let in: only its schema was tried`)
      }
    }
  }
  await Promise.all(stages.map(tryInOne))
  return line
}

async function texts(stage: Stage, random: Random, share: number): Promise<Line> {
  const line: Line = {
    what: 'hostile texts through every field that stores a text',
    times: 0,
    violations: [],
  }
  let stored = 0
  for (const [name, call] of Object.entries(calls)) {
    const outcome = await fuzzTexts(stage, name, call, { random: random.split(), share })
    stored += outcome.stored.length
    line.times += outcome.times
    line.violations.push(...outcome.violations)
  }
  if (stored === 0) line.violations.push('no field was seen to store anything')
  return line
}

async function shown(stage: Stage, random: Random, share: number): Promise<Line> {
  return {
    what: 'hostile texts in tables, mails, heads of pages',
    ...(await fuzzShown(stage, { random, share })),
  }
}

async function pages(stage: Stage, random: Random, share: number): Promise<Line> {
  return { what: 'addresses with hostile texts', ...(await fuzzPages(stage, { random, share })) }
}

async function sockets(stage: Stage, random: Random, share: number): Promise<Line> {
  const all = Object.values(calls)
  return {
    what: 'bytes that no client sends, over a socket',
    ...(await fuzzSockets(stage, all, { random, share })),
  }
}
