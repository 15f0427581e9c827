import type { Call } from '@sought/contract/call'
import { type RefusalCode, refusals } from '@sought/contract/refusals'
import { expectedAudit } from './expected-audit.ts'
import type { Written } from './write-log.ts'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  body: string
  tookMs: number
}

const MAX_RESPONSE_MS = 5_000

/** Larger refusals would allow amplification. */
const MAX_REFUSAL_LENGTH = 20_000

/** Refusals that every call may return without declaring them. */
const IMPLIED: readonly RefusalCode[] = [
  'malformed',
  'signed_out',
  'cross_site',
  'not_admin',
  'not_found',
  'too_large',
  'wrong_type',
  'invalid',
]

/** Every request may update the user's presence. */
const isPresence = ({ table, operation }: Written) =>
  table === 'public.presence' || (table === 'public.sessions' && operation === 'UPDATE')

/**
 * Rows that a successful read writes: the number of a new document (ADR 40), and the view of a request (ADR 65).
 */
const isWrittenByReading = ({ path }: Call, { table, operation }: Written) =>
  (table === 'public.documents' && operation === 'INSERT' && DOCUMENT_PATHS.test(path)) ||
  (table === 'public.request_views' && operation !== 'DELETE' && path === '/api/wanted-items/:id')

const DOCUMENT_PATHS = /\/(receipt|statements\/:month)(\/export)?$/

/**
 * Refusals that count attempts, so that codes cannot be guessed. Only these update something, each in one table.
 */
const COUNTED_REFUSALS: Record<string, { code: RefusalCode; table: string }> = {
  'POST /api/payments/:id/handover': { code: 'handover_code_wrong', table: 'public.payments' },
  'POST /api/user/phone/verify': { code: 'wrong_code', table: 'public.phone_codes' },
}

function isCounted({ method, path }: Call, { body }: Answer, { table, operation }: Written): boolean {
  const counted = COUNTED_REFUSALS[`${method} ${path}`]
  return operation === 'UPDATE' && counted?.table === table && counted.code === fieldsIn(body).code
}

const isAudit = ({ table }: Written) => table === 'public.audit_log'

/** The row was inserted and deleted again. */
const isReverted = ({ table, row }: Written, written: readonly Written[]) =>
  ['INSERT', 'DELETE'].every((operation) =>
    written.some(
      (other) => other.operation === operation && other.table === table && other.row.id === row.id,
    ),
  )

/** Checks a response and the rows written. For an unknown URL, only the general rules apply. */
export function findViolations(
  call: Call,
  answer: Answer,
  written: readonly Written[],
  unknownUrl = false,
): string[] {
  const lasting = written.filter(
    (write) => !isPresence(write) && !isReverted(write, written) && (unknownUrl || !isAudit(write)),
  )
  const readWrites = lasting.filter((write) => !isWrittenByReading(call, write))
  const refusedWrites = lasting.filter((write) => unknownUrl || !isCounted(call, answer, write))
  return [
    ...(answer.tookMs > MAX_RESPONSE_MS ? [`took ${Math.round(answer.tookMs)} ms`] : []),
    ...checkHeaders(answer),
    ...(unknownUrl ? checkAnyResponse(answer) : checkAnswer(call, answer)),
    ...(unknownUrl ? [] : checkAudit(call, answer, written.filter(isAudit))),
    ...(answer.status >= 400 && refusedWrites.length > 0
      ? [`refused, but wrote ${describeWrites(refusedWrites)}`]
      : []),
    ...(call.method === 'GET' && call.reply !== 'redirect' && readWrites.length > 0
      ? [`only read, but wrote ${describeWrites(readWrites)}`]
      : []),
    ...('hurt' in {} ? ['Object.prototype was polluted'] : []),
  ]
}

const checkAnswer = (call: Call, answer: Answer) =>
  answer.status >= 400 ? checkRefusal(answer, allowedRefusals(call)) : checkReply(call, answer)

/** The audit log must contain exactly what ADR 44 requires. */
function checkAudit(call: Call, { status, body }: Answer, written: readonly Written[]): string[] {
  const refusal = status < 400 ? null : String(fieldsIn(body).code)
  const { must, may, erases } = expectedAudit(call, refusal)
  const recorded = written
    .filter(({ operation }) => operation === 'INSERT')
    .map(({ row }) => String(row.action))
  const changed = written.filter(({ operation }) => operation !== 'INSERT')
  const unexpected = recorded.filter((action) => action !== must && !may.some((one) => one === action))
  const times = recorded.filter((action) => action === must).length
  return [
    ...(must === undefined || times === 1 ? [] : [`recorded ${must} ${times} times`]),
    ...(unexpected.length === 0 ? [] : [`recorded ${unexpected.join(', ')}`]),
    ...(changed.length === 0 || erases ? [] : [`changed the audit log: ${describeWrites(changed)}`]),
  ]
}

/** Pages have the status of the refusal that they show: not found, removed, or an invalid filter. */
const REFUSED_PAGES = [404, 410, 422]

/** Any refusal of the catalogue, or an HTML page that shows one. */
export function checkAnyResponse(answer: Answer): string[] {
  const isRefusedPage = isPage(answer.headers) && REFUSED_PAGES.includes(answer.status)
  return answer.status < 400 || isRefusedPage ? [] : checkRefusal(answer)
}

export const isPage = (headers: Answer['headers']) => String(headers['content-type']).startsWith('text/html')

const allowedRefusals = (call: Call) => new Set<string>([...IMPLIED, ...(call.refuses ?? [])])

const describeWrites = (written: readonly Written[]) =>
  [...new Set(written.map(({ table, operation }) => `${operation} ${table}`))].join(', ')

function checkHeaders({ headers }: Answer): string[] {
  const isInjected = Object.values(headers).some((value) => /[\r\n]/.test(String(value)))
  return isInjected || 'x-hurt' in headers ? ['a header was injected'] : []
}

/** A refusal must be exactly as in the catalogue, without further fields. */
function checkRefusal({ status, body, headers }: Answer, expected?: Set<string>): string[] {
  if (status >= 500) return [`answered ${status}`]
  if (body.length > MAX_REFUSAL_LENGTH) return [`${status} with ${body.length} characters`]
  const parsedBody = parseJson(body)
  if (parsedBody === undefined || parsedBody === null)
    return [`${status} without JSON: ${body.slice(0, 120)}`]
  const { code, message, issues, ...rest } = parsedBody as Record<string, unknown>
  const refusal = typeof code === 'string' && code in refusals ? refusals[code as RefusalCode] : undefined
  if (!refusal) return [`${status} with a code that is not in the catalogue: ${body.slice(0, 160)}`]
  return [
    ...(refusal.status === status ? [] : [`${String(code)} with status ${status}`]),
    ...(refusal.message === message ? [] : [`${String(code)} with another message: ${String(message)}`]),
    ...(Object.keys(rest).length === 0 ? [] : [`has extra fields: ${Object.keys(rest).join(', ')}`]),
    ...(issues === undefined || isIssues(issues) ? [] : ['malformed issues']),
    ...(!expected || expected.has(String(code))
      ? []
      : [`refuses with ${String(code)}, which it does not declare`]),
    ...(String(headers['content-type']).startsWith('application/json') ? [] : ['a refusal that is not JSON']),
    ...(/node_modules|\bat .*:\d+:\d+|\bselect\b.+\bfrom\b/i.test(textOf(issues))
      ? ['reveals internals']
      : []),
  ]
}

const textOf = (issues: unknown) => (isIssues(issues) ? issues.map((issue) => issue.message).join('\n') : '')

const isIssues = (issues: unknown): issues is { path: string; message: string }[] =>
  Array.isArray(issues) &&
  issues.every((issue) => typeof issue?.path === 'string' && typeof issue?.message === 'string')

function checkReply(call: Call, { status, body, headers }: Answer): string[] {
  if (call.reply === 'redirect') return checkRedirect(status, String(headers.location))
  if (status !== (call.status ?? 200)) return [`answered ${status}`]
  if (typeof call.reply === 'string') return []
  const result = call.reply.safeParse(parseJson(body))
  return result.success
    ? []
    : [`a reply that does not match its schema: ${JSON.stringify(result.error.issues).slice(0, 200)}`]
}

/** Redirects must stay on this site. */
const checkRedirect = (status: number, location: string) =>
  status === 302 && /^\/(?![/\\])[!-~]*$/.test(location) ? [] : [`${status}, redirects to ${location}`]

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A number in the reply must be the one that was sent, not a rounded or clamped one. */
export function checkNumbers(payload: unknown, { status, body }: Answer): string[] {
  if (status >= 300 || typeof payload !== 'string') return []
  const [sent, reply] = [fieldsIn(payload), fieldsIn(body)]
  return Object.entries(sent).flatMap(([name, value]) => {
    const returned = numbersNamed(name, reply)
    return typeof value !== 'number' || returned.length === 0 || returned.includes(value)
      ? []
      : [`${name} was ${value} and came back as ${returned.join(', ')}`]
  })
}

/** Fees that start later come back among the scheduled ones. */
function numbersNamed(name: string, reply: Record<string, unknown>): number[] {
  const scheduled = Array.isArray(reply.scheduledFees) ? reply.scheduledFees : []
  return [reply, ...scheduled].map((fields) => fields[name]).filter((value) => typeof value === 'number')
}

function fieldsIn(text: string): Record<string, unknown> {
  const parsedBody = parseJson(text)
  return typeof parsedBody === 'object' && parsedBody !== null ? (parsedBody as Record<string, unknown>) : {}
}
