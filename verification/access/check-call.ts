import { type Call, fillPath } from '@sought/contract/call'
import { buildQueryString } from '@sought/contract/paths'
import type { RefusalCode } from '@sought/contract/refusals'
import type { World } from '@sought/server/testing/world'
import type { InjectOptions } from 'fastify'
import { ROLES, type Role, type Row } from './access-table.ts'
import { type Cast, type File, setScene, type Try } from './call-fixtures.ts'
import { type Given, givenIn } from './fixtures.ts'
import { belongingsOf } from './owned-rows.ts'
import { leaksIn, type Person, peopleMaker } from './people.ts'

/** What was wrong with an answer, each a line to read. */
type Wrong = string[]

interface Answer {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}

export interface Walk {
  /** Tries one call as everybody, and says what was not as the row has it. */
  tryAs(name: string, call: Call, row: Row): Promise<Wrong>
  send(call: Call, tried: Try, sender: Person | null): Promise<Answer>
  makePeople(count: number): Promise<Person[]>
  given: Given
}

export function walkIn(world: World): Walk {
  const { sql, visitor, app } = world
  const makePeople = peopleMaker(world)
  const given = givenIn(world)

  async function makeCast(): Promise<Cast> {
    const [owner, other, stranger, admin] = await makePeople(4)
    if (!owner || !other || !stranger || !admin) throw new Error('somebody is missing')
    await given.admin(admin)
    return { owner, other, stranger, admin }
  }

  async function stage(name: string) {
    const cast = await makeCast()
    return { cast, tried: await setScene(name, { cast, given, world }) }
  }

  async function send(call: Call, tried: Try, sender: Person | null): Promise<Answer> {
    const { params, query = {}, body, file } = tried
    const address = `${call.method} ${fillPath(call.path, params)}${buildQueryString(query)}`
    const headers: Record<string, string> = sender ? { cookie: sender.cookie } : {}
    if (call.reply === 'events' && sender) return listen(call, headers)
    if (file) return visitor(address, undefined, upload(file, headers))
    const sent = typeof body === 'function' ? body(sender) : body
    return visitor(address, call.body ? sent : undefined, { headers })
  }

  /** A stream has no end to wait for: it is hung up as soon as it has begun. */
  async function listen({ path }: Call, headers: Record<string, string>): Promise<Answer> {
    const address = app.server.address()
    if (!address || typeof address === 'string') throw new Error('nobody listens')
    const stream = await fetch(`http://127.0.0.1:${address.port}${path}`, { headers })
    await stream.body?.cancel()
    return { statusCode: stream.status, headers: Object.fromEntries(stream.headers), body: '' }
  }

  /** All of these roles try the same scene, which is to be as it was after them: for these people at least. */
  async function tryUnchanging(
    call: Call,
    row: Row,
    roles: Role[],
    { cast, tried }: Staged,
    people: Person[],
  ) {
    const before = await belongingsOf(sql, people)
    const wrong: Wrong = []
    for (const role of roles) {
      const reply = await send(call, tried, personOf(cast, role))
      wrong.push(
        ...judge(call, row, role, cast, reply),
        ...(tried.reaches ? [] : mentions(call, role, cast, reply)),
      )
    }
    const after = await belongingsOf(sql, people)
    const changed = Object.keys(before).filter((table) => before[table] !== after[table])
    return [...wrong, ...changed.map((table) => `${roles.join(', ')} changed ${table}`)]
  }

  /** Whoever is let in to change something gets a scene of their own. A stranger or an admin changes nothing of the two. */
  async function tryChanging(call: Call, row: Row, role: Role, staged: Staged): Promise<Wrong> {
    const { owner, other } = staged.cast
    const spared = isOutside(call, role) && !staged.tried.reaches ? [owner, other] : []
    return tryUnchanging(call, row, [role], staged, spared)
  }

  return {
    send,
    makePeople,
    given,
    async tryAs(name, call, row) {
      const first = await stage(name)
      const everyone = Object.values(first.cast)
      // To read is to change nothing, except that to sign out ends a session.
      if (call.method === 'GET') {
        const unchanged = call.path === '/api/logout' ? [] : everyone
        return named(name, await tryUnchanging(call, row, [...ROLES], first, unchanged))
      }
      const [refused, allowed] = [ROLES.filter((it) => row[it] >= 400), ROLES.filter((it) => row[it] < 400)]
      const wrong = await tryUnchanging(call, row, refused, first, everyone)
      for (const role of allowed) {
        const staged = role === allowed[0] ? first : await stage(name)
        wrong.push(...(await tryChanging(call, row, role, staged)))
      }
      return named(name, wrong)
    },
  }
}

const named = (name: string, wrong: Wrong): Wrong => wrong.map((line) => `${name}: ${line}`)

/** Somebody who is let in, and has no part in what the two have. */
const isOutside = ({ access }: Call, role: Role) =>
  access === 'user' && (role === 'stranger' || role === 'admin')

/** What is answered to such a one does not even name the two. */
function mentions(call: Call, role: Role, { owner, other }: Cast, { body }: Answer): Wrong {
  if (!isOutside(call, role)) return []
  return [owner, other].filter(({ id }) => body.includes(id)).map(({ id }) => `${role} reads of ${id}`)
}

interface Staged {
  cast: Cast
  tried: Try
}

const personOf = (cast: Cast, role: Role): Person | null => (role === 'visitor' ? null : cast[role])

/** The status, and what must hold of every answer: it gives nothing away, and refuses only as declared. */
function judge(call: Call, row: Row, role: Role, cast: Cast, reply: Answer): Wrong {
  const wrong: Wrong = []
  if (reply.statusCode !== row[role]) {
    wrong.push(`${role} got ${reply.statusCode} instead of ${row[role]} (${reply.body.slice(0, 200)})`)
  }
  const code = reply.statusCode >= 400 && (JSON.parse(reply.body).code as RefusalCode)
  if (code && !impliedIn(call).has(code) && !call.refuses?.includes(code)) {
    wrong.push(`${role} got ${code}, which is not declared`)
  }
  if (call.access !== 'public' && !String(reply.headers['cache-control']).includes('no-store')) {
    wrong.push(`what ${role} got may be kept on the way`)
  }
  if (isOpenToDevelopers(call)) return wrong
  const { 'set-cookie': _, ...headers } = reply.headers
  const leaks = leaksIn(
    `${JSON.stringify(headers)}${reply.body}`,
    Object.values(cast),
    personOf(cast, role),
    {
      isAdmin: role === 'admin',
      paysByHand: call.path === '/api/admin/payouts/:id/bank-details' && role === 'admin',
    },
  )
  return [...wrong, ...leaks.map((secret) => `${role} was told ${secret}`)]
}

/** All mails can be read where they are only kept for want of a mail server, by whoever develops. */
const isOpenToDevelopers = (call: Call) => call.path === '/api/dev/mails'

/** What need not be declared: it follows from the call's access and schemas. */
function impliedIn({ access }: Call): Set<RefusalCode> {
  const ofAccess: RefusalCode[] = access === 'public' ? [] : ['signed_out']
  const ofAdmins: RefusalCode[] = access === 'admin' ? ['not_admin'] : []
  return new Set<RefusalCode>([...ofAccess, ...ofAdmins, 'malformed', 'invalid', 'wrong_type', 'too_large'])
}

/** What a browser sends for one file. */
export function upload(
  { field, name, bytes, fields = {} }: File,
  headers: Record<string, string> = {},
): Pick<InjectOptions, 'payload' | 'headers'> {
  const part = (said: string, content: Uint8Array | string) =>
    Buffer.concat([
      Buffer.from(`--edge\r\ncontent-disposition: form-data; ${said}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ])
  const parts = Object.entries(fields).map(([key, value]) => part(`name="${key}"`, String(value)))
  return {
    payload: Buffer.concat([
      ...parts,
      part(`name="${field}"; filename="${name}"`, bytes),
      Buffer.from('--edge--\r\n'),
    ]),
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=edge' },
  }
}
