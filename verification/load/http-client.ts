import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'

/*
 * A cheap HTTP client with keep-alive connections, because the simulated users share the machine with the server.
 */

export interface Reply {
  status: number
  retryAfter: string | undefined
  /** The new session, as a Cookie header. */
  cookie: string
  body: string
  tookMs: number
}

export interface RequestOptions {
  cookie?: string
  authorization?: string
  json?: object
  form?: Record<string, string>
  bytes?: { type: string; body: Buffer }
}

export type Send = (call: string, options?: RequestOptions) => Promise<Reply>

/** Every concurrent request gets its own connection. */
export function createClient(address: string): Send {
  const { request, agent } = protocolOf(address)
  return (call, options = {}) => {
    const [method = '', path = ''] = call.split(' ')
    const startMs = performance.now()
    return new Promise<Reply>((resolve, reject) => {
      const sent = request(new URL(path, address), { method, agent, headers: headersOf(options) }, (reply) =>
        readReply(reply, startMs).then(resolve, reject),
      )
      sent.on('error', reject)
      sent.end(bodyOf(options))
    })
  }
}

/** Accepts the certificates of tests without checking them. */
export function protocolOf(address: string): { request: typeof http.request; agent: http.Agent } {
  const options = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'fifo' } as const
  return address.startsWith('https:')
    ? { request: https.request, agent: new https.Agent({ ...options, rejectUnauthorized: false }) }
    : { request: http.request, agent: new http.Agent(options) }
}

async function readReply(reply: IncomingMessage, startMs: number): Promise<Reply> {
  const body = await text(reply)
  return {
    status: reply.statusCode ?? 0,
    retryAfter: reply.headers['retry-after'],
    cookie: reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
    body,
    tookMs: performance.now() - startMs,
  }
}

function headersOf({ cookie, authorization, json, form, bytes }: RequestOptions): Record<string, string> {
  const type = bytes?.type ?? (json ? 'application/json' : 'application/x-www-form-urlencoded')
  return {
    ...(cookie && { cookie }),
    ...(authorization && { authorization }),
    ...((json || form || bytes) && { 'content-type': type }),
  }
}

function bodyOf({ json, form, bytes }: RequestOptions): string | Buffer | undefined {
  if (bytes) return bytes.body
  if (json) return JSON.stringify(json)
  return form && new URLSearchParams(form).toString()
}

/** Opens a user's event stream and ignores its content. Returns a function that closes it. */
export function openEventStream(address: string, cookie: string): () => void {
  const sent = http.request(new URL('/api/events', address), { headers: { cookie } }, (reply) =>
    reply.resume(),
  )
  // The stream ends with an error when it or the server is closed.
  sent.on('error', () => {})
  sent.end()
  return () => sent.destroy()
}
