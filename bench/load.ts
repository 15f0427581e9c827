import { once } from 'node:events'
import { connect } from 'node:net'

const HEAD_END = '\r\n\r\n'

/**
 * Measures the request rate of a server. Each connection sends the next request as soon as it has the response, and
 * requests all paths in turn. To leave the CPU to the server, only the length of a response is parsed.
 */
export async function requestsPerSecond(port: number, paths: string[], connections: number, seconds: number) {
  const until = performance.now() + seconds * 1000
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`))
  // The connections start with different paths, so that they rarely request the same one at once.
  const counts = await Promise.all(
    Array.from({ length: connections }, (_, at) =>
      requestUntil(until, port, requests, Math.floor((at * paths.length) / connections)),
    ),
  )
  return counts.reduce((sum, count) => sum + count, 0) / seconds
}

async function requestUntil(until: number, port: number, requests: Buffer[], first: number): Promise<number> {
  let at = first
  const next = () => requests[at++ % requests.length] ?? Buffer.alloc(0)
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await once(socket, 'connect')
  let answered = 0
  let missing = 0
  const done = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      try {
        missing = (missing || parseLength(chunk)) - chunk.length
      } catch (error) {
        reject(error)
      }
      if (missing > 0) return
      missing = 0
      answered++
      if (performance.now() < until) socket.write(next())
      else resolve()
    })
  })
  socket.write(next())
  await done.finally(() => socket.destroy())
  return answered
}

/** The total length of the response that starts with this chunk. */
function parseLength(chunk: Buffer): number {
  const headEnd = chunk.indexOf(HEAD_END)
  const head = chunk.toString('latin1', 0, headEnd)
  const length = /^content-length: (\d+)$/im.exec(head)?.[1]
  if (headEnd < 0 || !head.startsWith('HTTP/1.1 200') || !length)
    throw new Error(`unexpected response: ${head}`)
  return headEnd + HEAD_END.length + Number(length)
}
