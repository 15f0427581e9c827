import { setTimeout as wait } from 'node:timers/promises'
import type { Call } from '@sought/contract/call'
import type { InjectOptions } from 'fastify'
import { type Answer, checkNumbers, findViolations } from './check-response.ts'
import type { FuzzWorld } from './fuzz-world.ts'
import type { FuzzRequest } from './request-generators.ts'
import type { Written } from './write-log.ts'

export interface Exchange {
  answer: Answer
  written: Written[]
  violations: string[]
}

/** A response that takes longer is considered missing. */
const TIMEOUT_MS = 8_000

/** Sends a request, checks the response and what was written, and restores the data. */
export async function sendRequest(world: FuzzWorld, call: Call, request: FuzzRequest): Promise<Exchange> {
  const files = call.upload ? await world.filesOnDisk() : 0
  const answer = await retryWhileOverloaded(() =>
    call.reply === 'events' ? listen(world, call, request) : send(world, call, request),
  )
  // Views are written together some seconds later, which would look like a write by another request.
  await world.services.views.write()
  const written = await world.writes.take()
  if (written.length > 0) await world.writes.undo(written.map(({ table }) => table))
  // Otherwise the mode set by a request would apply to the next ones.
  world.services.market.forget()
  const leftFiles = call.upload && answer.status >= 400 ? (await world.filesOnDisk()) - files : 0
  const violations = [
    ...findViolations(call, answer, written, request.unknownUrl),
    ...checkNumbers(request.payload, answer),
    ...(leftFiles > 0 ? [`refused, but left ${leftFiles} files on disk`] : []),
  ]
  return { answer, written, violations }
}

const MAX_RETRIES = 20

/** An overloaded server refuses a request without doing anything (ADR 37). */
async function retryWhileOverloaded(ask: () => Promise<Answer>): Promise<Answer> {
  for (let retries = 0; ; retries++) {
    const answer = await ask()
    const isOverloaded = answer.status === 503 && answer.body.includes('"unavailable"')
    if (!isOverloaded || retries === MAX_RETRIES) return answer
    await wait(200)
  }
}

async function send({ app, people }: FuzzWorld, { method }: Call, request: FuzzRequest): Promise<Answer> {
  const startMs = performance.now()
  const reply = await withTimeout(
    app.inject({
      method: method as InjectOptions['method'] & string,
      url: request.url,
      headers: headersOf(people, request),
      ...(request.payload !== undefined && { payload: request.payload }),
    }),
  )
  const tookMs = performance.now() - startMs
  if (!reply) return { status: 599, headers: {}, body: 'no answer', tookMs }
  return { status: reply.statusCode, headers: reply.headers, body: reply.body, tookMs }
}

function headersOf(people: FuzzWorld['people'], { caller, headers }: FuzzRequest): Record<string, string> {
  const cookie = people[caller]
  return { ...headers, ...(cookie && { cookie }) }
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, TIMEOUT_MS, null)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** An event stream never ends, so only its start is checked. */
async function listen(
  { address, people }: FuzzWorld,
  { method }: Call,
  request: FuzzRequest,
): Promise<Answer> {
  const startMs = performance.now()
  const controller = new AbortController()
  const url = address + request.url
  // URLs that fetch cannot send are covered by the socket tests.
  if (!URL.canParse(url)) return { status: 404, headers: {}, body: '', tookMs: 0 }
  const headers = headersOf(people, { ...request, headers: {} })
  const reply = await fetch(url, { method, headers, signal: controller.signal })
  const body = reply.status === 200 ? '' : await reply.text()
  controller.abort()
  const tookMs = performance.now() - startMs
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body, tookMs }
}
