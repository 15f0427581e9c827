import type { Call } from '@sought/contract/call'
import fc from 'fast-check'
import type { FuzzWorld } from './fuzz-world.ts'
import { type FuzzRequest, requestsFor } from './request-generators.ts'
import { sendRequest } from './send-request.ts'

export interface CallOutcome {
  times: number
  /** The number of successful requests. */
  accepted: number
  violations: string[]
}

/** Requests are generated in chunks: some of them are large. */
const CHUNK = 100
/** The same violation usually occurs often, so only the first ones are reported. */
const MAX_PER_KIND = 2

/** Sends random requests to one call. The same seed generates the same requests on the same data. */
export async function fuzzCall(
  world: FuzzWorld,
  name: string,
  call: Call,
  { seed, times }: { seed: number; times: number },
): Promise<CallOutcome> {
  const arbitrary = requestsFor(world, call)
  const seen = new Map<string, number>()
  const outcome: CallOutcome = { times: 0, accepted: 0, violations: [] }
  while (outcome.times < times) {
    const numRuns = Math.min(CHUNK, times - outcome.times)
    const made = fc.sample(arbitrary, { seed: seed + outcome.times, numRuns })
    for (const one of made) {
      const { answer, violations } = await sendRequest(world, call, one)
      if (answer.status < 400) outcome.accepted += 1
      for (const what of violations) {
        const kind = what.replace(/\d+/g, '#').slice(0, 60)
        const before = seen.get(kind) ?? 0
        seen.set(kind, before + 1)
        if (before < MAX_PER_KIND) outcome.violations.push(`${name}: ${what}\n    ${describe(call, one)}`)
      }
    }
    outcome.times += numRuns
  }
  return outcome
}

/** Enough to repeat the request, unless it is very long. */
function describe({ method }: Call, { caller, url, headers, payload }: FuzzRequest): string {
  const body = payload === undefined ? '' : JSON.stringify(String(payload)).slice(0, 300)
  return `${caller}: ${method} ${url.slice(0, 200)} ${headers['content-type'] ?? ''} ${body}`
}
