import type { Call } from '@sought/contract/call'
import fc from 'fast-check'
import type { Stage } from './fuzz-world.ts'
import { type Try, tries } from './request-generators.ts'
import { play } from './send-request.ts'

export interface CallOutcome {
  times: number
  /** How often it was let in. */
  accepted: number
  violations: string[]
}

/** How many are made at a time: some of them are large. */
const CHUNK = 100
/** What is wrong once is wrong often; the first few of a kind say enough. */
const MOST_OF_A_KIND = 2

/** Tries one call so many times. The same seed makes the same tries, each in the same world. */
export async function fuzzCall(
  stage: Stage,
  name: string,
  call: Call,
  { seed, times }: { seed: number; times: number },
): Promise<CallOutcome> {
  const arbitrary = tries(stage, call)
  const seen = new Map<string, number>()
  const outcome: CallOutcome = { times: 0, accepted: 0, violations: [] }
  while (outcome.times < times) {
    const numRuns = Math.min(CHUNK, times - outcome.times)
    const made = fc.sample(arbitrary, { seed: seed + outcome.times, numRuns })
    for (const one of made) {
      const { answer, wrong } = await play(stage, call, one)
      if (answer.status < 400) outcome.accepted += 1
      for (const what of wrong) {
        const kind = what.replace(/\d+/g, '#').slice(0, 60)
        const before = seen.get(kind) ?? 0
        seen.set(kind, before + 1)
        if (before < MOST_OF_A_KIND) outcome.violations.push(`${name}: ${what}\n    ${described(call, one)}`)
      }
    }
    outcome.times += numRuns
  }
  return outcome
}

/** What is needed to send it again, unless it is very long. */
function described({ method }: Call, { who, url, headers, payload }: Try): string {
  const body = payload === undefined ? '' : JSON.stringify(String(payload)).slice(0, 300)
  return `${who}: ${method} ${url.slice(0, 200)} ${headers['content-type'] ?? ''} ${body}`
}
