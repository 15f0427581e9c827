import { beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, openWorld, shareWorld } from '../testing/world.ts'
import { seedDemo } from './seed.ts'

test('an empty database becomes a living market, once', async () => {
  const { services, sql, visitor } = await openWorld({ DEMO: 'on' })
  expect(await Promise.all([1, 2].map(() => seedDemo(services.database, services.files)))).toContain(true)
  expect(await seedDemo(services.database, services.files)).toBe(false)

  const { rows } = await sql.query(
    'select count(*)::int as requests, count(distinct category)::int as categories from wanted_items',
  )
  expect(rows).toEqual([{ requests: 42, categories: 8 }])
  expect((await sql.query('select 1 from users')).rowCount).toBe(12)

  // What people were told of it stands under the bell, the old part of it read; nobody was mailed.
  const { rows: told } = await sql.query(
    `select count(*) > 20 as told, bool_or(read_at is null) as unread, bool_or(read_at is not null) as read,
       (select count(*)::int from mails) as mails, (select count(*)::int from users where mail_off <> '{}') as off
     from notifications`,
  )
  expect(told).toEqual([{ told: true, unread: true, read: true, mails: 0, off: 0 }])

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

interface Line {
  wantedItem: { title: string }
  user: { name: string }
  unreadCount: number
}

interface Offered {
  status: string
  proposedBy: string
  expiresAt: string
  amount: number
}

describe('in the demo market', () => {
  const world = shareWorld({ DEMO: 'on' })
  beforeAll(() => seedDemo(world().services.database, world().services.files))

  test('the three sign-ins that are offered work, and the admin is one', async () => {
    const { visitor } = world()
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

  test('the sign-ins find conversations and offers in every state', async () => {
    const { visitor } = world()
    const signIn = async (email: string, password: string) => {
      const headers = { cookie: cookieOf(await visitor('POST /api/auth/login', { email, password })) }
      return async (call: string) => (await visitor(call, undefined, { headers })).json()
    }
    const buyer = await signIn('buyer@demo.sought.example', 'demo-buyer')
    const seller = await signIn('seller@demo.sought.example', 'demo-seller')
    const admin = await signIn('admin@demo.sought.example', 'demo-admin')

    const lines = async (who: typeof buyer) =>
      (await who('GET /api/conversations')).map(
        ({ wantedItem, user, unreadCount }: Line) =>
          `${wantedItem.title.split(' ', 2).join(' ')}, ${user.name}: ${unreadCount}`,
      )
    expect(await lines(buyer)).toEqual([
      'Olympus OM-1, Yūto Hayashi: 2',
      'Olympus OM-1, Maria Alexandra Theodora Konstantinidou-Papathanasopoulou: 0',
      'Signed first, Hélène Aubry: 2',
      'One desk, Tomasz Wilk: 0',
      'Hand-crank sewing, Tomasz Wilk: 0',
      'Hand-crank sewing, Ruth Mackay: 0',
    ])
    expect(await lines(seller)).toEqual([
      'Right-hand side, Joaquín Prieto: 0',
      'Portable typewriter, Liesel Brandt: 1',
      'One desk, Nadia Rahman: 1',
      'Hand-crank sewing, Nadia Rahman: 0',
      'Two bentwood, Hélène Aubry: 0',
    ])
    expect(await lines(admin)).toEqual(['One white, Joaquín Prieto: 1'])

    const states = async (who: typeof buyer) =>
      (await who('GET /api/offers')).map(({ status, proposedBy, expiresAt, amount }: Offered) => {
        const expired = status === 'pending' && Date.parse(expiresAt) < Date.now()
        return `${proposedBy} ${amount} ${expired ? 'expired' : status}`
      })
    expect(await states(buyer)).toEqual([
      'seller 20500 rejected',
      'seller 24000 pending',
      'buyer 9850 pending',
      'seller 11200 pending',
      'seller 16400 accepted',
      'seller 19000 rejected',
      'seller 8500 expired',
    ])
    expect(await states(seller)).toEqual([
      'seller 12000 pending',
      'seller 9500 pending',
      'buyer 9850 pending',
      'seller 11200 pending',
      'seller 16400 accepted',
      'seller 19000 rejected',
      'seller 15000 withdrawn',
    ])
  })

  test('nothing in the demo is told before its request was posted, and ids grow with time', async () => {
    const { sql } = world()
    for (const table of ['messages', 'offers']) {
      const { rows } = await sql.query(
        `select it.created_at > item.created_at as after, it.created_at
       from ${table} it join wanted_items item on item.id = it.wanted_item_id order by it.id`,
      )
      expect(rows.length, table).toBeGreaterThan(5)
      expect(
        rows.every(({ after }) => after),
        table,
      ).toBe(true)
      const moments = rows.map(({ created_at }) => created_at.getTime())
      expect(moments, table).toEqual(moments.toSorted((one, two) => one - two))
    }
  })
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
  expect(config).toEqual({ currency: 'usd', provider: 'stripe', publishableKey: null, googleSignIn: false })
})
