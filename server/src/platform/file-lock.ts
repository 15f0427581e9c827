import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

type Waiting = { say?: (line: string) => void; atMostSeconds?: number }

/**
 * Runs `work` while no other process holds the lock on `path`.
 *
 * Node has no flock, but the SQLite inside it locks its files through the operating system, which lets go
 * of a lock when the process that holds it dies, however it dies. So there is no stale lock to recognise,
 * and no process id that could have been given to somebody else. The file stays empty and stays behind.
 */
export async function withFileLock<Result>(
  path: string,
  work: () => Promise<Result>,
  { say, atMostSeconds = 120 }: Waiting = {},
): Promise<Result> {
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    await acquire(file, path, atMostSeconds, say)
    return await work()
  } finally {
    file.close()
  }
}

async function acquire(
  file: DatabaseSync,
  path: string,
  atMostSeconds: number,
  say?: (line: string) => void,
) {
  const giveUpAt = performance.now() + atMostSeconds * 1000
  const sayAt = performance.now() + 1000
  let said = false
  while (!tryAcquire(file)) {
    if (performance.now() > giveUpAt) {
      throw new Error(`Another process has held ${path} for more than ${atMostSeconds} seconds.`)
    }
    if (!said && performance.now() > sayAt) {
      said = true
      say?.('Waiting for another process that is starting or stopping here ...')
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
