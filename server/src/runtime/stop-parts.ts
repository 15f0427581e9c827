import { setTimeout as wait } from 'node:timers/promises'
import { describeError } from '../core/describe-error.ts'

/** A part of the process that was started and must be stopped. */
export interface Part {
  name: string
  /** Ends its work. All parts drain in parallel before the first one is stopped. */
  drain?(): Promise<unknown>
  stop(): Promise<unknown>
  /** The work that is lost if the process ends now. */
  unfinished?(): string[]
}

/**
 * Stops the parts in reverse order. If that takes longer than the limit, logs the unfinished work and returns
 * false.
 */
export async function stopParts(parts: readonly Part[], limitMs: number): Promise<boolean> {
  const running = new Set<Part>()
  const run = async (part: Part, work: Promise<unknown> | undefined) => {
    running.add(part)
    await work?.catch((error) => console.error(`${part.name} did not stop cleanly:`, describeError(error)))
    running.delete(part)
  }
  const stopAll = async () => {
    await Promise.all(parts.map((part) => run(part, part.drain?.())))
    for (const part of parts.toReversed()) await run(part, part.stop())
    return true
  }
  const isInTime = await Promise.race([stopAll(), wait(limitMs, false, { ref: false })])
  if (!isInTime) console.error(describeRunning([...running], limitMs))
  return isInTime
}

function describeRunning(running: Part[], limitMs: number): string {
  const names = running.map(({ name }) => name).join(', ')
  const unfinished = running.flatMap((part) => part.unfinished?.() ?? [])
  const lost = unfinished.length === 0 ? '' : ` Cut off: ${unfinished.join(', ')}.`
  return `Not stopped within ${limitMs / 1000} seconds: ${names}.${lost}`
}
