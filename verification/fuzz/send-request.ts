import { setTimeout as wait } from 'node:timers/promises'
import type { Call } from '@sought/contract/call'
import type { InjectOptions } from 'fastify'
import { type Answer, wrongNumbers, wrongs } from './check-response.ts'
import type { Stage } from './fuzz-world.ts'
import type { Try } from './request-generators.ts'
import type { Written } from './write-log.ts'

export interface Played {
  answer: Answer
  written: Written[]
  wrong: string[]
}

/** Longer than anybody should wait; an answer that has not come by then never will. */
const GIVEN_UP_MS = 8_000

/** Sends one request, says what was wrong with what came of it, and leaves everything as it was. */
export async function play(stage: Stage, call: Call, made: Try): Promise<Played> {
  const files = call.upload ? await stage.filesOnDisk() : 0
  const answer = await whenThereIsRoom(() =>
    call.reply === 'events' ? listen(stage, call, made) : send(stage, call, made),
  )
  const written = await stage.writes.take()
  if (written.length > 0) await stage.writes.undo(written.map(({ table }) => table))
  const left = call.upload && answer.status >= 400 ? (await stage.filesOnDisk()) - files : 0
  const wrong = [
    ...wrongs(call, answer, written, made.astray),
    ...wrongNumbers(made.payload, answer),
    ...(left > 0 ? [`refused, and left ${left} files on the disk`] : []),
  ]
  return { answer, written, wrong }
}

const MOST_WAITS = 20

/** A machine with too much to do may turn people away for a moment, and does nothing then (ADR 37). */
async function whenThereIsRoom(ask: () => Promise<Answer>): Promise<Answer> {
  for (let waits = 0; ; waits++) {
    const answer = await ask()
    const isFull = answer.status === 503 && answer.body.includes('"unavailable"')
    if (!isFull || waits === MOST_WAITS) return answer
    await wait(200)
  }
}

async function send({ app, people }: Stage, { method }: Call, made: Try): Promise<Answer> {
  const began = performance.now()
  const reply = await inTime(
    app.inject({
      method: method as InjectOptions['method'] & string,
      url: made.url,
      headers: headersOf(people, made),
      ...(made.payload !== undefined && { payload: made.payload }),
    }),
  )
  const tookMs = performance.now() - began
  if (!reply) return { status: 599, headers: {}, body: 'no answer', tookMs }
  return { status: reply.statusCode, headers: reply.headers, body: reply.body, tookMs }
}

function headersOf(people: Stage['people'], { who, headers }: Try): Record<string, string> {
  const cookie = people[who]
  return { ...headers, ...(cookie && { cookie }) }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, GIVEN_UP_MS, null)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** A stream has no end: its beginning is looked at, and it is left. */
async function listen({ address, people }: Stage, { method }: Call, made: Try): Promise<Answer> {
  const began = performance.now()
  const leaving = new AbortController()
  const url = address + made.url
  // What no client of ours would even send is tried over a bare socket.
  if (!URL.canParse(url)) return { status: 404, headers: {}, body: '', tookMs: 0 }
  const headers = headersOf(people, { ...made, headers: {} })
  const reply = await fetch(url, { method, headers, signal: leaving.signal })
  const body = reply.status === 200 ? '' : await reply.text()
  leaving.abort()
  const tookMs = performance.now() - began
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body, tookMs }
}
