import { once } from 'node:events'
import { createServer } from 'node:net'

/** A loopback port that was free a moment ago; whoever binds it must be ready to try another. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.')
  return address.port
}
