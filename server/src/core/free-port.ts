import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the range for outgoing connections, which would soon take the port again, and above the ports that fetch
 * and browsers block, the last of which is 10,080.
 */
export const PORTS = [10_081, 30_000] as const

/** A loopback port that is free now. Another process may take it first, so callers must be able to retry. */
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
