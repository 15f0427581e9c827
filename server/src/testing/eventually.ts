import { vi } from 'vitest'

/** The limit is for busy machines. On an idle one, every check passes within a second. */
const LIMIT_MS = 60_000

/** Repeats the check until it passes. */
export function eventually<Result>(check: () => Result | Promise<Result>): Promise<Result> {
  return vi.waitFor(check, { timeout: LIMIT_MS, interval: 30 })
}
