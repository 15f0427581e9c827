import { type AddressInfo, connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { sql as query } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { createToken } from '../features/users/link-tokens.ts'
import { eventually } from '../testing/eventually.ts'
import { cookieOf, openWorld, PASSWORD, shareWorld } from '../testing/world.ts'
import { describeError, maskText } from './describe-error.ts'

const world = shareWorld()

describe('the log', () => {
  test('has one line per request, and no secrets even if queries fail', async () => {
    const lines: string[] = []
    const it = await openWorld({ LOG_LEVEL: 'trace', RATE_LIMIT: 'off' }, (line) => lines.push(line))
    const ada = await it.signUp('Ada')
    const token = await it.services.database.transact((tx) =>
      createToken(tx, { userId: ada.id, purpose: 'reset_password', email: ada.email }),
    )
    const from = { remoteAddress: '203.0.113.77', headers: { 'user-agent': 'Secret-Agent/7' } }
    const signedIn = await it.visitor('POST /api/auth/login', { email: ada.email, password: PASSWORD }, from)
    await it.visitor(`GET /api/wanted-items?search=secret-search&token=${token}`, undefined, from)
    await it.visitor(`GET /reset-password/${token}`, undefined, from)
    await it.visitor('GET /%zz', undefined, from)
    await ada.call('PUT /api/user/profile', { firstName: 'Secret-name', lastName: 'B', email: ada.email })
    // The statement fails with the session id among its parameters, like every statement of this session.
    await it.sql.query('alter table sessions rename column expire to gone')
    const failed = await ada.call('GET /api/messages')
    expect(failed.statusCode).toBe(500)
    await it.sql.query('alter table sessions rename column gone to expire')
    // PostgreSQL repeats the rejected row in the details of its error.
    await it.sql.query("alter table users add constraint no_more check (first_name <> 'Row-secret')")
    const rejected = await ada.call('PUT /api/user/profile', {
      firstName: 'Row-secret',
      lastName: 'B',
      email: ada.email,
    })
    expect(rejected.statusCode).toBe(500)

    await eventually(() => expect(lines.filter((line) => line.includes('"msg":"request"'))).toHaveLength(7))
    const written = lines.join('')
    const sid = decodeURIComponent(ada.cookie.slice('sid='.length))
    const newSid = decodeURIComponent(cookieOf(signedIn).slice('sid='.length))
    for (const secret of [
      sid,
      ...sid.split('.'),
      ...newSid.split('.'),
      token,
      PASSWORD,
      ada.email,
      '203.0.113.77',
      'secret-search',
      'Secret-name',
      'Row-secret',
      'Secret-Agent',
    ])
      expect(written).not.toContain(secret)

    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    expect(requests.map(({ method, route, status }) => `${method} ${route} ${status}`)).toEqual([
      'POST /api/auth/login 200',
      'GET /api/wanted-items 200',
      'GET none 404',
      'GET none 400',
      'PUT /api/user/profile 200',
      'GET /api/messages 500',
      'PUT /api/user/profile 500',
    ])
    for (const { ms, level } of requests) expect([typeof ms, level]).toEqual(['number', 30])
    const failure = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'unexpected error')
    expect(failure).toMatchObject({
      reqId: failed.headers['x-request-id'],
      err: {
        message: 'Failed query',
        query: expect.stringContaining('"sessions"'),
        cause: { code: '42703' },
      },
    })
    expect(requests.find(({ route }) => route === '/api/messages').reqId).toBe(failure.reqId)
  })

  test('has the requests of monitoring only at debug level', async () => {
    const levelsAt = async (level: string) => {
      const lines: string[] = []
      const { visitor } = await openWorld({ LOG_LEVEL: level }, (line) => lines.push(line))
      for (const path of ['/healthz', '/readyz', '/metrics', '/api/categories']) await visitor(`GET ${path}`)
      await eventually(() => expect(lines.join('')).toContain('/api/categories'))
      return lines.map((line) => JSON.parse(line)).map((line) => [line.route, line.level])
    }
    expect(await levelsAt('info')).toEqual([['/api/categories', 30]])
    expect(await levelsAt('debug')).toEqual(
      expect.arrayContaining([
        ['/healthz', 20],
        ['/readyz', 20],
        ['/metrics', 20],
        ['/api/categories', 30],
      ]),
    )
  })

  test('a failed job is logged without the parameters of its query', async () => {
    const it = world()
    const error = await it.services.database.read
      .execute(query`select ${'secret-parameter'}::integer`)
      .catch((error: unknown) => error)
    const described = JSON.stringify(describeError(new Error('outer', { cause: error })))
    expect(described).toContain('invalid input syntax for type integer')
    expect(described).not.toContain('secret-parameter')
  })

  test.each([
    ['550 <ada@example.com>: no such user', '550 <[email]>: no such user'],
    ['connect ECONNREFUSED 203.0.113.77:5432', 'connect ECONNREFUSED 203.0.113.x:5432'],
    ['from 2001:db8::ff00:42 at 12:30:45', 'from [ip] at 12:30:45'],
    ['GET https://example.com/a?token=abc failed', 'GET https://example.com/a?[query] failed'],
    ['connect ECONNREFUSED 127.0.0.77:5432', 'connect ECONNREFUSED 127.0.0.x:5432'],
  ])('%s is masked', (text, masked) => {
    expect(maskText(text)).toBe(masked)
  })
})

test('the server logs its own address in full', async () => {
  const lines: string[] = []
  const it = await openWorld({ LOG_LEVEL: 'info' }, (line) => lines.push(line))
  const address = await it.app.listen({ port: 0, host: '127.0.0.1' })
  await eventually(() => expect(lines.join('')).toContain(`Server listening at ${address}`))
  for (const { address: own } of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
    expect(maskText(`listening at ${own}`)).toBe(`listening at ${own}`)
})

describe('X-Request-Id', () => {
  test('is in every response, differs for each request, and cannot be chosen by the client', async () => {
    const it = world()
    const ada = await it.signUp('Ada')
    const headers = { 'x-request-id': 'mine' }
    const replies = [
      await it.visitor('GET /healthz', undefined, { headers }),
      await it.visitor('GET /api/categories', undefined, { headers }),
      await it.visitor('GET /api/nothing', undefined, { headers }),
      await it.visitor('GET /%zz', undefined, { headers }),
      await ada.call('GET /api/auth/user', undefined, { headers }),
      await it.visitor('POST /api/auth/login', undefined, { headers: { 'sec-fetch-site': 'cross-site' } }),
      await it.visitor('GET /sandbox/', undefined, { headers }),
    ]
    const ids = replies.map((reply) => reply.headers['x-request-id'])
    for (const id of ids) expect(id).toMatch(/^[\w-]{16}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is in the answer to input that is not HTTP', async () => {
    const it = await openWorld()
    await it.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = it.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    socket.end('NOT HTTP\r\n\r\n')
    const answer = (await socket.toArray()).join('')
    expect(answer).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[\s\S]*x-request-id: [\w-]{16}\r\n/)
  })
})
