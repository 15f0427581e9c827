import type { Call } from '@sought/contract/call'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import type { Written } from './write-log.ts'

/** An answer, however it came. */
export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: string
  tookMs: number
}

/** How long anybody has to wait at the most. */
const PATIENCE_MS = 5_000

/** More than a person reads, and less than it costs to send it to somebody who asks often. */
const MOST_SAID = 20_000

/** What any call may refuse, by who may call it and what it takes. */
const ALWAYS: readonly RefusalCode[] = [
  'malformed',
  'signed_out',
  'cross_site',
  'not_admin',
  'not_found',
  'too_large',
  'wrong_type',
  'invalid',
]

/** Written all the time, whatever is answered: when somebody was last seen. */
const isPassing = ({ table, operation }: Written) =>
  table === 'public.presence' || (table === 'public.sessions' && operation === 'UPDATE')

/** A row that was both written and taken away. */
const isTakenBack = ({ table, row }: Written, written: readonly Written[]) =>
  ['INSERT', 'DELETE'].every((operation) =>
    written.some(
      (other) => other.operation === operation && other.table === table && other.row.id === row.id,
    ),
  )

/** Everything that is wrong with an answer, in words. Of an address that may be nobody's less is known. */
export function wrongs(call: Call, answer: Answer, written: readonly Written[], astray = false): string[] {
  const lasting = written.filter((write) => !isPassing(write) && !isTakenBack(write, written))
  return [
    ...(answer.tookMs > PATIENCE_MS ? [`took ${Math.round(answer.tookMs)} ms`] : []),
    ...wrongHeaders(answer),
    ...(astray ? wrongAnywhere(answer) : wrongAnswer(call, answer)),
    ...(answer.status >= 400 && lasting.length > 0 ? [`refused, and wrote ${placesOf(lasting)}`] : []),
    ...(call.method === 'GET' && call.reply !== 'redirect' && lasting.length > 0
      ? [`only read, and wrote ${placesOf(lasting)}`]
      : []),
    ...('hurt' in {} ? ['Object.prototype was polluted'] : []),
  ]
}

const wrongAnswer = (call: Call, answer: Answer) =>
  answer.status >= 400 ? wrongRefusal(answer, expectedOf(call)) : wrongReply(call, answer)

/** A page may also be missing, and says so as a page. */
export function wrongAnywhere(answer: Answer): string[] {
  const isPage = String(answer.headers['content-type']).startsWith('text/html')
  return answer.status < 400 || (answer.status === 404 && isPage) ? [] : wrongRefusal(answer)
}

const expectedOf = (call: Call) => new Set<string>([...ALWAYS, ...(call.refuses ?? [])])

const placesOf = (written: readonly Written[]) =>
  [...new Set(written.map(({ table, operation }) => `${operation} ${table}`))].join(', ')

function wrongHeaders({ headers }: Answer): string[] {
  const isInjected = Object.values(headers).some((value) => /[\r\n]/.test(String(value)))
  return isInjected || 'x-hurt' in headers ? ['a header was injected'] : []
}

/** A refusal is one of the catalogue's, whole, and says nothing more. */
function wrongRefusal({ status, body, headers }: Answer, expected?: Set<string>): string[] {
  if (status >= 500) return [`answered ${status}`]
  if (body.length > MOST_SAID) return [`${status} in ${body.length} signs`]
  const said = parsed(body)
  if (said === undefined || said === null) return [`${status} without JSON: ${body.slice(0, 120)}`]
  const { code, message, issues, ...rest } = said as Record<string, unknown>
  const refusal = typeof code === 'string' && code in refusals ? refusals[code as RefusalCode] : undefined
  if (!refusal) return [`${status} with no code of the catalogue: ${body.slice(0, 160)}`]
  return [
    ...(refusal.status === status ? [] : [`${String(code)} with status ${status}`]),
    ...(refusal.message === message ? [] : [`${String(code)} in other words: ${String(message)}`]),
    ...(Object.keys(rest).length === 0 ? [] : [`says more than it should: ${Object.keys(rest).join(', ')}`]),
    ...(issues === undefined || isIssues(issues) ? [] : ['its issues are none']),
    ...(!expected || expected.has(String(code))
      ? []
      : [`refuses with ${String(code)}, which it does not declare`]),
    ...(String(headers['content-type']).startsWith('application/json') ? [] : ['a refusal that is not JSON']),
    ...(/node_modules|\bat .*:\d+:\d+|\bselect\b.+\bfrom\b/i.test(notificationText(issues))
      ? ['tells of its inside']
      : []),
  ]
}

const notificationText = (issues: unknown) =>
  isIssues(issues) ? issues.map((issue) => issue.message).join('\n') : ''

const isIssues = (issues: unknown): issues is { path: string; message: string }[] =>
  Array.isArray(issues) &&
  issues.every((issue) => typeof issue?.path === 'string' && typeof issue?.message === 'string')

function wrongReply(call: Call, { status, body, headers }: Answer): string[] {
  if (call.reply === 'redirect') return wrongRedirect(status, String(headers.location))
  if (status !== (call.status ?? 200)) return [`answered ${status}`]
  if (typeof call.reply === 'string') return []
  const result = call.reply.safeParse(parsed(body))
  return result.success
    ? []
    : [`a reply of another shape: ${JSON.stringify(result.error.issues).slice(0, 200)}`]
}

/** On this site, and nowhere else. */
const wrongRedirect = (status: number, location: string) =>
  status === 302 && /^\/(?![/\\])[!-~]*$/.test(location) ? [] : [`${status}, leads to ${location}`]

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A number that was let in and is answered again is the one that was sent, not one that was made to fit. */
export function wrongNumbers(payload: unknown, { status, body }: Answer): string[] {
  if (status >= 300 || typeof payload !== 'string') return []
  const [sent, said] = [fieldsIn(payload), fieldsIn(body)]
  return Object.entries(sent).flatMap(([name, value]) =>
    typeof value === 'number' && typeof said[name] === 'number' && said[name] !== value
      ? [`${name} was ${value} and came back as ${said[name]}`]
      : [],
  )
}

function fieldsIn(text: string): Record<string, unknown> {
  const said = parsed(text)
  return typeof said === 'object' && said !== null ? (said as Record<string, unknown>) : {}
}
