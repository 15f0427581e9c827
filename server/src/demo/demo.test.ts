import { PAYMENT_STATUSES } from '@sought/escrow/payment-status'
import { Logger, runOnce } from 'graphile-worker'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkLedger } from '../features/money/ledger/check-ledger.ts'
import { type Sweep, sweeps } from '../jobs/sweeps.ts'
import { buildTasks } from '../jobs/worker.ts'
import type { Services } from '../services.ts'
import { cookieOf, openWorld, shareWorld } from '../testing/world.ts'
import { seedDemo } from './seed.ts'

/** Seeding takes a few seconds, and much longer on a busy machine. */
const SEED_TIMEOUT_MS = 300_000

async function expectBooksRight({ sandbox, database, cards }: Services): Promise<void> {
  const started = await sandbox?.start(null)
  const { problems, payments } = await checkLedger(database.read, cards).finally(() => started?.stop())
  expect({ problems, payments }).toEqual({ problems: [], payments: 20 })
}

/** Fails when almost everything is seeded. */
async function seedWithFullDisk(services: Services): Promise<void> {
  const { put } = services.files
  let stored = 0
  services.files.put = async (...file) => {
    stored++
    // The first three files are evidence. When they are stored, all payments have been made.
    if (stored === 4) throw new Error('the disk is full')
    return put(...file)
  }
  await seedDemo(services).finally(() => {
    services.files.put = put
  })
}

interface Line {
  wantedItem: { title: string }
  user: { name: string }
  unreadCount: number
}

interface Listed {
  payments: { id: number; status: string }
}

interface Offered {
  status: string
  proposedBy: string
  expiresAt: string
  amount: number
}

describe('in the demo market', () => {
  const world = shareWorld({ DEMO: 'on' })
  let seeded: boolean[] = []
  beforeAll(async () => {
    seeded = await Promise.all([1, 2].map(() => seedDemo(world().services)))
  }, SEED_TIMEOUT_MS)

  const signIn = async (name: 'buyer' | 'seller' | 'admin' | 'moderator') => {
    const { visitor } = world()
    const account = { email: `${name}@demo.sought.example`, password: `demo-${name}` }
    const headers = { cookie: cookieOf(await visitor('POST /api/auth/login', account)) }
    return async (call: string) => (await visitor(call, undefined, { headers })).json()
  }

  test('an empty database is filled once, by one of two processes', async () => {
    const { services, sql } = world()
    expect(seeded.toSorted()).toEqual([false, true])
    expect(await seedDemo(services)).toBe(false)
    const { rows } = await sql.query(
      'select count(*)::int as requests, count(distinct category)::int as categories from wanted_items',
    )
    expect(rows).toEqual([{ requests: 60, categories: 8 }])
    expect((await sql.query('select 1 from users')).rowCount).toBe(14)
  })

  test('old notifications are read, new ones are not, and no emails were sent', async () => {
    const { rows } = await world().sql.query(
      `select count(*) > 100 as many, bool_or(read_at is null) as unread, bool_or(read_at is not null) as read,
         (select count(*)::int from mails) as mails, (select count(*)::int from users where mail_off <> '{}') as off
       from notifications`,
    )
    expect(rows).toEqual([{ many: true, unread: true, read: true, mails: 0, off: 0 }])
  })

  test('requests are listed newest first, with pictures', async () => {
    const { visitor } = world()
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

  test('all offered sign-ins work, and those of the team have their roles', async () => {
    const { visitor } = world()
    const { demoSignIns } = (await visitor('GET /api/config')).json()
    expect(demoSignIns.map(({ role }: { role: string }) => role)).toEqual([
      'Buyer',
      'Seller',
      'Admin',
      'Moderator',
    ])
    const roles: Record<string, string> = { Admin: 'admin', Moderator: 'moderator' }
    for (const { role, email, password } of demoSignIns) {
      const reply = await visitor('POST /api/auth/login', { email, password })
      expect(reply.statusCode).toBe(200)
      const isAdmin = await visitor('GET /api/user/is-admin', undefined, {
        headers: { cookie: cookieOf(reply) },
      })
      expect(isAdmin.json()).toEqual({ isAdmin: role === 'Admin', role: roles[role] ?? null })
    }
  })

  test('the buyer has receipts, and the seller a numbered statement of an earlier month', async () => {
    const buyer = await signIn('buyer')
    const payments = await buyer('GET /api/payments')
    const refunded = payments.find((it: Listed) => it.payments.status === 'resolved_partial')
    expect(await buyer(`GET /api/payments/${refunded.payments.id}/receipt`)).toMatchObject({
      number: expect.stringMatching(/^R-/),
      price: 12_000,
      returns: [{ kind: 'refund', amount: 3_000 }],
    })
    const seller = await signIn('seller')
    const months = await seller('GET /api/seller/statements')
    const { month } = months.findLast(({ draft }: { draft: boolean }) => !draft)
    expect(await seller(`GET /api/seller/statements/${month}`)).toMatchObject({
      number: `S-${month}-000001`,
      accounts: [{ opening: 0, lines: expect.arrayContaining([expect.objectContaining({ kind: 'sale' })]) }],
    })
  })

  test('the three people have conversations and offers in every state', async () => {
    const buyer = await signIn('buyer')
    const seller = await signIn('seller')
    const admin = await signIn('admin')

    const lines = async (who: typeof buyer) =>
      (await who('GET /api/conversations')).map(
        ({ wantedItem, user, unreadCount }: Line) =>
          `${wantedItem.title.split(' ', 2).join(' ')}, ${user.name}: ${unreadCount}`,
      )
    expect(await lines(buyer)).toEqual([
      'Indigo cotton, Priya Venkataraman: 0',
      'Olympus OM-1, Yūto Hayashi: 2',
      'Olympus OM-1, Maria Alexandra Theodora Konstantinidou-Papathanasopoulou: 0',
      'Signed first, Hélène Aubry: 2',
      'Wall clock, Tomasz Wilk: 0',
      'One desk, Tomasz Wilk: 0',
      'Slide projector, Priya Venkataraman: 0',
      'Darkroom timer, Yūto Hayashi: 0',
      'Hand-crank sewing, Tomasz Wilk: 0',
      'Cable release, Dale Whitcomb: 0',
      'Brown leather, Sam Okafor: 0',
      'Wool blanket,, Liesel Brandt: 0',
      'Hand-crank sewing, Ruth Mackay: 0',
      'Embroidery stand, Hélène Aubry: 0',
      'Family board, Maria Alexandra Theodora Konstantinidou-Papathanasopoulou: 0',
      'Porcelain tea, Tomasz Wilk: 0',
      'Film scanner, Tomasz Wilk: 0',
    ])
    expect(await lines(seller)).toEqual([
      'Right-hand side, Joaquín Prieto: 0',
      'Portable typewriter, Liesel Brandt: 1',
      'Type drawer, Hélène Aubry: 1',
      'Wall clock, Nadia Rahman: 1',
      'One desk, Nadia Rahman: 1',
      'Hand-crank sewing, Nadia Rahman: 0',
      'Old railway, Sam Okafor: 0',
      'Gear lever, Dale Whitcomb: 0',
      'Two bentwood, Hélène Aubry: 0',
      'Wall-mounted coffee, Joaquín Prieto: 0',
      'Brass barometer, Ingrid Solberg: 0',
      'Small bench, Liesel Brandt: 0',
      'Porcelain tea, Nadia Rahman: 0',
      'Film scanner, Nadia Rahman: 0',
    ])
    expect(await lines(admin)).toEqual([
      'Two-piece kayak, Ruth Mackay: 1',
      'One white, Joaquín Prieto: 1',
      'Brass barometer, Tomasz Wilk: 0',
    ])

    const states = async (who: typeof buyer) =>
      (await who('GET /api/offers')).map(({ status, proposedBy, expiresAt, amount }: Offered) => {
        const expired = status === 'pending' && Date.parse(expiresAt) < Date.now()
        return `${proposedBy} ${amount} ${expired ? 'expired' : status}`
      })
    const isAccepted = (state: string) => state.endsWith(' accepted')
    const ofBuyer: string[] = await states(buyer)
    expect(ofBuyer.filter((state) => !isAccepted(state))).toEqual([
      'seller 20500 rejected',
      'seller 24000 pending',
      'buyer 9850 pending',
      'seller 11200 pending',
      'seller 19000 rejected',
      'seller 8500 expired',
    ])
    expect(ofBuyer.filter(isAccepted)).toHaveLength(12)
    const ofSeller: string[] = await states(seller)
    expect(ofSeller.filter((state) => !isAccepted(state))).toEqual([
      'seller 12000 pending',
      'seller 9500 pending',
      'buyer 9850 pending',
      'seller 11200 pending',
      'seller 19000 rejected',
      'seller 15000 withdrawn',
    ])
    expect(ofSeller.filter(isAccepted)).toHaveLength(10)
  })

  test('payments, payouts and disputes are in every state', async () => {
    const { sql } = world()
    const statuses = async (query: string) => (await sql.query(query)).rows.map(({ status }) => status)
    expect(await statuses('select distinct status from payments order by status')).toEqual(
      PAYMENT_STATUSES.toSorted(),
    )
    const reserved = await sql.query(
      `select distinct i.status from wanted_items i join payments p on p.wanted_item_id = i.id
       where p.status in ('held_in_escrow', 'disputed', 'under_review')`,
    )
    expect(reserved.rows).toEqual([{ status: 'reserved' }])
    expect(
      await statuses(
        "select distinct coalesce(method, 'no account') || ', ' || status as status from payouts order by status",
      ),
    ).toEqual(['manual, owed', 'manual, paid', 'no account, owed', 'transfer, paid'])
    const { rows } = await sql.query(
      `select bool_or(buyer_confirmed_at is not null) as confirmed,
         bool_or(buyer_confirmed_at is null and funds_released_at = escrow_hold_until) as released,
         bool_or(bank_decides) as "chargedBack",
         bool_or(status = 'held_in_escrow' and escrow_hold_until < now() + interval '1 day') as ending,
         bool_or(status = 'held_in_escrow' and escrow_hold_until > now() + interval '6 days') as fresh,
         bool_and(created_at <= now()) as past
       from payments`,
    )
    expect(rows).toEqual([
      { confirmed: true, released: true, chargedBack: true, ending: true, fresh: true, past: true },
    ])
  })

  test('one goodwill payment waits to be paid', async () => {
    const admin = await signIn('admin')
    const listed = await admin('GET /api/admin/goodwill')
    expect(listed).toMatchObject([{ to: 'buyer', amount: 15_00, status: 'done', paidAt: null }])
  })

  test('disputes have reasons, statements, photos and a timeline', async () => {
    const admin = await signIn('admin')
    const disputes = await admin('GET /api/admin/disputes')
    expect(disputes.map(({ status }: { status: string }) => status)).toEqual([
      'disputed',
      'disputed',
      'under_review',
      'resolved_seller',
      'under_review',
      'resolved_buyer',
      'resolved_partial',
    ])
    const kinds = new Set<string>()
    for (const { id, disputeReason } of disputes) {
      const { evidence, timeline } = await admin(`GET /api/admin/disputes/${id}/details`)
      expect(disputeReason.length).toBeGreaterThan(20)
      expect(timeline.length).toBeGreaterThan(0)
      for (const { type } of evidence) kinds.add(type)
    }
    expect([...kinds].sort()).toEqual(['image', 'text'])
  })

  test.each([
    ['buyer', []],
    ['seller', ['GET /api/saved-searches', 'GET /api/user/matches']],
    [
      'admin',
      [
        'GET /api/admin/disputes',
        'GET /api/admin/disputes?show=mine',
        'GET /api/admin/appeals',
        'GET /api/admin/replies',
        'GET /api/admin/payouts?status=owed',
        'GET /api/admin/payouts?status=paid',
      ],
    ],
  ] as const)('no list of the %s is empty', async (name, more) => {
    const person = await signIn(name)
    for (const call of [
      'GET /api/conversations',
      'GET /api/messages',
      'GET /api/offers',
      'GET /api/payments',
      'GET /api/notifications',
      'GET /api/user/wanted-items',
      'GET /api/user/purchases',
      'GET /api/seller/payouts',
      ...more,
    ]) {
      expect((await person(call)).length, call).toBeGreaterThan(0)
    }
    expect((await person('GET /api/notifications/unread')).unread).toBeGreaterThan(0)
  })

  test('moderators have an appeal and a reported message, request and review to decide', async () => {
    const moderator = await signIn('moderator')
    const cases: { kind: string; appeal: object | null; person: { decisions: object[] } }[] =
      await moderator('GET /api/admin/moderation')
    expect(cases.map(({ kind, appeal }) => `${kind}${appeal ? ', appeal' : ''}`).toSorted()).toEqual([
      'message',
      'message, appeal',
      'request',
      'review',
    ])
    expect(cases.find(({ appeal }) => appeal)?.person.decisions).toMatchObject([{ action: 'warn' }])
  })

  test('tickets are open, answered and closed', async () => {
    const admin = await signIn('admin')
    const found: { status: string; person: object | null }[] = await admin('GET /api/admin/tickets')
    expect(found.map(({ status, person }) => `${status}${person ? '' : ' from a visitor'}`)).toEqual([
      'open from a visitor',
      'answered',
      'closed',
    ])
  })

  test('no request has changed since its offers were made', async () => {
    const { rows } = await world().sql.query('select id, version from wanted_items where version > 1')
    expect(rows).toEqual([])
  })

  test('the seller has ratings with feedback', async () => {
    const { visitor } = world()
    expect((await visitor('GET /api/users/demo-seller')).json().rating).toBe(4.5)
    const feedback = (await visitor('GET /api/users/demo-seller/feedback')).json()
    expect(feedback.map(({ rating }: { rating: number }) => rating)).toEqual([5, 4, 4, 5])
    const buyer = (await visitor('GET /api/users/demo-buyer')).json()
    expect(buyer).toMatchObject({ asBuyer: { rating: 5, count: 1 }, asSeller: { rating: 5, count: 1 } })
    // Her review waits for the other person's.
    expect((await visitor('GET /api/users/demo-buyer/reviews')).json()).toMatchObject([{ as: 'buyer' }])
  })

  test('the ledger is consistent and agrees with the provider, and the sweeps find nothing to do', async () => {
    const { services, sql } = world()
    await expectBooksRight(services)
    const counts = async () =>
      (
        await sql.query(
          `select (select count(*) from ledger_entries) as entries, (select count(*) from notifications) as notes,
             (select count(*) from mails) as mails, (select count(*) from dispute_timeline) as timeline,
             (select json_agg(status order by id) from payments) as payments,
             (select json_agg(status order by id) from payouts) as payouts`,
        )
      ).rows
    const before = await counts()
    const started = await services.sandbox?.start(null)
    const everySweep: Sweep[] = Object.values(sweeps)
    for (const sweep of everySweep) await sweep(services, new AbortController().signal)
    const logger = new Logger(() => () => {})
    const taskList = buildTasks(services)
    await runOnce({ pgPool: services.database.pool, taskList, logger, noHandleSignals: true })
    await started?.stop()
    expect(await counts()).toEqual(before)
    await expectBooksRight(services)
  })

  test('messages and offers are newer than their request, and ids grow with time', async () => {
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

test('a seed that fails leaves an empty database, and the next start fills it', {
  tags: ['proof'],
  timeout: SEED_TIMEOUT_MS,
}, async () => {
  const { services, sql } = await openWorld({ DEMO: 'on' })
  await expect(seedWithFullDisk(services)).rejects.toThrow('the disk is full')
  expect((await sql.query('select 1 from users')).rowCount).toBe(0)
  expect(await seedDemo(services)).toBe(true)
})

test('without the sandbox, the demo has conversations but no payments', {
  tags: ['proof'],
  timeout: SEED_TIMEOUT_MS,
}, async () => {
  const { services, sql } = await openWorld({
    DEMO: 'on',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  })
  expect(await seedDemo(services)).toBe(true)
  expect((await sql.query('select 1 from payments')).rowCount).toBe(0)
  expect((await sql.query('select 1 from offers')).rowCount).toBeGreaterThan(5)
})

test('a database with users is not filled', async () => {
  const { services, sql, signUp } = await openWorld({ DEMO: 'on' })
  await signUp('Ada')
  expect(await seedDemo(services)).toBe(false)
  expect((await sql.query('select 1 from users')).rowCount).toBe(1)
})

test('production offers no demo sign-ins and no developer pages', async () => {
  const { visitor } = await openWorld({
    NODE_ENV: 'production',
    SESSION_SECRET: 's'.repeat(32),
    DATA_KEY: 'd'.repeat(32),
  })
  const { market, ...config } = (await visitor('GET /api/config')).json()
  expect(market.name).toBe('Sought')
  expect(config).toEqual({
    currency: 'usd',
    currencies: [{ code: 'usd', decimals: 2, minCharge: 50, maxCharge: 99_999_999 }],
    provider: 'stripe',
    publishableKey: null,
    googleSignIn: false,
  })
})
