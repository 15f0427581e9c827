import type { Call, InputOf } from '@sought/contract/call'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import type * as z from 'zod/mini'
import type { FieldIssue } from '../data/client.ts'

/** The fake server's reply to one call. */
export interface Answer {
  call: Call
  respond: (input: never) => Response | Promise<Response>
}

/** A reply as written in a test: plain JSON. */
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

/** Answers a call only once `release` is called. */
export function answerLater(later: Answer): Answer & { release: () => void } {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  return { call: later.call, release, respond: (input) => promise.then(() => later.respond(input)) }
}

/** Fails a call like a dropped connection. */
export function dropConnection(call: Call): Answer {
  return { call, respond: () => Promise.reject(new TypeError('Failed to fetch')) }
}

/** The input of a call and, for an upload, its file and text fields. */
type RequestOf<C extends Call> = InputOf<C> &
  (C extends { upload: object }
    ? { file: C['upload'] extends { optional: true } ? File | null : File; fields: Record<string, string> }
    : unknown)

export interface FakeServer {
  fetch: typeof fetch
  /** Uploads use it. */
  XMLHttpRequest: typeof XMLHttpRequest
  /** Adds an answer. The latest answer to a call is used. */
  add: (...answers: Answer[]) => void
  /** The inputs of all requests to a call so far. */
  requestsTo: <C extends Call>(call: C) => RequestOf<C>[]
  /** Requests without an answer. */
  unanswered: string[]
}

export function createFakeServer(...initial: Answer[]): FakeServer {
  const answers = [...initial]
  const requests: { call: Call; input: unknown }[] = []
  const unanswered: string[] = []
  const respond = async (method: string, address: string, body: unknown): Promise<Response> => {
    const url = new URL(address, window.location.href)
    for (const { call, respond } of answers.toReversed()) {
      const params = call.method === method && matchPath(call.path, url.pathname)
      if (!params) continue
      const input = {
        ...(call.params && { params }),
        ...(call.query && { query: Object.fromEntries(url.searchParams) }),
        ...(call.body && { body: JSON.parse(String(body)) }),
        ...(call.upload && readUpload(call.upload.field, body)),
      }
      requests.push({ call, input })
      return respond(input as never)
    }
    unanswered.push(`${method} ${url.pathname}`)
    return new Response('', { status: 501 })
  }
  return {
    unanswered,
    add: (...more) => void answers.push(...more),
    requestsTo: <C extends Call>(call: C) =>
      requests.filter((it) => it.call === call).map((it) => it.input as RequestOf<C>),
    fetch: (address, { method = 'GET', body } = {}) => respond(method, String(address), body),
    XMLHttpRequest: createUploadRequest(respond),
  }
}

function readUpload(fileField: string, body: unknown) {
  if (!(body instanceof FormData)) return { file: null, fields: JSON.parse(String(body)) }
  const entries = [...body.entries()].filter(([name]) => name !== fileField)
  return { file: body.get(fileField), fields: Object.fromEntries(entries) }
}

/** The part of XMLHttpRequest that data/upload.ts uses. */
function createUploadRequest(
  respond: (method: string, address: string, body: FormData | string) => Promise<Response>,
): typeof XMLHttpRequest {
  class UploadRequest {
    status = 0
    statusText = ''
    responseText = ''
    upload = {}
    onload = () => {}
    onerror = () => {}
    onabort = () => {}
    #target: [method: string, address: string] = ['', '']
    #isAborted = false

    open(method: string, address: string): void {
      this.#target = [method, address]
    }

    setRequestHeader(): void {}

    async send(body: FormData | string): Promise<void> {
      const response = await respond(...this.#target, body).catch(() => null)
      if (this.#isAborted) return
      if (!response) return this.onerror()
      this.status = response.status
      this.responseText = await response.text()
      this.onload()
    }

    abort(): void {
      this.#isAborted = true
      this.onabort()
    }
  }
  return UploadRequest as unknown as typeof XMLHttpRequest
}

/** The params of a path such as '/api/offers/7' for '/api/offers/:id', or null if it does not match. */
function matchPath(pattern: string, path: string): Record<string, string> | null {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const values = new RegExp(`^${pattern.replace(/:\w+/g, '([^/]+)')}$`).exec(path)?.slice(1)
  if (!values) return null
  return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]))
}
