import { describeError } from '../../core/describe-error.ts'

const HOUR_MS = 3_600_000
const RETRY_MS = 600_000
/** Timers overflow beyond 24 days. The target is asked again then. */
const WAIT_MAX_MS = 86_400_000

interface Repetition {
  everyHours: number
  /** When the last backup in the target began. */
  findLast(): Promise<Date | null>
  /** Makes a backup and returns what to print. */
  backUp(): Promise<string[]>
  now(): Date
  wait(ms: number): Promise<unknown>
  print(line: string): void
}

/** Makes a backup whenever the last one is that old, for as long as `wait` resolves. Tries again after an error. */
export async function repeatBackups({ wait, ...repetition }: Repetition): Promise<never> {
  for (;;) await wait(await backUpIfDue(repetition))
}

/** Returns for how long to wait. */
async function backUpIfDue({ everyHours, findLast, backUp, now, print }: Omit<Repetition, 'wait'>) {
  try {
    const last = await findLast()
    const dueMs = last ? last.getTime() + everyHours * HOUR_MS - now().getTime() : 0
    if (dueMs > 0) return Math.min(dueMs, WAIT_MAX_MS)
    for (const line of await backUp()) print(line)
    return 0
  } catch (error) {
    print(`The backup failed: ${describeError(error)?.message}`)
    return RETRY_MS
  }
}
