import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openWorld, shareWorld } from '../testing/world.ts'

const world = shareWorld()

describe('malformed requests are refused with the reason', () => {
  test('an unknown path', async () => {
    const { visitor } = world()
    const reply = await visitor('GET /api/nowhere')
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toEqual({ code: 'not_found', message: 'Nothing was found at this address.' })
  })

  test.each([
    ['malformed JSON', '{"email": ', 'application/json', 400, 'malformed'],
    ['a bare word', 'hello', 'application/json', 400, 'malformed'],
    ['a prototype', '{"__proto__": {"isAdmin": true}}', 'application/json', 400, 'malformed'],
    ['a form', 'email=a', 'application/x-www-form-urlencoded', 415, 'wrong_type'],
    ['plain text', 'hello', 'text/plain', 415, 'wrong_type'],
    ['an array', '[]', 'application/json', 422, 'invalid'],
    ['nothing', '', 'application/json', 422, 'invalid'],
    ['too much', JSON.stringify({ email: 'a'.repeat(300_000) }), 'application/json', 413, 'too_large'],
  ])('%s', async (_, body, contentType, status, code) => {
    const { app } = world()
    const reply = await app.inject({
      method: 'POST',
      url: '/api/auth/signup',
      body,
      headers: { 'content-type': contentType },
    })
    expect(reply.statusCode).toBe(status)
    expect(reply.json().code).toBe(code)
  })

  test.each(['abc', '0', '-1', '1.5', '1e3', '0x10', '99999999999', '2147483648', '%00'])(
    'the id %s',
    async (id) => {
      const { visitor } = world()
      const reply = await visitor(`GET /api/wanted-items/${id}`)
      expect(reply.statusCode).toBe(422)
      expect(reply.json()).toMatchObject({ code: 'invalid', issues: [{ path: 'id' }] })
    },
  )

  test('a limit out of range, with the allowed range', async () => {
    const { visitor } = world()
    const reply = await visitor('GET /api/wanted-items?limit=1000')
    expect(reply.statusCode).toBe(422)
    expect(reply.json().issues).toEqual([
      { path: 'limit', message: 'Must be a whole number between 1 and 100' },
    ])
  })

  test.each(['search[]=a', 'search[0]=a', 'search[a]=b', 'search%5B%5D=a', 'search[]=a&search=b'])(
    'the query %s, because no parameter is an array',
    async (query) => {
      const { visitor } = world()
      const reply = await visitor(`GET /api/wanted-items?${query}`)
      expect(reply.statusCode).toBe(422)
      expect(reply.json()).toMatchObject({
        code: 'invalid',
        issues: [{ path: 'search', message: 'Must be a single value, without brackets' }],
      })
    },
  )

  test('a repeated query parameter, unless the call ignores it', async () => {
    const { visitor } = world()
    const reply = await visitor('GET /api/wanted-items?search=a&search=b&limit=5&limit=5')
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({
      code: 'invalid',
      issues: [
        { path: 'search', message: 'Must be given only once' },
        { path: 'limit', message: 'Must be given only once' },
      ],
    })
    expect((await visitor('GET /api/wanted-items?from=mail&from=chat')).statusCode).toBe(200)
  })

  test('an id that does not exist', async () => {
    const { visitor } = world()
    const reply = await visitor('GET /api/wanted-items/2147483647')
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toEqual({ code: 'item_not_found', message: 'Item not found' })
  })

  test('a file name with a path', async () => {
    const { visitor } = world()
    for (const name of ['..%2f..%2fetc%2fpasswd', '%00', 'a'.repeat(150), 'secrets.json']) {
      expect((await visitor(`GET /files/${name}`)).statusCode).toBe(404)
    }
  })
})

describe('requests that the framework refuses get our error format', () => {
  test.each([
    ['a single percent sign', '/api/wanted-items/%', 400, 'malformed'],
    ['an invalid percent encoding', '/api/wanted-items/%zz', 400, 'malformed'],
    ['a path parameter that is too long', `/api/wanted-items/${'9'.repeat(201)}`, 404, 'not_found'],
    ['a file name that is too long', `/${'a'.repeat(300)}`, 404, 'not_found'],
    ['a file with NUL in its name', '/lamp.png%00.exe', 404, 'not_found'],
    ['NUL in a device id', '/api/user/devices/x%00', 404, 'not_found'],
    ['an empty path segment', '/api/wanted-items//', 404, 'not_found'],
  ])('%s', async (_, url, status, code) => {
    const reply = await world().app.inject(url)
    expect(reply.statusCode).toBe(status)
    expect(Object.keys(reply.json())).toEqual(['code', 'message'])
    expect(reply.json().code).toBe(code)
    expect(reply.headers).toMatchObject({ 'x-content-type-options': 'nosniff' })
    expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  })

  test('NUL in a device id, signed in', async () => {
    const { call } = await world().signUp('Nul')
    expect((await call('DELETE /api/user/devices/x%00')).statusCode).toBe(422)
  })

  test.each([
    ['JSON that is not UTF-8', Buffer.from('{"title":"m\xf6bel"}', 'latin1'), 400, 'malformed'],
    ['half of a surrogate pair', '{"title":"\\ud800"}', 422, 'invalid'],
  ])('%s', async (_, body, status, code) => {
    const { app, signUp } = world()
    const { cookie } = await signUp(`Half${status}`)
    const headers = { cookie, 'content-type': 'application/json' }
    const reply = await app.inject({ method: 'POST', url: '/api/wanted-items', body, headers })
    expect(reply.statusCode).toBe(status)
    expect(reply.json().code).toBe(code)
    if (status === 422) {
      const message = 'Contains a character that cannot be stored'
      expect(reply.json().issues).toContainEqual({ path: 'title', message })
    }
  })

  const file = 'content-disposition: form-data; name="avatar"; filename="a.png"'
  test.each([
    ['without parts', '--edge\r\n', 400, 'malformed'],
    ['that ends early', `--edge\r\n${file}\r\n\r\nabc`, 400, 'malformed'],
    ['with an unfinished part header', `--edge\r\n${file}\r\n--edge--\r\n`, 400, 'malformed'],
    ['with JSON in a field', field('{"a":1}'), 415, 'wrong_type'],
    ['with broken JSON in a field', field('{"a":'), 415, 'wrong_type'],
  ])('an upload %s', async (what, body, status, code) => {
    const { app, signUp } = world()
    const { cookie } = await signUp(`Upload${what.length}`)
    const headers = { cookie, 'content-type': 'multipart/form-data; boundary=edge' }
    const reply = await app.inject({ method: 'POST', url: '/api/user/upload-avatar', body, headers })
    expect(reply.statusCode).toBe(status)
    expect(reply.json().code).toBe(code)
  })

  function field(json: string): string {
    const head = 'content-disposition: form-data; name="note"\r\ncontent-type: application/json'
    return `--edge\r\n${head}\r\n\r\n${json}\r\n--edge\r\n${file}\r\n\r\nabc\r\n--edge--\r\n`
  }

  test.each([
    ['input that is not HTTP', 'hello\r\n\r\n', '400 Bad Request', 'malformed'],
    ['an endless header', `GET / HTTP/1.1\r\nx: ${'a'.repeat(40_000)}`, '413 Payload Too Large', 'too_large'],
  ])('%s', async (_, sent, status, code) => {
    const { app } = await openWorld()
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(sent)
    const answer = (await socket.setEncoding('utf8').toArray()).join('')
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status}\r\n`))
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code })
  })

  test('the list of validation issues is limited', async () => {
    const { call } = await world().signUp('Many')
    const replies = [
      await call('PUT /api/user/mail-settings', { off: Array(60_000).fill('x') }),
      await call(`GET /api/wanted-items?${Array.from({ length: 60 }, (_, at) => `a[${at}]=1`).join('&')}`),
    ]
    for (const reply of replies) {
      expect(reply.statusCode).toBe(422)
      expect(reply.json().issues).toHaveLength(20)
      expect(reply.body.length).toBeLessThan(12_000)
    }
  })

  test('slow requests time out', () => {
    expect(world().app.server.requestTimeout).toBe(300_000)
  })
})

describe('cross-site requests', () => {
  const body = { email: 'a@example.com', password: 'guess' }
  const from = async (headers: Record<string, string>) => {
    const { visitor } = world()
    const reply = await visitor('POST /api/auth/login', body, {
      headers: { host: 'sought.example', ...headers },
    })
    return reply.json().code
  }

  test.each([
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
    ['another Origin', { origin: 'https://evil.example' }],
    ['the Origin null', { origin: 'null' }],
    ['our host on another port', { origin: 'http://sought.example:81' }],
  ])('%s is refused', async (_, headers) => {
    expect(await from(headers)).toBe('cross_site')
  })

  test.each([
    ['our own page', { 'sec-fetch-site': 'same-origin' }],
    ['a URL typed by the user', { 'sec-fetch-site': 'none' }],
    ['our Origin', { origin: 'http://sought.example' }],
    ['a client that is not a browser', {}],
  ])('%s is accepted', async (_, headers) => {
    expect(await from(headers)).toBe('wrong_credentials')
  })
})

describe('headers', () => {
  test('only the page to which the onboarding pop-up returns keeps its connection to the opener', async () => {
    const openerPolicy = async (url: string) =>
      (await world().app.inject(url)).headers['cross-origin-opener-policy']
    expect(await openerPolicy('/seller-setup?success=true')).toBe('unsafe-none')
    expect(await openerPolicy('/seller-setup')).toBe('same-origin-allow-popups')
    expect(await openerPolicy('/')).toBe('same-origin-allow-popups')
  })

  test('only our own scripts may run, neither inline nor evaluated', async () => {
    const { visitor } = world()
    const { headers } = await visitor('GET /api/docs')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe-eval')
    expect(policy).toContain("object-src 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['permissions-policy']).toBe('camera=(), geolocation=(), microphone=(), payment=(self)')
  })

  test.each([
    ['a call', '/api/config'],
    ['a refusal', '/api/wanted-items/1'],
    ['an unknown call', '/api/nothing-here'],
  ])('the reply to %s may load nothing and cannot be framed', async (_, url) => {
    const { visitor } = await openWorld({ PUBLIC_URL: 'https://sought.example' })
    const { headers } = await visitor(`GET ${url}`)
    expect(headers).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  })

  test('Stripe’s scripts, frames and wallets are allowed only with real Stripe keys', async () => {
    const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
    const { visitor } = await openWorld(keys)
    const { headers } = await visitor('GET /api/docs')
    const policy = String(headers['content-security-policy'])
    expect(policy.split(';')).toEqual(
      expect.arrayContaining([
        "script-src 'self' https://js.stripe.com https://*.js.stripe.com https://maps.googleapis.com",
        "connect-src 'self' https://api.stripe.com https://r.stripe.com https://maps.googleapis.com https://link.com https://*.link.com",
        'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://link.com https://*.link.com',
        "img-src 'self' data: blob: https://*.link.com",
      ]),
    )
    expect(headers['permissions-policy']).toContain(
      'payment=(self "https://js.stripe.com" "https://*.js.stripe.com")',
    )
  })

  test('replies to signed-in users are not cached', async () => {
    const { signUp } = world()
    const { call } = await signUp('Ada')
    expect((await call('GET /api/auth/user')).headers['cache-control']).toBe('no-store')
  })
})

test('an internal error does not reveal its cause', async () => {
  const { visitor, sql } = await openWorld()
  await sql.query('drop table wanted_items cascade')
  const reply = await visitor('GET /api/wanted-items')
  expect(reply.statusCode).toBe(500)
  expect(reply.body).toBe(
    '{"code":"internal","message":"Something went wrong on our side. Please try again."}',
  )
})
