import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/* Answers INSTREAM as clamd does. It finds EICAR's test file anywhere in the bytes. */

/** In two parts, so that scanners of developers' machines do not delete this file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** What it answers: by the bytes, with an error, or not at all. */
type Mode = 'scans' | 'fails' | 'is silent' | 'hangs up'

export async function openFakeClamd() {
  const sockets = new Set<Socket>()
  const clamd = { mode: 'scans' as Mode, scanned: 0, host: '' }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
    if (clamd.mode === 'hangs up') return void socket.destroy()
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const bytes = readStream(received)
      if (!bytes || clamd.mode === 'is silent') return
      clamd.scanned++
      const found = bytes.includes(EICAR) ? 'Eicar-Test-Signature FOUND' : 'OK'
      socket.end(clamd.mode === 'fails' ? 'INSTREAM size limit exceeded. ERROR\0' : `stream: ${found}\0`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('the fake clamd has no address')
  return Object.assign(clamd, { host: `127.0.0.1:${address.port}` })
}

const COMMAND = 'zINSTREAM\0'

/** The bytes of a stream, or null while it is incomplete. */
function readStream(received: Buffer): Buffer | null {
  if (received.length < COMMAND.length) return null
  if (received.toString('latin1', 0, COMMAND.length) !== COMMAND) throw new Error('not INSTREAM')
  const chunks: Buffer[] = []
  for (let at = COMMAND.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}
