import { describe, expect, test } from 'vitest'
import { openWorld, shareWorld } from './world.ts'

const world = shareWorld()

describe('what cannot be read is refused, and says why', () => {
  test('an unknown address', async () => {
    const { visitor } = world()
    const reply = await visitor('GET /api/nowhere')
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toEqual({ code: 'not_found', message: 'There is nothing at this address.' })
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

  test('an id that is nobody’s', async () => {
    const { visitor } = world()
    const reply = await visitor('GET /api/wanted-items/2147483647')
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toEqual({ code: 'item_not_found', message: 'Item not found' })
  })

  test('a file name that would lead elsewhere', async () => {
    const { visitor } = world()
    for (const name of ['..%2f..%2fetc%2fpasswd', '%00', 'a'.repeat(150), 'secrets.json']) {
      expect((await visitor(`GET /files/${name}`)).statusCode).toBe(404)
    }
  })
})

describe('requests that another site makes a browser send', () => {
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
    ['an Origin of no site', { origin: 'null' }],
    ['our name on another port', { origin: 'http://sought.example:81' }],
  ])('%s is refused', async (_, headers) => {
    expect(await from(headers)).toBe('cross_site')
  })

  test.each([
    ['our own page', { 'sec-fetch-site': 'same-origin' }],
    ['an address typed in', { 'sec-fetch-site': 'none' }],
    ['our Origin', { origin: 'http://sought.example' }],
    ['a caller that is no browser', {}],
  ])('%s is let in', async (_, headers) => {
    expect(await from(headers)).toBe('wrong_credentials')
  })
})

describe('headers', () => {
  test('scripts come from us alone, none inline and none evaluated', async () => {
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
    ['a call that is none', '/api/nothing-here'],
  ])('what %s answers is no page: it may load nothing and stand in no frame', async (_, url) => {
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

  test('with real Stripe keys its script is let in, and with none it is not', async () => {
    const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
    const { visitor } = await openWorld(keys)
    const { headers } = await visitor('GET /api/docs')
    expect(headers['content-security-policy']).toContain("script-src 'self' https://js.stripe.com;")
  })

  test('what is answered to one person is not kept for another', async () => {
    const { signUp } = world()
    const { call } = await signUp('Ada')
    expect((await call('GET /api/auth/user')).headers['cache-control']).toBe('no-store')
  })
})

test('an error of ours says nothing of its cause', async () => {
  const { visitor, sql } = await openWorld()
  await sql.query('drop table wanted_items cascade')
  const reply = await visitor('GET /api/wanted-items')
  expect(reply.statusCode).toBe(500)
  expect(reply.body).toBe(
    '{"code":"internal","message":"Something went wrong on our side. Please try again."}',
  )
})
