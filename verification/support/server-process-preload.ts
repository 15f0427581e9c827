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
 * Loaded before the server (`node --import`), so that the server needs no hooks. It kills this process with -9 at a
 * crash point and shifts the clock, as commanded by the parent process. Thousands of servers are started, so it
 * also caches compiled code and resolved imports.
 */

/**
 * A commit whose transaction matches the pattern with its statements and values, or a call to the provider's API.
 */
export interface CrashPoint {
  at: 'commit' | 'call'
  /** The source of a regular expression. */
  pattern: string
  when: 'before' | 'after'
}

export type Command = { crashAt: CrashPoint | null } | { clockOffsetMs: number } | { measureHeap: true }

let crashPoint: (Omit<CrashPoint, 'pattern'> & { pattern: RegExp }) | null = null
let clockOffsetMs = Number(new URL(import.meta.url).searchParams.get('clockOffsetMs'))

function receiveCommands(): void {
  process.on('message', (command: Command) => {
    if ('clockOffsetMs' in command) clockOffsetMs = command.clockOffsetMs
    else if ('measureHeap' in command) process.send?.(heapBytes())
    else crashPoint = command.crashAt && { ...command.crashAt, pattern: new RegExp(command.crashAt.pattern) }
  })
  // This listener must not keep the process running.
  process.channel?.unref()
}

function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

/** Whether to crash before or after this event. A crash point is reached once. */
function reachesCrashPoint(at: CrashPoint['at'], what: string): CrashPoint['when'] | null {
  if (crashPoint?.at !== at || !crashPoint.pattern.test(what)) return null
  const { when } = crashPoint
  crashPoint = null
  return when
}

function crash(): never {
  process.kill(process.pid, 'SIGKILL')
  throw new Error('unreachable after SIGKILL')
}

/** By then, everything is loaded. A process that is killed later can no longer write the cache. */
const LOADED_AFTER_MS = 3_000

/** Keeps Node's compile cache and the resolved path of each import. */
function cacheImports(): void {
  const folder = getCompileCacheDir()
  if (!folder) return
  const file = join(folder, 'imports.json')
  const known = readCache(file)
  registerHooks({
    resolve(specifier, context, next) {
      const required = context.conditions.includes('require')
      const key = `${specifier} ${required ? 'required by' : 'imported by'} ${context.parentURL}`
      const cached = known[key]
      if (cached) return { ...cached, shortCircuit: true }
      const { url, format } = next(specifier, context)
      known[key] = { url, format }
      return { url, format, shortCircuit: true }
    },
  })
  const save = () => {
    flushCompileCache()
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(known))
    renameSync(`${file}.${process.pid}`, file)
  }
  setTimeout(save, LOADED_AFTER_MS).unref()
}

function readCache(file: string): Record<string, Pick<ResolveFnOutput, 'url' | 'format'>> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function shiftDates(): void {
  const RealDate = Date
  const now = () => RealDate.now() + clockOffsetMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given, newTarget) =>
      Reflect.construct(target, given.length > 0 ? given : [now()], newTarget),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  })
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown

function watchCommits(prototype: pg.Client): void {
  /** The statements of each connection since its transaction began. */
  const statements = new WeakMap<pg.Client, string[]>()
  const query = prototype.query as Query
  const watched: Query = function (...given) {
    const statement = statementOf(given)
    if (/^begin\b/i.test(statement)) statements.set(this, [])
    if (!/^commit\b/i.test(statement)) {
      statements.get(this)?.push(statement)
      return query.apply(this, given)
    }
    const when = reachesCrashPoint('commit', (statements.get(this) ?? []).join('; '))
    if (when === 'before') crash()
    const answer = query.apply(this, given)
    return when === 'after' ? Promise.resolve(answer).then(crash) : answer
  }
  prototype.query = watched as typeof prototype.query
}

/** The statement and its values on one line. */
function statementOf([first, second]: unknown[]): string {
  const config = typeof first === 'object' && first !== null ? (first as Partial<pg.QueryConfig>) : null
  const values = Array.isArray(second) ? second : (config?.values ?? [])
  return `${config ? config.text : first} ${values.join(' ')}`.replaceAll('\n', ' ').trim()
}

function watchCalls(): void {
  const request = http.request as (...given: unknown[]) => ClientRequest
  const watched = (...given: unknown[]): ClientRequest => {
    const [options] = given as [http.RequestOptions]
    const when = reachesCrashPoint('call', `${options.method} ${options.path?.split('?')[0]}`)
    if (when === 'before') crash()
    const made = request(...given)
    // When the response arrives, the provider has carried out the call.
    if (when === 'after') made.once('response', crash)
    return made
  }
  http.request = watched as typeof http.request
  syncBuiltinESMExports()
}

// The logger's worker thread loads this module too.
if (isMainThread) {
  cacheImports()
  receiveCommands()
  shiftDates()
  watchCalls()
  watchCommits((await import('pg')).default.Client.prototype)
}
