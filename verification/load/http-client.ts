import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'

/*
 * A crowd of people for one server. They speak plain HTTP on connections that stay open, as cheaply as can be: the
 * crowd shares the machine with what it tries.
 */

export interface Heard {
  status: number
  retryAfter: string | undefined
  /** The session that it began, as a Cookie header. */
  cookie: string
  body: string
  tookMs: number
}

export interface Asking {
  cookie?: string
  authorization?: string
  json?: object
  form?: Record<string, string>
}

export type Ask = (call: string, asking?: Asking) => Promise<Heard>

/** Somebody who asks the server at this address; nobody is refused a connection of their own. */
export function speakTo(address: string): Ask {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'fifo' })
  return (call, asking = {}) => {
    const [method = '', path = ''] = call.split(' ')
    const began = performance.now()
    return new Promise<Heard>((resolve, reject) => {
      const sent = request(new URL(path, address), { method, agent, headers: headersOf(asking) }, (reply) =>
        heard(reply, began).then(resolve, reject),
      )
      sent.once('error', reject)
      sent.end(bodyOf(asking))
    })
  }
}

async function heard(reply: IncomingMessage, began: number): Promise<Heard> {
  const body = await text(reply)
  return {
    status: reply.statusCode ?? 0,
    retryAfter: reply.headers['retry-after'],
    cookie: reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
    body,
    tookMs: performance.now() - began,
  }
}

function headersOf({ cookie, authorization, json, form }: Asking): Record<string, string> {
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded'
  return {
    ...(cookie && { cookie }),
    ...(authorization && { authorization }),
    ...((json || form) && { 'content-type': type }),
  }
}

function bodyOf({ json, form }: Asking): string | undefined {
  if (json) return JSON.stringify(json)
  return form && new URLSearchParams(form).toString()
}

/** Opens a person's stream of news and throws away what it says; answers how to end it. */
export function followNews(address: string, cookie: string): () => void {
  const sent = request(new URL('/api/events', address), { headers: { cookie } }, (reply) => reply.resume())
  // It is ended by us, or with the server.
  sent.on('error', () => {})
  sent.end()
  return () => sent.destroy()
}
