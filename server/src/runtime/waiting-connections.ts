import { closeSync, openSync, readSync } from 'node:fs'
import type { AddressInfo } from 'node:net'

/** The state of a socket that listens, as Linux prints it. */
const LISTENING = '0A'
const PAGE_BYTES = 4_096

/**
 * The number of connections to this address that the system has established and this process has not accepted yet.
 * Null on systems other than Linux, which do not list them.
 */
export function countWaitingConnections({
  port,
  family,
}: Pick<AddressInfo, 'port' | 'family'>): number | null {
  try {
    const listeners = readListeners(family === 'IPv6' ? '/proc/net/tcp6' : '/proc/net/tcp')
    return listeners
      .filter((listener) => listener.port === port)
      .reduce((sum, { waiting }) => sum + waiting, 0)
  } catch {
    return null
  }
}

/** Reads only the start of the file, where the listening sockets are: there may be thousands of others. */
function readListeners(file: string): { port: number; waiting: number }[] {
  const descriptor = openSync(file, 'r')
  try {
    const page = Buffer.alloc(PAGE_BYTES)
    let text = ''
    for (;;) {
      const size = readSync(descriptor, page)
      text += page.toString('latin1', 0, size)
      const sockets = text.split('\n').slice(1, -1).map(parseSocket)
      if (size === 0 || sockets.some(({ state }) => state !== LISTENING)) {
        return sockets.filter(({ state }) => state === LISTENING)
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

/** A line such as `1: 0100007F:B629 00000000:0000 0A 00000000:00000014 …`. All numbers are hexadecimal. */
function parseSocket(line: string): { port: number; state: string; waiting: number } {
  const [, local = '', , state = '', queues = ''] = line.trim().split(/\s+/)
  const lastNumber = (fields: string) => Number.parseInt(fields.split(':').at(-1) ?? '', 16)
  return { port: lastNumber(local), state, waiting: lastNumber(queues) }
}
