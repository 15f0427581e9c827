import { describe, expect, test } from 'vitest'
import { openWorld, shareWorld } from '../../../testing/world.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })

describe('the data export', () => {
  test('contains all data of the user, and no secrets or data of others', async () => {
    const it = world()
    const [oda, pat, stranger] = [await it.signUp('Oda'), await it.signUp('Pat'), await it.signUp('Quin')]
    await it.sql.query('update users set phone = $2, bio = $3 where id = $1', [
      pat.id,
      '+60 999',
      'Pat’s own',
    ])
    const bank = {
      account_holder_name: 'Oda Tester',
      country: 'US',
      routing_number: '110000000',
      account_number: '000123456789',
      account_type: 'checking',
    }
    expect((await oda.call('POST /api/seller/save-bank-account', bank)).statusCode).toBe(200)
    const address = {
      name: 'Oda Tester',
      line1: '7 Jalan Besar',
      city: 'Ipoh',
      postalCode: '30000',
      country: 'MY',
    }
    expect((await oda.call('PUT /api/user/delivery-address', address)).statusCode).toBe(200)
    const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }
    const { id: itemId } = (await oda.call('POST /api/wanted-items', lamp)).json()
    const about = { wantedItemId: itemId, receiverId: oda.id }
    await pat.call('POST /api/messages', { ...about, content: 'Hello 1' })
    await it.sql.query(
      `insert into messages (wanted_item_id, sender_id, receiver_id, content)
       select $1, $2, $3, 'Hello ' || count from generate_series(2, 130) count`,
      [itemId, pat.id, oda.id],
    )
    await oda.call('POST /api/messages', { wantedItemId: itemId, receiverId: pat.id, content: 'Hello back' })
    await pat.call('POST /api/offers', { ...about, amount: 5_000 })
    const { id: strangers } = (await stranger.call('POST /api/wanted-items', lamp)).json()
    await pat.call('POST /api/messages', {
      wantedItemId: strangers,
      receiverId: stranger.id,
      content: 'Between us',
    })
    const { paymentId: bought } = await it.given.completedDeal({ buyer: oda, seller: pat })
    await oda.call(`POST /api/payments/${bought}/submit-rating`, { rating: 4, feedback: 'Fine' })
    const { paymentId: sold } = await it.given.dispute({ buyer: pat, seller: oda })
    await pat.call(`POST /api/payments/${sold}/submit-rating`, { rating: 4 })
    await oda.call(`POST /api/disputes/${sold}/answer`, { content: 'It was green' })
    await pat.call(`POST /api/disputes/${sold}/answer`, { content: 'It was blue' })

    const reply = await oda.call('GET /api/user/data')
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
    })
    expect(reply.headers['content-disposition']).toMatch(
      /^attachment; filename="sought-data-\d{4}-\d\d-\d\d\.json"$/,
    )
    const data = reply.json()
    expect(data).toMatchObject({
      profile: { email: 'oda@example.com', firstName: 'Oda' },
      mailSettings: { off: [] },
      bankAccount: {
        hasBankAccount: true,
        bankDetails: { account_holder_name: 'Oda Tester', account_number_last4: '6789' },
      },
      deliveryAddress: { deliveryAddress: address },
      devices: [{ isThisOne: true }],
      secondFactors: { totp: false, passkeys: [] },
      requests: [{ title: 'Lamp' }, { title: 'Lamp' }],
      evidence: [{ content: 'It was green' }],
      reviewsWritten: [{ paymentId: bought, as: 'seller', rating: 4, tags: [], text: 'Fine', reply: null }],
      reviewsReceived: [],
      payouts: [],
      payoutAccounts: [],
      debts: [],
    })
    expect(data.messages).toHaveLength(131)
    expect(data.messages[0].content).toBe('Hello back')
    expect(data.messages[130].content).toBe('Hello 1')
    expect(data.payments.map((pair: { payments: { id: number } }) => pair.payments.id)).toEqual([
      sold,
      bought,
    ])
    expect(data.offers.map((offer: { amount: number }) => offer.amount)).toEqual([12_000, 12_000, 5_000])
    expect(data.notifications.length).toBeGreaterThan(0)

    const { rows } = await it.sql.query(
      'select password, email, bank_account_details from users where id = any($1)',
      [[oda.id, pat.id]],
    )
    const secrets = rows.flatMap((row) => [row.password, row.bank_account_details]).filter(Boolean)
    for (const secret of [
      ...secrets,
      '000123456789',
      pat.email,
      '+60 999',
      'Pat’s own',
      'It was blue',
      'Between us',
    ]) {
      expect(reply.body).not.toContain(secret)
    }
    // Columns that the API does not return are not exported.
    for (const column of ['disputeWords', 'intentAttempt', 'askAt', '"words"']) {
      expect(reply.body).not.toContain(column)
    }
    expect((await it.visitor('GET /api/user/data')).statusCode).toBe(401)
  })

  test('contains what the provider says about the connected account', async () => {
    const { signUp, sql } = world()
    const [sam, tim] = [await signUp('Sam'), await signUp('Tim')]
    await sql.query(
      `insert into payout_accounts (user_id, account_id, disabled_reason, requirements, read_at)
       values ($1, 'acct_of_sam', 'requirements.past_due', $2, '2026-11-16T09:00:00Z'), ($3, 'acct_of_tim', null, '[]', null)`,
      [
        sam.id,
        JSON.stringify([
          {
            field: 'individual.id_number',
            what: 'Enter your tax number.',
            deadline: null,
            since: '2026-11-01',
          },
        ]),
        tim.id,
      ],
    )
    const reply = await sam.call('GET /api/user/data')
    expect(reply.json().payoutAccounts).toEqual([
      {
        canReceivePayments: false,
        requirements: [{ field: 'individual.id_number', what: 'Enter your tax number.', deadline: null }],
        disabledReason: 'requirements.past_due',
        lastPayout: null,
        readAt: '2026-11-16T09:00:00.000Z',
        closedAt: null,
      },
    ])
    expect(reply.body).not.toContain('acct_of')
  })

  test('is valid for a user without any activity', async () => {
    const { call } = await world().signUp('Rex')
    const data = (await call('GET /api/user/data')).json()
    expect(data).toMatchObject({ messages: [], payments: [], notifications: [], requests: [] })
  })

  test('is limited to ten an hour', async () => {
    const it = await openWorld()
    const { id, call } = await it.signUp('Sam')
    await it.sql.query('insert into rate_limits (key, points, expire) values ($1, 9, $2)', [
      `data:account:${id}`,
      Date.now() + 60_000,
    ])
    expect((await call('GET /api/user/data')).statusCode).toBe(200)
    expect((await call('GET /api/user/data')).statusCode).toBe(429)
  })
})
