import { vi } from 'vitest'

/** The limit is for a busy machine: on an idle one nothing here takes a second. */
const LIMIT_MS = 60_000

/** Repeats the check until it passes. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: LIMIT_MS, interval: 30 })
}
