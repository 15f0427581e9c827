import { type Call, fillPath } from '@sought/contract/call'
import { buildQueryString } from '@sought/contract/paths'
import type { RefusalCode } from '@sought/contract/refusals'
import { uploadOf } from '@sought/server/testing/multipart'
import type { World } from '@sought/server/testing/world'
import { ROLES, type Role, type Row } from './access-table.ts'
import { type CallInput, type Cast, createCallFixture, type File, needsOnlyHistory } from './call-fixtures.ts'
import { createFixtures, type Fixtures } from './fixtures.ts'
import { hashOwnedRows } from './owned-rows.ts'
import { createPeopleFactory, findLeaks, type Person } from './people.ts'

type Violations = string[]

interface Answer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

export interface AccessChecker {
  /** Makes a call as every role and compares the replies with the row of the table. */
  checkCall(name: string, call: Call, row: Row, prepared?: Prepared): Promise<Violations>
  /** New people of every role, and the fixtures for a call. */
  prepare(name: string): Promise<Prepared>
  send(call: Call, input: CallInput, sender: Person | null): Promise<Answer>
  makePeople(count: number): Promise<Person[]>
  fixtures: Fixtures
}

export function createAccessChecker(world: World): AccessChecker {
  const { sql, visitor, app } = world
  const makePeople = createPeopleFactory(world)
  const fixtures = createFixtures(world)

  async function makeCast(): Promise<Cast> {
    const [owner, other, stranger, admin, moderator, finance] = await makePeople(6)
    if (!owner || !other || !stranger || !admin || !moderator || !finance)
      throw new Error('a user is missing')
    await fixtures.admin(admin)
    await fixtures.admin(moderator, 'moderator')
    await fixtures.admin(finance, 'finance')
    return { owner, other, stranger, admin, moderator, finance }
  }

  /** The same outsiders with two new parties. */
  async function replaceParties(cast: Cast): Promise<Cast> {
    const [owner, other] = await makePeople(2)
    if (!owner || !other) throw new Error('a user is missing')
    return { ...cast, owner, other }
  }

  async function prepare(name: string, earlier?: Cast): Promise<Prepared> {
    const cast = earlier ? await replaceParties(earlier) : await makeCast()
    return { cast, input: await createCallFixture(name, { cast, fixtures, world }) }
  }

  async function send(call: Call, input: CallInput, sender: Person | null): Promise<Answer> {
    const { params, query = {}, body, file } = input
    const address = `${call.method} ${fillPath(call.path, params)}${buildQueryString(query)}`
    const headers: Record<string, string> = sender ? { cookie: sender.cookie } : {}
    if (call.reply === 'events' && sender) return listen(call, headers)
    if (file) return visitor(address, undefined, upload(file, headers))
    const sent = typeof body === 'function' ? body(sender) : body
    return visitor(address, call.body || call.upload?.optional ? sent : undefined, { headers })
  }

  /** An event stream never ends, so it is closed as soon as it starts. */
  async function listen({ path }: Call, headers: Record<string, string>): Promise<Answer> {
    const address = app.server.address()
    if (!address || typeof address === 'string') throw new Error('the server does not listen')
    const stream = await fetch(`http://127.0.0.1:${address.port}${path}`, { headers })
    await stream.body?.cancel()
    return { statusCode: stream.status, headers: Object.fromEntries(stream.headers), body: '' }
  }

  /** Makes the call as these roles, which must not change any rows of these users. */
  async function checkWithoutChange(
    call: Call,
    row: Row,
    roles: Role[],
    { cast, input }: Prepared,
    people: Person[],
  ) {
    const before = await hashOwnedRows(sql, people)
    const violations: Violations = []
    for (const role of roles) {
      const recordedBefore = await countRecorded(call, role, cast)
      const reply = await send(call, input, personOf(cast, role))
      const recorded = reply.statusCode < 400 ? await countRecorded(call, role, cast) : null
      violations.push(
        ...checkReply(call, row, role, cast, reply),
        ...(input.affectsOwner ? [] : findMentions(call, role, cast, reply)),
        // Everything that a member of the team does or reads about others must be in the audit log.
        ...(recorded !== null && recorded === recordedBefore
          ? [`${role} left no entry in the audit log`]
          : []),
      )
    }
    const after = await hashOwnedRows(sql, people)
    const changed = Object.keys(before).filter((table) => before[table] !== after[table])
    return [...violations, ...changed.map((table) => `${roles.join(', ')} changed ${table}`)]
  }

  /** The entries of a member of the team in the audit log, or null if the call needs none. */
  async function countRecorded(call: Call, role: Role, cast: Cast): Promise<number | null> {
    if (!isStaff(role) || !isRecorded(call)) return null
    return (await sql.query('select from audit_log where actor_id = $1', [cast[role].id])).rowCount
  }

  /** A role that may change something needs its own fixture. Outsiders must not change rows of the two parties. */
  async function checkWithChange(call: Call, row: Row, role: Role, prepared: Prepared): Promise<Violations> {
    const { owner, other } = prepared.cast
    const mustNotChange = isOutsider(call, role) && !prepared.input.affectsOwner ? [owner, other] : []
    return checkWithoutChange(call, row, [role], prepared, mustNotChange)
  }

  return {
    prepare,
    send,
    makePeople,
    fixtures,
    async checkCall(name, call, row, prepared) {
      const first = prepared ?? (await prepare(name))
      const everyone = Object.values(first.cast)
      // Reading changes nothing, except that signing out ends a session.
      if (call.method === 'GET') {
        const unchanged = isSignOut(call) ? [] : everyone
        return withName(name, await checkWithoutChange(call, row, [...ROLES], first, unchanged))
      }
      const [refused, allowed] = [ROLES.filter((it) => row[it] >= 400), ROLES.filter((it) => row[it] < 400)]
      const violations = await checkWithoutChange(call, row, refused, first, everyone)
      for (const role of allowed) {
        const own = role === allowed[0] ? first : await prepare(name, first.cast)
        violations.push(...(await checkWithChange(call, row, role, own)))
      }
      return withName(name, violations)
    },
  }
}

const isSignOut = ({ path }: Call) => path === '/api/logout'

/** Such calls can share a fixture, because none of them changes it. */
export const onlyReadsHistory = (name: string, call: Call): boolean =>
  call.method === 'GET' && !isSignOut(call) && needsOnlyHistory(name)

const withName = (name: string, violations: Violations): Violations =>
  violations.map((line) => `${name}: ${line}`)

/**
 * Calls that show admins their work, or figures and settings of the market. Reading a single entry is recorded.
 */
const UNRECORDED = new Set(
  [
    'analytics',
    'admins',
    'audit-log',
    'counts',
    'debts',
    'disputes',
    'doctor',
    'exports',
    'exports/:id',
    'goodwill',
    'moderation',
    'overview',
    'policies',
    'payouts',
    'reconciliation',
    'refunds',
    'replies',
    'settings',
    'settings/history',
    'tickets',
  ].map((list) => `/api/admin/${list}`),
)

/** Contains only amounts of disputes that the list already shows. */
const BULK_PREVIEW = '/api/admin/disputes/bulk/preview'

const isRecorded = ({ access, method, path }: Call) =>
  path === '/api/disputes/:paymentId/evidence/:id' ||
  path === '/api/photos/:id' ||
  (access !== 'public' &&
    access !== 'user' &&
    path !== BULK_PREVIEW &&
    !(method === 'GET' && UNRECORDED.has(path)))

const isStaff = (role: Role) => role === 'admin' || role === 'moderator' || role === 'finance'

/** A signed-in role that is not a party to the deal. */
const isOutsider = ({ access }: Call, role: Role) =>
  access === 'user' && (role === 'stranger' || isStaff(role))

/** What the owner has written may name them. */
const isTextForDesk = ({ path }: Call, role: Role) =>
  path === '/api/wanted-items/:id/versions' && isStaff(role)

/** Replies to outsiders must not even name the two parties. */
function findMentions(call: Call, role: Role, { owner, other }: Cast, { body }: Answer): Violations {
  if (!isOutsider(call, role) || isTextForDesk(call, role)) return []
  return [owner, other].filter(({ id }) => body.includes(id)).map(({ id }) => `${role} sees the id ${id}`)
}

export interface Prepared {
  cast: Cast
  input: CallInput
}

const personOf = (cast: Cast, role: Role): Person | null => (role === 'visitor' ? null : cast[role])

/** Only the user's own browser may cache a photo, and only for that user (`Vary: cookie`). */
const isUncached = ({ path }: Call, cacheControl: string) =>
  cacheControl.includes('no-store') ||
  (path === '/api/photos/:id' && cacheControl.startsWith('private, max-age='))

/** Checks the status, that the refusal is declared, and that the reply reveals no secret. */
function checkReply(call: Call, row: Row, role: Role, cast: Cast, reply: Answer): Violations {
  const violations: Violations = []
  if (reply.statusCode !== row[role]) {
    violations.push(`${role} got ${reply.statusCode} instead of ${row[role]} (${reply.body.slice(0, 200)})`)
  }
  const code = reply.statusCode >= 400 && (JSON.parse(reply.body).code as RefusalCode)
  if (code && !impliedRefusals(call).has(code) && !call.refuses?.includes(code)) {
    violations.push(`${role} got ${code}, which is not declared`)
  }
  if (call.access !== 'public' && !isUncached(call, String(reply.headers['cache-control']))) {
    violations.push(`the reply to ${role} may be cached`)
  }
  if (isDevelopmentOnly(call)) return violations
  const { 'set-cookie': _, ...headers } = reply.headers
  const leaks = findLeaks(
    `${JSON.stringify(headers)}${reply.body}`,
    Object.values(cast),
    personOf(cast, role),
    {
      isAdmin: isStaff(role),
      paysManually: call.path === '/api/admin/payouts/:id/bank-details' && isStaff(role),
    },
  )
  return [...violations, ...leaks.map((secret) => `${role} was sent ${secret}`)]
}

/** In development, emails are not sent, and everyone can read them. */
const isDevelopmentOnly = (call: Call) => call.path === '/api/dev/mails'

/** Refusals that follow from the access and the schemas of a call. */
function impliedRefusals({ access }: Call): Set<RefusalCode> {
  const ofAccess: RefusalCode[] = access === 'public' ? [] : ['signed_out']
  const ofAdmins: RefusalCode[] = access === 'public' || access === 'user' ? [] : ['not_admin']
  return new Set<RefusalCode>([...ofAccess, ...ofAdmins, 'malformed', 'invalid', 'wrong_type', 'too_large'])
}

/** Multipart form data with one file. */
export function upload({ field, bytes, ...options }: File, headers: Record<string, string> = {}) {
  const { payload, headers: ours } = uploadOf(field, bytes, options)
  return { payload, headers: { ...headers, ...ours } }
}
