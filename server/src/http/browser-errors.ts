import type { BodyOf } from '@sought/contract/call'
import { BROWSER_ERROR_KINDS, type reportBrowserError } from '@sought/contract/platform'
import type { FastifyBaseLogger } from 'fastify'
import { Counter, type Registry } from 'prom-client'
import type { Clock } from '../core/clock.ts'
import { maskText } from '../core/describe-error.ts'
import { pagePatternOf } from './page-pattern.ts'

/*
 * Logs and counts what browsers report about errors of the web app. Anybody can send reports, and messages can quote
 * what a user entered, so only our own file names and the words of the message are kept.
 */

type Report = BodyOf<typeof reportBrowserError>

export interface BrowserErrors {
  record(report: Report): void
  addTo(metrics: Registry): void
}

const REPEATED_AFTER_MS = 3_600_000
/**
 * The maximum number of log lines an hour. More different errors are probably an attack, and nobody would read them.
 */
const LINES_MAX = 100

export function createBrowserErrors(clock: Clock, log: FastifyBaseLogger): BrowserErrors {
  const counter = new Counter({
    name: 'sought_browser_errors_total',
    help: 'Errors of the web app that browsers reported, by kind.',
    labelNames: ['kind'],
    registers: [],
  })
  // Starts at 0, so that alerts also see the first increase.
  for (const kind of BROWSER_ERROR_KINDS) counter.inc({ kind }, 0)
  const logged = new Set<string>()
  let since = clock().getTime()
  return {
    record({ kind, message, stack, path }) {
      counter.inc({ kind })
      const now = clock().getTime()
      if (now - since >= REPEATED_AFTER_MS) {
        logged.clear()
        since = now
      }
      const described = { kind, message: describeMessage(message), stack: framesOf(stack) }
      const key = JSON.stringify(described)
      if (logged.has(key) || logged.size >= LINES_MAX) return
      logged.add(key)
      log.warn({ ...described, page: pagePatternOf(path) }, 'browser error')
    },
    addTo: (metrics) => metrics.registerMetric(counter),
  }
}

const MESSAGE_MAX_LENGTH = 200
/** Messages can quote input that contains quotes, so everything between the first and the last one is left out. */
const QUOTED = /(?:(?<!\p{L})['‘]|["`“«])(?:.*['"`”’»]|.*)/u
/** Addresses, numbers, and strings that are too long for a word, such as a token. */
const NOT_WORDS = /(?:[a-z][a-z\d+.-]*:\/|(?<![^\s(]))\/\S+|\S{40,}|\d+/gi
const OWN_FILE = /\/assets\/([\w-]{1,80}\.js)$/
/** The code of an error in React's production build. */
const REACT_ERROR = /^(Error: )?(Minified React error #\d{1,3});.*$/

/** The words of a message, without anything that may come from a user. */
export function describeMessage(message: string): string {
  const line = message.replace(/[\p{C}\s]+/gu, ' ').trim()
  const [, , reactError] = REACT_ERROR.exec(line) ?? []
  if (reactError) return reactError
  return maskText(line)
    .replace(QUOTED, '[text]')
    .replace(NOT_WORDS, describePart)
    .slice(0, MESSAGE_MAX_LENGTH)
    .trim()
}

function describePart(part: string): string {
  if (/^\d+$/.test(part)) return '#'
  return OWN_FILE.exec(part)?.[1] ?? (part.includes('/') ? '[url]' : '[text]')
}

const OWN_PLACE = /\/assets\/([\w-]{1,80}\.js:\d{1,7}:\d{1,7})(?!\d)/g
const FRAMES_MAX = 10

function framesOf(stack: string): string[] {
  return [...stack.matchAll(OWN_PLACE)].map(([, frame = '']) => frame).slice(0, FRAMES_MAX)
}
