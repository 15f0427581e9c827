import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Call } from '@sought/contract/call'
import type { Random } from '../support/random.ts'
import { checkAnyResponse } from './check-response.ts'
import type { FuzzWorld } from './fuzz-world.ts'

/*
 * HTTP that no client library would send: wrong lengths, truncated bodies, invalid bytes. The server must answer or close
 * the connection in time, and keep serving others.
 */

export interface SocketOutcome {
  times: number
  violations: string[]
}

const TIMEOUT_MS = 6_000
const MAX_RESPONSE_MS = 5_000

interface RequestLine {
  path: string
  method: string
  cookie: string
}

/** Chunks that are sent one after another; then the sending side is closed. */
type Chunks = (line: RequestLine) => (string | Buffer)[]

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
const host = 'host: localhost'
const close = 'connection: close'
const json = 'content-type: application/json'
const headLines = ({ method, path, cookie }: RequestLine) => [
  `${method} ${path} HTTP/1.1`,
  host,
  close,
  cookie,
]
const requestHead = (line: RequestLine, ...more: string[]) => lines(...headLines(line), ...more)
const body = '{"title":"Lamp"}'

const malformed: Record<string, Chunks> = {
  'a body shorter than its declared length': (line) => [
    requestHead(line, json, 'content-length: 900') + body,
  ],
  'a body longer than its declared length': (line) => [requestHead(line, json, 'content-length: 5') + body],
  'a negative length': (line) => [requestHead(line, json, 'content-length: -1') + body],
  'a length that is not a number': (line) => [requestHead(line, json, 'content-length: 1e3') + body],
  'a huge length': (line) => [requestHead(line, json, `content-length: ${'9'.repeat(40)}`) + body],
  'two lengths': (line) => [requestHead(line, json, 'content-length: 16', 'content-length: 17') + body],
  'a length and chunks': (line) => [
    `${requestHead(line, json, 'content-length: 4', 'transfer-encoding: chunked')}0\r\n\r\nGET /x`,
  ],
  'chunks without a size': (line) => [
    `${requestHead(line, json, 'transfer-encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
  ],
  'truncated chunks': (line) => [`${requestHead(line, json, 'transfer-encoding: chunked')}ffff\r\n{"a":`],
  'a chunk of a huge size': (line) => [
    `${requestHead(line, json, 'transfer-encoding: chunked')}${'f'.repeat(30)}\r\n{}`,
  ],
  'an unknown transfer encoding': (line) => [requestHead(line, json, 'transfer-encoding: gzip') + body],
  'a compressed body': (line) => [
    `${requestHead(line, json, 'content-encoding: gzip', 'content-length: 2')}{}`,
  ],
  'a body in small pieces': (line) => [requestHead(line, json, 'content-length: 16'), ...body],
  'a head in small pieces': (line) => [...requestHead(line)].reduce<string[]>(inPieces, []),
  'a truncated upload': (line) => [
    requestHead(line, 'content-type: multipart/form-data; boundary=edge', 'content-length: 90000') +
      '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
    Buffer.alloc(2_000),
  ],
  'a truncated request line': ({ method }) => [`${method} /ap`],
  'not HTTP': () => ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  nothing: () => [''],
  'an unknown method': (line) => [requestHead({ ...line, method: 'LOOK' })],
  HEAD: (line) => [requestHead({ ...line, method: 'HEAD' })],
  OPTIONS: (line) => [requestHead({ ...line, method: 'OPTIONS', path: line.path })],
  TRACE: (line) => [requestHead({ ...line, method: 'TRACE' })],
  CONNECT: (line) => [requestHead({ ...line, method: 'CONNECT', path: 'hurt.example:443' })],
  'a long method': (line) => [requestHead({ ...line, method: 'A'.repeat(5_000) })],
  'no host': ({ method, path }) => [lines(`${method} ${path} HTTP/1.1`, close)],
  'two hosts': (line) => [requestHead(line, 'host: hurt.example')],
  'HTTP 1.0': ({ method, path }) => [lines(`${method} ${path} HTTP/1.0`)],
  'an unknown HTTP version': ({ method, path }) => [lines(`${method} ${path} HTTP/9.9`, host)],
  'an absolute URL': (line) => [requestHead({ ...line, path: `http://hurt.example${line.path}` })],
  'no path': (line) => [requestHead({ ...line, path: '*' })],
  'a path with a space': (line) => [requestHead({ ...line, path: `${line.path}/a b` })],
  'a path with NUL': (line) => [requestHead({ ...line, path: `${line.path}\0` })],
  'a path in plain UTF-8': (line) => [requestHead({ ...line, path: `${line.path}/m\u00f6bel` })],
  'a path in latin-1': (line) => [
    Buffer.from(requestHead({ ...line, path: `${line.path}/m\u00f6bel` }), 'latin1'),
  ],
  'path traversal': (line) => [requestHead({ ...line, path: `${line.path}/../../../../etc/passwd` })],
  'encoded path traversal': (line) => [
    requestHead({ ...line, path: '/assets/%2e%2e/%2e%2e/%2e%2e/package.json' }),
  ],
  'doubly encoded path traversal': (line) => [
    requestHead({ ...line, path: '/files/..%252f..%252fpackage.json' }),
  ],
  'a path with backslashes': (line) => [requestHead({ ...line, path: '/..\\..\\package.json' })],
  'broken percent encoding': (line) => [requestHead({ ...line, path: `${line.path}/%zz%` })],
  'a path of 60,000 characters': (line) => [requestHead({ ...line, path: `/${'a'.repeat(60_000)}` })],
  'a header of 60,000 characters': (line) => [requestHead(line, `x: ${'a'.repeat(60_000)}`)],
  'three thousand headers': (line) => [
    requestHead(line, ...Array.from({ length: 3_000 }, (_, at) => `x${at}: 1`)),
  ],
  'a header with NUL': (line) => [requestHead(line, 'x: a\0b')],
  'a header over two lines': (line) => [requestHead(line, 'x: a', ' b')],
  'a header without a name': (line) => [requestHead(line, ': a')],
  'a lone carriage return': (line) => [requestHead(line, 'x: a\rx-hurt: 1')],
  'a lone line feed': (line) => [requestHead(line, 'x: a\nx-hurt: 1')],
  'high bytes in headers': (line) => [
    Buffer.from(requestHead(line, 'user-agent: \xff\xfe', 'x: \x80'), 'latin1'),
  ],
  'malformed cookies': ({ method, path }) => [
    lines(
      `${method} ${path} HTTP/1.1`,
      host,
      close,
      'cookie: sid=%E0%A4%A; sid=s%3A.; =; __proto__=1; sid="',
    ),
  ],
  'a cookie with a found signature': ({ method, path }) => [
    lines(`${method} ${path} HTTP/1.1`, host, close, `cookie: sid=${'a'.repeat(43)}.${'b'.repeat(43)}`),
  ],
  'Expect: 100-continue': (line) => [
    requestHead(line, 'expect: 100-continue', json, 'content-length: 2'),
    '{}',
  ],
  'an unknown expectation': (line) => [requestHead(line, 'expect: the-moon')],
  'an upgrade': (line) => [
    lines(`${line.method} ${line.path} HTTP/1.1`, host, 'connection: upgrade', 'upgrade: websocket'),
  ],
  'an empty range': (line) => [requestHead(line, 'range: bytes=9-1,,-0')],
  'forged forwarding headers': (line) => [
    requestHead(line, 'x-forwarded-for: \', "', 'x-forwarded-proto: javascript'),
  ],
  'two pipelined requests': (line) => [
    requestHead(line).replace(close, 'connection: keep-alive') + requestHead(line),
  ],
}

function inPieces(pieces: string[], sign: string): string[] {
  const last = pieces.at(-1)
  if (last === undefined || last.length >= 40) pieces.push(sign)
  else pieces[pieces.length - 1] = last + sign
  return pieces
}

/** Sends every malformed request to a share of the calls, with a valid session. */
export async function fuzzSockets(
  world: FuzzWorld,
  calls: Call[],
  { random, share }: { random: Random; share: number },
): Promise<SocketOutcome> {
  const outcome: SocketOutcome = { times: 0, violations: [] }
  const most = Math.max(1, Math.round(calls.length * share))
  for (const [what, pieces] of Object.entries(malformed)) {
    const some = share >= 1 ? calls : Array.from({ length: most }, () => random.pick(calls))
    const found = await Promise.all(some.map((call) => send(world, call, what, pieces)))
    outcome.times += some.length
    outcome.violations.push(...found.flat())
    const health = await world.app.inject('/healthz')
    if (health.statusCode !== 200) outcome.violations.push(`the server is down after ${what}`)
  }
  return outcome
}

async function send(world: FuzzWorld, call: Call, what: string, pieces: Chunks): Promise<string[]> {
  const path = call.path.replace(/:\w+/g, '1')
  const chunks = pieces({ path, method: call.method, cookie: `cookie: ${world.people.buyer}` })
  const { answer, tookMs } = await exchange(Number(new URL(world.address).port), chunks)
  const found = checkRawResponse(answer)
  if (tookMs > MAX_RESPONSE_MS && call.reply !== 'events') found.push(`took ${Math.round(tookMs)} ms`)
  return found.map((words) => `${call.method} ${call.path}, ${what}: ${words}`)
}

/** Sends the chunks and returns everything until the server closes the connection. */
async function exchange(port: number, pieces: (string | Buffer)[]) {
  const startMs = performance.now()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  const received: Buffer[] = []
  socket.on('data', (bytes) => received.push(bytes))
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
  await Promise.race([ended, wait(TIMEOUT_MS)])
  socket.destroy()
  return { answer: Buffer.concat(received).toString('latin1'), tookMs: performance.now() - startMs }
}

const EMPTY_CHUNKED_BODY = '0\r\n\r\n'

/** Node itself refuses some requests with an empty body, which is allowed. */
function checkRawResponse(answer: string): string[] {
  const found: string[] = []
  for (const one of answer.split(/(?=HTTP\/1\.1 \d{3} )/)) {
    const [head = '', ...rest] = one.split('\r\n\r\n')
    const [first = '', ...headers] = head.split('\r\n')
    const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(first) ?? []
    const responseBody = rest.join('\r\n\r\n')
    if (status === undefined || responseBody === '' || responseBody === EMPTY_CHUNKED_BODY) continue
    const fields = Object.fromEntries(
      headers.map((line) => [line.split(':')[0]?.toLowerCase(), line.split(': ')[1]]),
    )
    if ('x-hurt' in fields) found.push('a header was injected')
    found.push(
      ...checkAnyResponse({ status: Number(status), headers: fields, body: responseBody, tookMs: 0 }),
    )
    if (/root:x:0|"workspaces"/.test(responseBody)) found.push('revealed a file')
  }
  return found
}
