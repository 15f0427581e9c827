import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tidyUp } from '../../jobs/tidy-up.ts'
import { waitUntilBlocked } from '../../testing/blocked-statements.ts'
import { eventually } from '../../testing/eventually.ts'
import { openMoneyWorld } from '../../testing/money-world.ts'
import { openWorld, type Person, shareWorld, type World } from '../../testing/world.ts'
import { markMessagesRead, sendMessage } from '../deals/messages/actions.ts'
import { offerMade } from '../deals/offers/notifications.ts'
import { notifyHoldEnding } from '../money/payments/notify-hold-ending.ts'
import { notify } from './actions.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 500 }

const sharedWorld = shareWorld()

async function openMarket(world = sharedWorld()) {
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const { id: itemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const offer = async (amount: number) =>
    (await bob.call('POST /api/offers', { wantedItemId: itemId, receiverId: ada.id, amount })).json()
      .id as number
  const write = (from: Person, to: Person) =>
    from.call('POST /api/messages', { content: 'Hello', wantedItemId: itemId, receiverId: to.id })
  return { world, ada, bob, itemId, offer, write }
}

interface Line {
  id: number
  kind: string
  title: string
  text: string
  path: string
  readAt: string | null
}

const bell = async (person: Person, query = ''): Promise<Line[]> =>
  (await person.call(`GET /api/notifications${query}`)).json()
const titles = async (person: Person) => (await bell(person)).map(({ title }) => title)
const unread = async (person: Person) => (await person.call('GET /api/notifications/unread')).json().unread

test('direction marks in a name cannot reverse an amount', async () => {
  const { ada, bob, offer } = await openMarket()
  const form = { firstName: 'Bob\u202e', lastName: '\u2067Tester', email: bob.email }
  expect((await bob.call('PUT /api/user/profile', form)).json().firstName).toBe('Bob\u202e')
  await offer(12_001)
  expect(await titles(ada)).toEqual(['Bob Tester offers “Lamp” for $120.01'])
  expect(await bell(ada)).toMatchObject([{ actor: { name: 'Bob Tester' } }])
})

test('a notification says who did what and links to the right screen', async () => {
  const { ada, bob, itemId, offer } = await openMarket(await openWorld({ CURRENCY: 'myr' }))
  await offer(4_000)
  const [line, ...others] = await bell(ada)
  expect(others).toEqual([])
  expect(line).toEqual({
    id: expect.any(Number),
    kind: 'offer_made',
    title: 'Bob Tester offers “Lamp” for RM40.00',
    text: 'You can accept or reject the offer, or suggest another price.',
    path: `/messages?itemId=${itemId}&userId=${bob.id}`,
    actor: { id: bob.id, name: 'Bob Tester', rating: 0, profileImageUrl: null },
    readAt: null,
    createdAt: expect.any(String),
  })
  expect(await bell(bob)).toEqual([])
})

test('what a newer release beside this one notifies of is left out', async () => {
  const { world, ada, offer } = await openMarket()
  for (const amount of [1_000, 2_000]) {
    await offer(amount)
    await world.sql.query(
      "insert into notifications (user_id, kind, key) values ($1, 'moon_landed', $2), ($1, 'offer_made', $3)",
      [ada.id, `moon_landed:${amount}`, `offer_on_the_moon:${amount}`],
    )
  }
  expect(await unread(ada)).toBe(2)
  const first = await ada.call('GET /api/notifications?limit=1')
  expect(first.json()).toMatchObject([{ title: 'Bob Tester offers “Lamp” for $20.00' }])
  const next = /<(.+)>/.exec(String(first.headers.link))?.[1]
  expect((await ada.call(`GET ${next}`)).json()).toMatchObject([
    { title: 'Bob Tester offers “Lamp” for $10.00' },
  ])
})

test('users page through and mark only their own notifications', async () => {
  const { world, ada, bob, offer } = await openMarket()
  for (const amount of [1_000, 2_000, 3_000]) await offer(amount)
  expect(await unread(ada)).toBe(3)
  expect(await unread(bob)).toBe(0)
  expect(await bell(bob)).toEqual([])

  const first = await ada.call('GET /api/notifications?limit=2')
  expect(first.json().map(({ title }: Line) => title)).toEqual([
    'Bob Tester offers “Lamp” for $30.00',
    'Bob Tester offers “Lamp” for $20.00',
  ])
  const [, next = ''] = String(first.headers.link).match(/^<(.+)>; rel="next"$/) ?? []
  const second = await ada.call(`GET ${next}`)
  expect(second.json().map(({ title }: Line) => title)).toEqual(['Bob Tester offers “Lamp” for $10.00'])
  expect(second.headers.link).toBe(undefined)

  const [latest] = await bell(ada)
  expect((await bob.call('PATCH /api/notifications/mark-read', { id: latest?.id })).statusCode).toBe(200)
  expect((await bob.call('PATCH /api/notifications/mark-read', {})).statusCode).toBe(200)
  expect(await unread(ada)).toBe(3)
  await ada.call('PATCH /api/notifications/mark-read', { id: latest?.id })
  expect(await unread(ada)).toBe(2)
  expect((await bell(ada)).map(({ readAt }) => readAt === null)).toEqual([false, true, true])
  await ada.call('PATCH /api/notifications/mark-read', {})
  expect(await unread(ada)).toBe(0)
  for (const call of [
    'GET /api/notifications',
    'GET /api/notifications/unread',
    'GET /api/user/mail-settings',
  ])
    expect((await world.visitor(call)).statusCode).toBe(401)
})

/** Collects the users to whom notification events are announced. */
async function listen({ services }: World): Promise<string[][]> {
  const client = new pg.Client({ connectionString: services.config.databaseDirectUrl })
  await client.connect()
  onTestFinished(() => client.end())
  const heard: string[][] = []
  client.on('notification', ({ payload = '' }) => {
    const { to, change } = JSON.parse(payload)
    if (change.about === 'notifications') heard.push(to)
  })
  await client.query('listen changes')
  return heard
}

test('open pages are told about new notifications and about those read on another page', async () => {
  const { world, ada, offer } = await openMarket()
  const heard = await listen(world)
  await offer(1_000)
  await eventually(() => expect(heard).toEqual([[ada.id]]))
  await ada.call('PATCH /api/notifications/mark-read', {})
  await eventually(() => expect(heard).toEqual([[ada.id], [ada.id]]))
  await ada.call('PATCH /api/notifications/mark-read', {})
  await offer(2_000)
  await eventually(() => expect(heard).toEqual([[ada.id], [ada.id], [ada.id]]))
})

const countOfferEmails = async ({ sql }: World, { id }: Person) =>
  (await sql.query("select from mails where kind = 'offer_made' and user_id = $1", [id])).rowCount

test('concurrent notifications with the same key are sent once, with one email', async () => {
  const { world, ada, bob, itemId } = await openMarket()
  const offer = { id: 7, wantedItemId: itemId, buyerId: ada.id, sellerId: bob.id, amount: 1_000 }
  const twice = [...offerMade(offer, bob.id), ...offerMade(offer, bob.id)]
  const { transact } = world.services.database
  await Promise.all([1, 2, 3, 4, 5].map(() => transact((tx) => notify(tx, twice))))
  expect(await titles(ada)).toEqual(['Bob Tester offers “Lamp” for $10.00'])
  expect(await countOfferEmails(world, ada)).toBe(1)
})

test('a refused action notifies nobody', async () => {
  const { world, ada, bob, itemId } = await openMarket()
  const terms = { wantedItemId: itemId, receiverId: ada.id, amount: 999_999 }
  expect((await bob.call('POST /api/offers', terms)).statusCode).toBe(422)
  const { transact } = world.services.database
  const offer = { id: 7, wantedItemId: itemId, buyerId: ada.id, sellerId: bob.id, amount: 1_000 }
  await expect(
    transact(async (tx) => {
      await notify(tx, offerMade(offer, bob.id))
      throw new Error('something else went wrong')
    }),
  ).rejects.toThrow()
  expect(await bell(ada)).toEqual([])
  expect(await countOfferEmails(world, ada)).toBe(0)
})

test('unread messages share one notification per hour, and reading the conversation marks all of it as read', async () => {
  const { world, ada, bob, itemId, offer, write } = await openMarket()
  const cyd = await world.signUp('Cyd')
  await write(bob, ada)
  await write(bob, ada)
  await write(cyd, ada)
  expect(await titles(ada)).toEqual(['New message from Cyd Tester', 'New message from Bob Tester'])

  // After an hour, a new message adds another notification.
  world.advanceClock(HOUR_MS + 1_000)
  await write(bob, ada)
  expect(await unread(ada)).toBe(3)

  await offer(1_000)
  await ada.call('PATCH /api/messages/mark-read', { wantedItemId: itemId, senderId: bob.id })
  expect((await bell(ada)).map(({ title, readAt }) => [title, readAt !== null])).toEqual([
    ['Bob Tester offers “Lamp” for $10.00', true],
    ['New message from Bob Tester', true],
    ['New message from Cyd Tester', false],
    ['New message from Bob Tester', true],
  ])
  await write(bob, ada)
  expect(await titles(ada)).toHaveLength(5)
})

test('a message sent while earlier ones are being marked as read gets its own notification', async () => {
  const { world, ada, bob, itemId, write } = await openMarket()
  await write(bob, ada)
  const { writing } = await world.services.database.transact(async (tx) => {
    await markMessagesRead(tx, { wantedItemId: itemId }, ada)
    const writing = write(bob, ada)
    await waitUntilBlocked(world.sql)
    return { writing }
  })
  expect((await writing).statusCode).toBe(201)
  expect((await bell(ada)).map(({ readAt }) => readAt !== null)).toEqual([false, true])
})

test('a message waits for an earlier one of the same sender, and only the first one notifies', async () => {
  const { world, ada, bob, itemId, write } = await openMarket()
  const first = { content: 'Hello', wantedItemId: itemId, receiverId: ada.id, photoIds: [] }
  const { writing } = await world.services.database.transact(async (tx) => {
    await sendMessage(tx, first, bob, '')
    const writing = write(bob, ada)
    await waitUntilBlocked(world.sql)
    return { writing }
  })
  expect((await writing).statusCode).toBe(201)
  expect(await bell(ada)).toHaveLength(1)
})

test('a message does not wait for messages of other senders', async () => {
  const { world, ada, bob, itemId, write } = await openMarket()
  const cyd = await world.signUp('Cyd')
  const first = { content: 'Hello', wantedItemId: itemId, receiverId: ada.id, photoIds: [] }
  await world.services.database.transact(async (tx) => {
    await sendMessage(tx, first, bob, '')
    expect((await write(cyd, ada)).statusCode).toBe(201)
  })
  expect(await bell(ada)).toHaveLength(2)
})

test('notifications caused by a deleted user show the name “Deleted user”', async () => {
  const { world, ada, bob, offer } = await openMarket()
  await offer(1_000)
  await world.sql.query(
    "update users set deleted_at = now(), first_name = 'Deleted', last_name = 'user', email = null where id = $1",
    [bob.id],
  )
  expect(await titles(ada)).toEqual(['Deleted user offers “Lamp” for $10.00'])
})

describe('an ending escrow hold', () => {
  async function givenHolds(world: World, buyer: Person, seller: Person, hours: number[]): Promise<number[]> {
    const ids: number[] = []
    for (const hoursLeft of hours) {
      const { paymentId: id } = await world.given.heldPayment({ buyer, seller })
      const until = new Date(world.services.clock().getTime() + hoursLeft * HOUR_MS)
      await world.sql.query('update payments set escrow_hold_until = $1 where id = $2', [until, id])
      ids.push(id)
    }
    return ids
  }

  test('notifies the buyer one day before, once, even with concurrent sweeps', async () => {
    const { world, ada, bob } = await openMarket()
    const [soon, later, , tomorrow] = await givenHolds(world, ada, bob, [1, 23.9, -1, 24.1])
    await world.given.completedDeal({ buyer: ada, seller: bob })
    await Promise.all([1, 2, 3].map(() => notifyHoldEnding(world.services)))
    expect((await bell(ada)).map(({ title, path }) => [title, path])).toEqual([
      ['One day left to confirm or dispute “Lamp”', `/delivery/${later}`],
      ['One day left to confirm or dispute “Lamp”', `/delivery/${soon}`],
    ])
    expect(await bell(bob)).toEqual([])
    world.advanceClock(HOUR_MS / 2)
    await notifyHoldEnding(world.services)
    const lines = await bell(ada)
    expect(lines).toHaveLength(3)
    expect(lines[0]?.path).toBe(`/delivery/${tomorrow}`)
  })

  test('notifies the buyer again if a withdrawn dispute extended the hold', async () => {
    const { world, ada, bob } = await openMarket()
    const [id] = await givenHolds(world, ada, bob, [5])
    await notifyHoldEnding(world.services)
    await world.sql.query(
      "update payments set escrow_hold_until = escrow_hold_until + interval '2 days' where id = $1",
      [id],
    )
    await notifyHoldEnding(world.services)
    expect(await titles(ada)).toHaveLength(1)
    world.advanceClock(2 * DAY_MS)
    await notifyHoldEnding(world.services)
    await notifyHoldEnding(world.services)
    expect(await titles(ada)).toHaveLength(2)
  })

  test('notifies all buyers, even if there are very many', async () => {
    const { world, bob } = await openMarket(await openWorld())
    const heard = await listen(world)
    const { rows } = await world.sql.query(
      `with people as (
         insert into users (id, email) select gen_random_uuid(), n || '@example.com' from generate_series(1, 450) n returning id
       ), agreed as (
         insert into offers (wanted_item_id, buyer_id, seller_id, amount, status, accepted_at, expires_at)
         select (select id from wanted_items), people.id, $1, 1000, 'accepted', now(), now() from people returning *
       )
       insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, status, escrow_hold_until)
       select wanted_item_id, buyer_id, seller_id, id, amount, 'usd', 'held_in_escrow', now() + interval '3 hours' from agreed
       returning id, buyer_id`,
      [bob.id],
    )
    await notifyHoldEnding(world.services)
    const { rows: told } = await world.sql.query(
      'select payment_id as id, user_id as buyer_id from notifications order by payment_id',
    )
    expect(told).toEqual(rows)
    const buyers = rows.map(({ buyer_id }) => buyer_id)
    await eventually(() => expect(heard.flat().toSorted()).toEqual(buyers.toSorted()))
    const { rows: jobs } = await world.sql.query(
      "select json_array_length(payload -> 'mailIds') as emails from graphile_worker._private_jobs order by id desc limit 3",
    )
    // The sweep notifies 200 at a time.
    expect(jobs).toEqual([{ emails: 50 }, { emails: 200 }, { emails: 200 }])
  })
})

test('each dispute step notifies the other party, and admin actions notify both', async () => {
  const world = sharedWorld()
  const [ada, bob, cyd] = [
    await world.signUp('Ada'),
    await world.signUp('Bob'),
    await world.signUp('Cyd', 'admin'),
  ]
  const { paymentId: id } = await world.given.heldPayment({ buyer: ada, seller: bob })
  const steps: [Person, string, object?][] = [
    [ada, `POST /api/payments/${id}/dispute`, { reason: 'Broken' }],
    [ada, `POST /api/disputes/${id}/withdraw`],
    [ada, `POST /api/payments/${id}/dispute`, { reason: 'Broken after all' }],
    [bob, `POST /api/disputes/${id}/answer`, { content: 'It was whole' }],
    [cyd, `POST /api/admin/disputes/${id}/resolve`, { disputeId: id, action: 'under_review', note: '' }],
    [
      cyd,
      `POST /api/admin/disputes/${id}/resolve`,
      { disputeId: id, action: 'request_more_info', note: 'Photos?' },
    ],
    [bob, `POST /api/disputes/${id}/settlement`, { refundAmount: 5_000 }],
    [ada, `POST /api/disputes/${id}/settlement/accept`, { refundAmount: 5_000 }],
  ]
  for (const [person, call, body] of steps) {
    const reply = await person.call(call, body)
    expect([call, reply.statusCode < 300, reply.body]).toEqual([call, true, reply.body])
    // Each step gets its own timestamp.
    world.advanceClock(10)
  }
  const told = async (person: Person) =>
    (await bell(person)).toReversed().map(({ kind, title, text, path }) => [kind, title, text, path])
  const screen = `/dispute/${id}`
  const review = [
    [
      'dispute_answered',
      'The dispute about “Lamp” is under review',
      'Our team is reviewing it. The money stays in escrow until we decide.',
      screen,
    ],
    [
      'dispute_answered',
      'We need more information about “Lamp”',
      'Please read our questions in the dispute and answer them.',
      screen,
    ],
  ]
  const reported = [
    'dispute_opened',
    'Ada Tester reported a problem with “Lamp”',
    '$120.00 stays in escrow until the dispute is decided. Please answer and add your evidence.',
    screen,
  ]
  expect(await told(ada)).toEqual([
    [
      'dispute_answered',
      'Bob Tester answered in the dispute about “Lamp”',
      'Read the answer and reply if you like.',
      screen,
    ],
    ...review,
    [
      'dispute_answered',
      'Bob Tester proposes a settlement for “Lamp”',
      'You would get $50.00 back, and the rest would go to the seller. If you accept, the dispute ends right away.',
      screen,
    ],
    [
      'dispute_ruled',
      'The dispute about “Lamp” is settled',
      'You both agreed to a settlement. You get $50.00 back.',
      screen,
    ],
  ])
  expect(await told(bob)).toEqual([
    reported,
    [
      'dispute_ruled',
      'Ada Tester withdrew the dispute about “Lamp”',
      'The escrow hold continues. If the buyer does nothing, we release the payment to you when it ends.',
      '/payments',
    ],
    reported,
    ...review,
    // From the remaining 70.00, the platform fee is 2.10 and the card fee 2.33.
    [
      'dispute_ruled',
      'The dispute about “Lamp” is settled',
      'You both agreed to a settlement. You get $65.57.',
      screen,
    ],
  ])
  expect(await bell(cyd)).toEqual([])
})

test('evidence files uploaded within an hour cause one notification', async () => {
  const { world, ada, bob } = await openMarket()
  const { paymentId: id } = await world.given.dispute({ buyer: ada, seller: bob })
  for (const name of ['one.txt', 'two.txt']) {
    const form = new FormData()
    form.set('disputeId', String(id))
    form.set('file', new File(['It was like this'], name, { type: 'text/plain' }))
    const body = new Response(form)
    const reply = await world.app.inject({
      method: 'POST',
      url: `/api/disputes/${id}/upload-evidence`,
      headers: { cookie: bob.cookie, 'content-type': body.headers.get('content-type') ?? '' },
      payload: Buffer.from(await body.arrayBuffer()),
    })
    expect(reply.statusCode, reply.body).toBeLessThan(300)
  }
  expect(await titles(ada)).toEqual(['Bob Tester added evidence to the dispute about “Lamp”'])
})

test('a chargeback notifies both parties', async () => {
  const world = await openMoneyWorld()
  const deal = await world.agree(12_000)
  const { clientSecret, paymentId } = await world.start(deal)
  await world.enterCard(clientSecret, '4000000000000259')
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('disputed'))
  const title = 'The buyer’s bank disputes the payment for “Lamp”'
  for (const person of [world.ada, world.bob]) {
    const [line] = await bell(person)
    expect(line).toMatchObject({ kind: 'dispute_opened', title, path: `/dispute/${paymentId}` })
  }
})

test('emails are deleted after a month, notifications after a year', async () => {
  const { world, ada, offer } = await openMarket()
  await offer(1_000)
  await offer(2_000)
  const age = (table: string, days: number, which: string) =>
    world.sql.query(
      `update ${table} set created_at = created_at - ${days} * interval '1 day' where user_id = $1 and ${which}`,
      [ada.id],
    )
  const oldest = (table: string) =>
    `id = (select min(id) from ${table} where user_id = $1 and kind = 'offer_made')`
  await age('mails', 31, oldest('mails'))
  await age('notifications', 364, 'true')
  await tidyUp(world.services, world.services.clock())
  expect(await titles(ada)).toHaveLength(2)
  expect(await countOfferEmails(world, ada)).toBe(1)
  await age('notifications', 2, oldest('notifications'))
  await tidyUp(world.services, world.services.clock())
  expect(await titles(ada)).toEqual(['Bob Tester offers “Lamp” for $20.00'])
})
