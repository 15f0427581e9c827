import { expect, test } from 'vitest'
import { seedDemo } from '../src/demo/seed.ts'
import { cookieOf, openWorld } from './world.ts'

test('an empty database becomes a living market, once', async () => {
  const { services, sql, visitor } = await openWorld({ DEMO: 'on' })
  expect(await Promise.all([1, 2].map(() => seedDemo(services.database, services.files)))).toContain(true)
  expect(await seedDemo(services.database, services.files)).toBe(false)

  const { rows } = await sql.query(
    'select count(*)::int as requests, count(distinct category)::int as categories from wanted_items',
  )
  expect(rows).toEqual([{ requests: 42, categories: 8 }])
  expect((await sql.query('select 1 from users')).rowCount).toBe(12)

  const items = (await visitor('GET /api/wanted-items?limit=100')).json()
  const posted = items.map((item: { createdAt: string }) => item.createdAt)
  expect(posted).toEqual(posted.toSorted().toReversed())

  const { imageUrl } = items.find((item: { imageUrl: string | null }) => item.imageUrl)
  const picture = await visitor(`GET ${imageUrl}`)
  expect(picture.statusCode).toBe(200)
  expect(picture.headers).toMatchObject({
    'content-type': 'image/webp',
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=31536000, immutable',
  })
})

test('the three sign-ins that are offered work, and the admin is one', async () => {
  const { services, visitor } = await openWorld({ DEMO: 'on' })
  await seedDemo(services.database, services.files)
  const { demoSignIns } = (await visitor('GET /api/config')).json()
  expect(demoSignIns.map(({ role }: { role: string }) => role)).toEqual(['Buyer', 'Seller', 'Admin'])
  for (const { role, email, password } of demoSignIns) {
    const reply = await visitor('POST /api/auth/login', { email, password })
    expect(reply.statusCode).toBe(200)
    const isAdmin = await visitor('GET /api/user/is-admin', undefined, {
      headers: { cookie: cookieOf(reply) },
    })
    expect(isAdmin.json()).toEqual({ isAdmin: role === 'Admin' })
  }
})

test('a market that has people in it is left alone', async () => {
  const { services, sql, signUp } = await openWorld({ DEMO: 'on' })
  await signUp('Ada')
  expect(await seedDemo(services.database, services.files)).toBe(false)
  expect((await sql.query('select 1 from users')).rowCount).toBe(1)
})

test('production offers no sign-ins and no pages for developers', async () => {
  const { visitor } = await openWorld({
    NODE_ENV: 'production',
    SESSION_SECRET: 's'.repeat(32),
    DATA_KEY: 'd'.repeat(32),
  })
  const config = (await visitor('GET /api/config')).json()
  expect(config).toEqual({ currency: 'usd', provider: 'sandbox', publishableKey: null, googleSignIn: false })
})
