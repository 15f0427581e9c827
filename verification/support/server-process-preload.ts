import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import http, { type ClientRequest } from 'node:http'
import {
  flushCompileCache,
  getCompileCacheDir,
  type ResolveFnOutput,
  registerHooks,
  syncBuiltinESMExports,
} from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import type pg from 'pg'

/*
 * Loaded before the server (`node --import`), so that the server itself needs no hook: it ends this process with -9
 * at a chosen moment, and turns the clock. What it is to do comes over the channel to the parent. Since thousands of
 * servers are begun, it also spares them most of the work of loading.
 */

/** A commit whose transaction's statements and values fit the pattern, or a call of the provider's API. */
export interface CrashPlace {
  at: 'commit' | 'call'
  /** The source of a regular expression. */
  fits: string
  when: 'before' | 'after'
}

/** `weigh` is answered with the bytes that are in use once the rest was thrown away. */
export type Order = { aim: CrashPlace | null } | { turnedMs: number } | { weigh: true }

let aim: (Omit<CrashPlace, 'fits'> & { fits: RegExp }) | null = null
let turnedMs = Number(process.argv.at(-1))

function takeOrders(): void {
  process.on('message', (order: Order) => {
    if ('turnedMs' in order) turnedMs = order.turnedMs
    else if ('weigh' in order) process.send?.(bytesInUse())
    else aim = order.aim && { ...order.aim, fits: new RegExp(order.aim.fits) }
  })
  // Listening alone must not keep the process.
  process.channel?.unref()
}

function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** Whether this is the moment; it comes once. */
function isMoment(at: CrashPlace['at'], what: string): CrashPlace['when'] | null {
  if (aim?.at !== at || !aim.fits.test(what)) return null
  const { when } = aim
  aim = null
  return when
}

function dieHere(): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('nobody survives this')
}

/** By then everything is loaded. Who is killed leaves nothing behind, so it is not left for the end. */
const LOADED_AFTER_MS = 3_000

/** Where compiled code is kept, it is kept before the end, together with where each import leads. */
function startQuickly(): void {
  const folder = getCompileCacheDir()
  if (!folder) return
  const file = join(folder, 'imports.json')
  const known = readKnown(file)
  registerHooks({
    resolve(specifier, context, next) {
      const required = context.conditions.includes('require')
      const key = `${specifier} ${required ? 'required by' : 'imported by'} ${context.parentURL}`
      const before = known[key]
      if (before) return { ...before, shortCircuit: true }
      const { url, format } = next(specifier, context)
      known[key] = { url, format }
      return { url, format, shortCircuit: true }
    },
  })
  const keep = () => {
    flushCompileCache()
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(known))
    renameSync(`${file}.${process.pid}`, file)
  }
  setTimeout(keep, LOADED_AFTER_MS).unref()
}

function readKnown(file: string): Record<string, Pick<ResolveFnOutput, 'url' | 'format'>> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function turnDates(): void {
  const RealDate = Date
  const now = () => RealDate.now() + turnedMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length > 0 ? given : [now()], newTarget),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown

function watchCommits(prototype: pg.Client): void {
  /** What each connection has been asked since its transaction began. */
  const asked = new WeakMap<pg.Client, string[]>()
  const query = prototype.query as Query
  const watched: Query = function (...given) {
    const words = notificationText(given)
    if (/^begin\b/i.test(words)) asked.set(this, [])
    if (!/^commit\b/i.test(words)) {
      asked.get(this)?.push(words)
      return query.apply(this, given)
    }
    const when = isMoment('commit', (asked.get(this) ?? []).join('; '))
    if (when === 'before') dieHere()
    const answer = query.apply(this, given)
    return when === 'after' ? Promise.resolve(answer).then(dieHere) : answer
  }
  prototype.query = watched as typeof prototype.query
}

/** The statement and its values on one line. */
function notificationText([first, second]: unknown[]): string {
  const config = typeof first === 'object' && first !== null ? (first as Partial<pg.QueryConfig>) : null
  const values = Array.isArray(second) ? second : (config?.values ?? [])
  return `${config ? config.text : first} ${values.join(' ')}`.replaceAll('\n', ' ').trim()
}

function watchCalls(): void {
  const request = http.request as (...given: unknown[]) => ClientRequest
  const watched = (...given: unknown[]): ClientRequest => {
    const [options] = given as [http.RequestOptions]
    const when = isMoment('call', `${options.method} ${options.path?.split('?')[0]}`)
    if (when === 'before') dieHere()
    const made = request(...given)
    // By the time of an answer the provider has done what it was asked.
    if (when === 'after') made.once('response', dieHere)
    return made
  }
  http.request = watched as typeof http.request
  syncBuiltinESMExports()
}

// The thread that writes the log is loaded with it too, and has nothing to die of.
if (isMainThread) {
  startQuickly()
  takeOrders()
  turnDates()
  watchCalls()
  watchCommits((await import('pg')).default.Client.prototype)
}
