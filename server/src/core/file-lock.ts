import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

type LockOptions = { say?: (line: string) => void; timeoutSeconds?: number }

/**
 * Runs `work` while no other process holds the lock on `path`.
 *
 * Node has no flock, but its built-in SQLite locks files through the operating system, which releases the lock
 * whenever the process dies. So there are no stale locks to detect and no reused process ids. The file stays empty
 * and is not deleted.
 */
export async function withFileLock<Result>(
  path: string,
  work: () => Promise<Result>,
  { say, timeoutSeconds = 120 }: LockOptions = {},
): Promise<Result> {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    await acquire(file, path, timeoutSeconds, say)
    return await work()
  } finally {
    file.close()
  }
}

async function acquire(
  file: DatabaseSync,
  path: string,
  timeoutSeconds: number,
  say?: (line: string) => void,
) {
  const deadline = performance.now() + timeoutSeconds * 1000
  const reportAt = performance.now() + 1000
  let reported = false
  while (!tryAcquire(file)) {
    if (performance.now() > deadline) {
      throw new Error(`Another process has locked ${path} for more than ${timeoutSeconds} seconds.`)
    }
    if (!reported && performance.now() > reportAt) {
      reported = true
      say?.('Waiting for another process that is starting or stopping ...')
    }
    await pause(50)
  }
}

const SQLITE_BUSY = 5

function tryAcquire(file: DatabaseSync): boolean {
  try {
    file.exec('begin exclusive')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false
    throw error
  }
}
