import { connect, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

const KEY_DATA = 'K'.charCodeAt(0)
const KEY_DATA_LENGTH = 12
const MADE_UP_PROCESS_ID = 4711

/** A proxy that looks like a pooler: it replaces the process id that PostgreSQL sends to the client. */
export async function openFakePooler(databaseUrl: string): Promise<string> {
  const target = new URL(databaseUrl)
  const server = createServer((incoming) => {
    const outgoing = connect(Number(target.port), target.hostname)
    for (const socket of [incoming, outgoing]) {
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        incoming.destroy()
        outgoing.destroy()
      })
    }
    incoming.pipe(outgoing)
    outgoing.on('data', (data) => incoming.write(changeProcessId(data)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${address.port}`
  // The Unix socket would bypass the proxy.
  url.searchParams.delete('host')
  return url.href
}

function changeProcessId(data: Buffer): Buffer {
  for (let at = 0; at + KEY_DATA_LENGTH < data.length; at += 1 + data.readInt32BE(at + 1)) {
    if (data[at] !== KEY_DATA || data.readInt32BE(at + 1) !== KEY_DATA_LENGTH) continue
    const changed = Buffer.from(data)
    changed.writeInt32BE(MADE_UP_PROCESS_ID, at + 5)
    return changed
  }
  return data
}
