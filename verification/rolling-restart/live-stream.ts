import { setTimeout as wait } from 'node:timers/promises'
import { protocolOf } from '../load/http-client.ts'

const DEFAULT_RETRY_MS = 1_000

/** An event stream that reconnects like a browser. */
export interface LiveStream {
  /** The number of connections. */
  connections: number
  /** The longest time without a connection. */
  longestGapMs: number
  /** Replies other than 200, and connections that broke instead of ending. */
  failures: string[]
  /** The number of received changes with this subject. */
  received(about: string): number
  close(): void
}

export function openLiveStream(address: string, cookie: string): LiveStream {
  const { request, agent } = protocolOf(address)
  const closing = new AbortController()
  const counts = new Map<string, number>()
  let retryMs = DEFAULT_RETRY_MS
  let lostAt = performance.now()

  const read = (text: string) => {
    for (const [, field, value = ''] of text.matchAll(/^(retry|data): (.*)$/gm)) {
      if (field === 'retry') retryMs = Number(value)
      else {
        const { about } = JSON.parse(value)
        counts.set(about, (counts.get(about) ?? 0) + 1)
      }
    }
  }
  const connectOnce = () =>
    new Promise<void>((resolve) => {
      const fail = (reason: string) => {
        if (!closing.signal.aborted) stream.failures.push(reason)
        resolve()
      }
      const sent = request(
        new URL('/api/events', address),
        { agent, headers: { cookie }, signal: closing.signal },
        (reply) => {
          if (reply.statusCode !== 200) fail(`a stream was answered with ${reply.statusCode}`)
          stream.connections++
          stream.longestGapMs = Math.max(stream.longestGapMs, performance.now() - lostAt)
          let text = ''
          reply.setEncoding('utf8')
          reply.on('data', (chunk: string) => {
            text += chunk
            const end = text.lastIndexOf('\n') + 1
            read(text.slice(0, end))
            text = text.slice(end)
          })
          reply.once('end', () => resolve())
          reply.once('error', (error) => fail(`a stream broke: ${error.message}`))
        },
      )
      sent.once('error', (error) => fail(`a stream could not connect: ${error.message}`))
      sent.end()
    })

  const stream: LiveStream = {
    connections: 0,
    longestGapMs: 0,
    failures: [],
    received: (about) => counts.get(about) ?? 0,
    close: () => closing.abort(),
  }
  const stay = async () => {
    while (!closing.signal.aborted) {
      await connectOnce()
      lostAt = performance.now()
      if (!closing.signal.aborted) await wait(retryMs)
    }
  }
  void stay()
  return stream
}
