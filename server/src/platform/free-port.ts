import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that a system gives to connections going out: one of these would be taken again in no time.
 * Above those that fetch and browsers refuse to ask, of which 10,080 is the last.
 */
export const PORTS = [10_081, 30_000] as const

/** A loopback port that was free a moment ago; whoever binds it must be ready to try another. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}
