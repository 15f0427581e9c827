import type { Call, InputOf } from '@sought/contract/call'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import type * as z from 'zod/mini'
import type { FieldIssue } from '../lib/client.ts'

/** What the fake server does with one call. */
export interface Answer {
  call: Call
  respond: (input: never) => Response | Promise<Response>
}

/** A reply as it is written in a test: plain JSON. */
type Reply<C extends Call> = C['reply'] extends z.ZodMiniType ? z.input<C['reply']> : undefined

/** Answers a call with a reply, which must match the contract. */
export function answer<C extends Call>(call: C, reply: Reply<C> | ((input: InputOf<C>) => Reply<C>)): Answer {
  return {
    call,
    respond: (input: InputOf<C>) => {
      const body = typeof reply === 'function' ? (reply as (input: InputOf<C>) => Reply<C>)(input) : reply
      if (typeof call.reply !== 'string') call.reply.parse(body)
      return Response.json(body, { status: call.status ?? 200 })
    },
  }
}

/** Refuses a call with a code from the catalogue. */
export function refuse(call: Call, code: RefusalCode, issues?: FieldIssue[]): Answer {
  const { status, message } = refusals[code]
  return { call, respond: () => Response.json({ code, message, issues }, { status }) }
}

/** Never answers a call, so that its loading state stays on screen. */
export function neverAnswer(call: Call): Answer {
  return { call, respond: () => new Promise(() => {}) }
}

/** Fails a call as a dropped connection does. */
export function dropConnection(call: Call): Answer {
  return { call, respond: () => Promise.reject(new TypeError('Failed to fetch')) }
}

export interface FakeServer {
  fetch: typeof fetch
  /** Adds an answer. The latest answer to a call counts. */
  add: (...answers: Answer[]) => void
  /** The inputs of all requests to a call so far. */
  requestsTo: <C extends Call>(call: C) => InputOf<C>[]
  /** Requests that no answer was given for. */
  unanswered: string[]
}

export function createFakeServer(...initial: Answer[]): FakeServer {
  const answers = [...initial]
  const requests: { call: Call; input: unknown }[] = []
  const unanswered: string[] = []
  return {
    unanswered,
    add: (...more) => void answers.push(...more),
    requestsTo: <C extends Call>(call: C) =>
      requests.filter((it) => it.call === call).map((it) => it.input as InputOf<C>),
    fetch: async (address, { method = 'GET', body } = {}) => {
      const url = new URL(String(address), window.location.href)
      for (const { call, respond } of answers.toReversed()) {
        const params = call.method === method && matchPath(call.path, url.pathname)
        if (!params) continue
        const input = {
          ...(call.params && { params }),
          ...(call.query && { query: Object.fromEntries(url.searchParams) }),
          ...(call.body && { body: JSON.parse(String(body)) }),
        }
        requests.push({ call, input })
        return respond(input as never)
      }
      unanswered.push(`${method} ${url.pathname}`)
      return new Response('', { status: 501 })
    },
  }
}

/** The params of a path such as '/api/offers/7' for '/api/offers/:id', or null if it does not match. */
function matchPath(pattern: string, path: string): Record<string, string> | null {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const values = new RegExp(`^${pattern.replace(/:\w+/g, '([^/]+)')}$`).exec(path)?.slice(1)
  if (!values) return null
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
}
