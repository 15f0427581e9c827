import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Call } from '@sought/contract/call'
import type { Random } from '../support/random.ts'
import { wrongAnywhere } from './check-response.ts'
import type { Stage } from './fuzz-world.ts'

/*
 * What only a connection can show: lengths that are not true, bodies that break off, bytes that no client library
 * would send. A server answers or hangs up, within its time, and goes on serving others.
 */

export interface SocketOutcome {
  times: number
  violations: string[]
}

const GIVEN_UP_MS = 6_000
const PATIENCE_MS = 5_000

interface Wire {
  path: string
  method: string
  cookie: string
}

/** Pieces that are sent one after the other, each after a little while; then the sending side is closed. */
type Spoken = (wire: Wire) => (string | Buffer)[]

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const host = 'host: localhost'
const close = 'connection: close'
const json = 'content-type: application/json'
const opening = ({ method, path, cookie }: Wire) => [`${method} ${path} HTTP/1.1`, host, close, cookie]
const headed = (wire: Wire, ...more: string[]) => lines(...opening(wire), ...more)
const body = '{"title":"Lamp"}'

const spoken: Record<string, Spoken> = {
  'a body shorter than it says': (wire) => [headed(wire, json, 'content-length: 900') + body],
  'a body longer than it says': (wire) => [headed(wire, json, 'content-length: 5') + body],
  'a length below nothing': (wire) => [headed(wire, json, 'content-length: -1') + body],
  'a length that is no number': (wire) => [headed(wire, json, 'content-length: 1e3') + body],
  'a length beyond all numbers': (wire) => [headed(wire, json, `content-length: ${'9'.repeat(40)}`) + body],
  'two lengths': (wire) => [headed(wire, json, 'content-length: 16', 'content-length: 17') + body],
  'a length and chunks': (wire) => [
    `${headed(wire, json, 'content-length: 4', 'transfer-encoding: chunked')}0\r\n\r\nGET /x`,
  ],
  'chunks of no size': (wire) => [`${headed(wire, json, 'transfer-encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`],
  'chunks that break off': (wire) => [`${headed(wire, json, 'transfer-encoding: chunked')}ffff\r\n{"a":`],
  'a chunk of untold size': (wire) => [
    `${headed(wire, json, 'transfer-encoding: chunked')}${'f'.repeat(30)}\r\n{}`,
  ],
  'another encoding': (wire) => [headed(wire, json, 'transfer-encoding: gzip') + body],
  'a body that is packed': (wire) => [
    `${headed(wire, json, 'content-encoding: gzip', 'content-length: 2')}{}`,
  ],
  'a body in small pieces': (wire) => [headed(wire, json, 'content-length: 16'), ...body],
  'a head in small pieces': (wire) => [...headed(wire)].reduce<string[]>(inEights, []),
  'an upload that breaks off': (wire) => [
    headed(wire, 'content-type: multipart/form-data; boundary=edge', 'content-length: 90000') +
      '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
    Buffer.alloc(2_000),
  ],
  'only a beginning': ({ method }) => [`${method} /ap`],
  'not HTTP': () => ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  nothing: () => [''],
  'a method of nobody': (wire) => [headed({ ...wire, method: 'LOOK' })],
  'only the head': (wire) => [headed({ ...wire, method: 'HEAD' })],
  'what may be done': (wire) => [headed({ ...wire, method: 'OPTIONS', path: wire.path })],
  'what was sent': (wire) => [headed({ ...wire, method: 'TRACE' })],
  'a way through': (wire) => [headed({ ...wire, method: 'CONNECT', path: 'hurt.example:443' })],
  'a method that says much': (wire) => [headed({ ...wire, method: 'A'.repeat(5_000) })],
  'no host': ({ method, path }) => [lines(`${method} ${path} HTTP/1.1`, close)],
  'two hosts': (wire) => [headed(wire, 'host: hurt.example')],
  'the old version': ({ method, path }) => [lines(`${method} ${path} HTTP/1.0`)],
  'a version to come': ({ method, path }) => [lines(`${method} ${path} HTTP/9.9`, host)],
  'a whole address': (wire) => [headed({ ...wire, path: `http://hurt.example${wire.path}` })],
  'no path': (wire) => [headed({ ...wire, path: '*' })],
  'a path with a space': (wire) => [headed({ ...wire, path: `${wire.path}/a b` })],
  'a path with NUL': (wire) => [headed({ ...wire, path: `${wire.path}\0` })],
  'a path in plain UTF-8': (wire) => [headed({ ...wire, path: `${wire.path}/m\u00f6bel` })],
  'a path in latin-1': (wire) => [
    Buffer.from(headed({ ...wire, path: `${wire.path}/m\u00f6bel` }), 'latin1'),
  ],
  'a path upwards': (wire) => [headed({ ...wire, path: `${wire.path}/../../../../etc/passwd` })],
  'a path upwards, written otherwise': (wire) => [
    headed({ ...wire, path: '/assets/%2e%2e/%2e%2e/%2e%2e/package.json' }),
  ],
  'a path upwards, written twice otherwise': (wire) => [
    headed({ ...wire, path: '/files/..%252f..%252fpackage.json' }),
  ],
  'a path with backslashes': (wire) => [headed({ ...wire, path: '/..\\..\\package.json' })],
  'broken percents': (wire) => [headed({ ...wire, path: `${wire.path}/%zz%` })],
  'a path of 60,000 signs': (wire) => [headed({ ...wire, path: `/${'a'.repeat(60_000)}` })],
  'a header of 60,000 signs': (wire) => [headed(wire, `x: ${'a'.repeat(60_000)}`)],
  'three thousand headers': (wire) => [
    headed(wire, ...Array.from({ length: 3_000 }, (_, at) => `x${at}: 1`)),
  ],
  'a header with NUL': (wire) => [headed(wire, 'x: a\0b')],
  'a header over two lines': (wire) => [headed(wire, 'x: a', ' b')],
  'a header of no name': (wire) => [headed(wire, ': a')],
  'a lone return': (wire) => [headed(wire, 'x: a\rx-hurt: 1')],
  'a lone new line': (wire) => [headed(wire, 'x: a\nx-hurt: 1')],
  'high bytes in headers': (wire) => [Buffer.from(headed(wire, 'user-agent: \xff\xfe', 'x: \x80'), 'latin1')],
  'cookies of no sense': ({ method, path }) => [
    lines(
      `${method} ${path} HTTP/1.1`,
      host,
      close,
      'cookie: sid=%E0%A4%A; sid=s%3A.; =; __proto__=1; sid="',
    ),
  ],
  'a cookie with a signature of another': ({ method, path }) => [
    lines(`${method} ${path} HTTP/1.1`, host, close, `cookie: sid=${'a'.repeat(43)}.${'b'.repeat(43)}`),
  ],
  'an expectation': (wire) => [headed(wire, 'expect: 100-continue', json, 'content-length: 2'), '{}'],
  'an expectation of the impossible': (wire) => [headed(wire, 'expect: the-moon')],
  'an upgrade': (wire) => [
    lines(`${wire.method} ${wire.path} HTTP/1.1`, host, 'connection: upgrade', 'upgrade: websocket'),
  ],
  'a range of nothing': (wire) => [headed(wire, 'range: bytes=9-1,,-0')],
  'an address that was made up': (wire) => [
    headed(wire, 'x-forwarded-for: \', "', 'x-forwarded-proto: javascript'),
  ],
  'two requests in one go': (wire) => [headed(wire).replace(close, 'connection: keep-alive') + headed(wire)],
}

function inEights(pieces: string[], sign: string): string[] {
  const last = pieces.at(-1)
  if (last === undefined || last.length >= 40) pieces.push(sign)
  else pieces[pieces.length - 1] = last + sign
  return pieces
}

/** Says everything to a share of the calls, as somebody whom the server knows. */
export async function fuzzSockets(
  stage: Stage,
  calls: Call[],
  { random, share }: { random: Random; share: number },
): Promise<SocketOutcome> {
  const outcome: SocketOutcome = { times: 0, violations: [] }
  const most = Math.max(1, Math.round(calls.length * share))
  for (const [what, pieces] of Object.entries(spoken)) {
    const some = share >= 1 ? calls : Array.from({ length: most }, () => random.pick(calls))
    const wrong = await Promise.all(some.map((call) => say(stage, call, what, pieces)))
    outcome.times += some.length
    outcome.violations.push(...wrong.flat())
    const health = await stage.app.inject('/healthz')
    if (health.statusCode !== 200) outcome.violations.push(`after ${what} it serves nobody any more`)
  }
  return outcome
}

async function say(stage: Stage, call: Call, what: string, pieces: Spoken): Promise<string[]> {
  const path = call.path.replace(/:\w+/g, '1')
  const spokenPieces = pieces({ path, method: call.method, cookie: `cookie: ${stage.people.buyer}` })
  const { answer, tookMs } = await converse(Number(new URL(stage.address).port), spokenPieces)
  const wrong = wrongWire(answer)
  if (tookMs > PATIENCE_MS && call.reply !== 'events') wrong.push(`took ${Math.round(tookMs)} ms`)
  return wrong.map((words) => `${call.method} ${call.path}, ${what}: ${words}`)
}

/** Sends the pieces, and gives everything that came back until the server hung up. */
async function converse(port: number, pieces: (string | Buffer)[]) {
  const began = performance.now()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const heard: Buffer[] = []
  socket.on('data', (bytes) => heard.push(bytes))
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.once('error', () => resolve())
    socket.once('end', () => resolve())
  })
  for (const piece of pieces) {
    if (!socket.writable) break
    socket.write(piece)
    if (pieces.length > 1) await wait(2)
  }
  socket.end()
  await Promise.race([ended, wait(GIVEN_UP_MS)])
  socket.destroy()
  return { answer: Buffer.concat(heard).toString('latin1'), tookMs: performance.now() - began }
}

const NOTHING_IN_CHUNKS = '0\r\n\r\n'

/** Node itself turns some away without a word, which says nothing and is no wrong. */
function wrongWire(answer: string): string[] {
  const wrong: string[] = []
  for (const one of answer.split(/(?=HTTP\/1\.1 \d{3} )/)) {
    const [head = '', ...rest] = one.split('\r\n\r\n')
    const [first = '', ...headers] = head.split('\r\n')
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(first) ?? []
    const said = rest.join('\r\n\r\n')
    if (status === undefined || said === '' || said === NOTHING_IN_CHUNKS) continue
    const fields = Object.fromEntries(
      headers.map((line) => [line.split(':')[0]?.toLowerCase(), line.split(': ')[1]]),
    )
    if ('x-hurt' in fields) wrong.push('a header was injected')
    wrong.push(...wrongAnywhere({ status: Number(status), headers: fields, body: said, tookMs: 0 }))
    if (/root:x:0|"workspaces"/.test(said)) wrong.push('gave away a file')
  }
  return wrong
}
