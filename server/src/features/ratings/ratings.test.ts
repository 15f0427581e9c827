import { describe, expect, test } from 'vitest'
import { givenPayment } from '../../testing/given-payment.ts'
import { shareWorld } from '../../testing/world.ts'

const shared = shareWorld()

/** Ada bought from Bob; Eve is not involved. */
async function openMarket(status = 'completed') {
  const world = shared()
  const [ada, bob, eve] = [await world.signUp('Ada'), await world.signUp('Bob'), await world.signUp('Eve')]
  const id = await givenPayment(world.sql, { buyer: ada, seller: bob, status })
  const rate = (who = ada, body: object = { rating: 4 }, of: number | string = id) =>
    who.call(`POST /api/payments/${of}/submit-rating`, body)
  const standing = async () => {
    const { rows } = await world.sql.query(
      'select rating_sum, rating_count, rating from users where id = $1',
      [bob.id],
    )
    return rows[0]
  }
  /** The ratings of this payment and all others by or of these people. */
  const stored = async () => {
    const { rows } = await world.sql.query(
      `select payment_id, buyer_id, seller_id, rating, feedback from ratings
       where payment_id = $1 or buyer_id = any($2) or seller_id = any($2)`,
      [id, [ada.id, bob.id, eve.id]],
    )
    return rows
  }
  return { ...world, ada, bob, eve, id, rate, standing, stored }
}

const UNRATED = { rating_sum: 0, rating_count: 0, rating: 0 }

describe('rating a seller', () => {
  test('is stored once and changes the public average', async () => {
    const { ada, bob, sql, visitor, id, rate, standing, stored } = await openMarket()
    const first = await rate(ada, { rating: 4, feedback: '  Quick and kind ' })
    expect([first.statusCode, first.json()]).toEqual([200, { ok: true }])
    expect(await stored()).toEqual([
      { payment_id: id, buyer_id: ada.id, seller_id: bob.id, rating: 4, feedback: 'Quick and kind' },
    ])
    expect(await standing()).toEqual({ rating_sum: 4, rating_count: 1, rating: 4 })
    const another = await givenPayment(sql, { buyer: ada, seller: bob })
    await rate(ada, { rating: 1 }, another)
    expect(await standing()).toEqual({ rating_sum: 5, rating_count: 2, rating: 2.5 })
    expect((await bob.call('GET /api/auth/user')).json().rating).toBe(2.5)
    const item = { title: 'Chair', description: 'Oak', category: 'Other', location: 'Ipoh' }
    const posted = (await bob.call('POST /api/wanted-items', item)).json()
    expect((await visitor(`GET /api/wanted-items/${posted.id}`)).json().user.rating).toBe(2.5)
  })

  test.each(['completed', 'resolved_seller', 'resolved_partial', 'resolved_buyer'])(
    'is open once the payment is %s',
    async (status) => {
      const { rate, standing } = await openMarket(status)
      expect((await rate()).statusCode).toBe(200)
      expect(await standing()).toEqual({ rating_sum: 4, rating_count: 1, rating: 4 })
    },
  )

  test.each(['pending', 'held_in_escrow', 'disputed', 'under_review'])(
    'is not open while the payment is %s',
    async (status) => {
      const { rate, standing, stored } = await openMarket(status)
      const reply = await rate()
      expect([reply.statusCode, reply.json().code]).toEqual([409, 'payment_wrong_state'])
      expect(await standing()).toEqual(UNRATED)
      expect(await stored()).toEqual([])
    },
  )

  test('a second time is refused, and the first rating stays', async () => {
    const { ada, rate, standing, stored } = await openMarket()
    await rate(ada, { rating: 5 })
    const again = await rate(ada, { rating: 1, feedback: 'I changed my mind' })
    expect([again.statusCode, again.json().code]).toEqual([409, 'already_rated'])
    expect(await standing()).toEqual({ rating_sum: 5, rating_count: 1, rating: 5 })
    expect(await stored()).toMatchObject([{ rating: 5, feedback: null }])
  })

  test('is allowed only to the buyer', async () => {
    const { bob, eve, visitor, id, rate, standing, stored } = await openMarket()
    const own = await rate(bob, { rating: 5 })
    expect([own.statusCode, own.json().code]).toEqual([403, 'not_the_buyer'])
    // For a stranger the answer is identical whether or not the payment exists.
    const foreign = await rate(eve)
    const missing = await rate(eve, { rating: 4 }, 999)
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'payment_not_found'])
    expect(foreign.body).toBe(missing.body)
    expect((await visitor(`POST /api/payments/${id}/submit-rating`, { rating: 5 })).statusCode).toBe(401)
    expect(await standing()).toEqual(UNRATED)
    expect(await stored()).toEqual([])
  })

  test.each([
    ['no stars', {}, 'rating'],
    ['zero', { rating: 0 }, 'rating'],
    ['six', { rating: 6 }, 'rating'],
    ['a half', { rating: 4.5 }, 'rating'],
    ['words', { rating: '5' }, 'rating'],
    ['a feedback without an end', { rating: 5, feedback: 'x'.repeat(2001) }, 'feedback'],
    ['a feedback that cannot be stored', { rating: 5, feedback: 'a\u0000b' }, 'feedback'],
  ])('%s is refused', async (_, body, field) => {
    const { ada, rate, standing } = await openMarket()
    const reply = await rate(ada, body)
    expect([reply.statusCode, reply.json().issues]).toMatchObject([422, [{ path: field }]])
    expect(await standing()).toEqual(UNRATED)
  })

  test('with an invalid id is refused', async () => {
    const { ada, rate } = await openMarket()
    expect((await rate(ada, { rating: 5 }, 'one')).statusCode).toBe(422)
  })

  test('ignores all other fields of the request', async () => {
    const { ada, bob, eve, id, rate, standing, stored, sql } = await openMarket()
    const extra = { paymentId: 7, sellerId: eve.id, buyerId: eve.id, ratingSum: 500, createdAt: '2001-01-01' }
    expect((await rate(ada, { rating: 3, ...extra })).statusCode).toBe(200)
    expect(await stored()).toMatchObject([{ payment_id: id, buyer_id: ada.id, seller_id: bob.id, rating: 3 }])
    expect(await standing()).toEqual({ rating_sum: 3, rating_count: 1, rating: 3 })
    const { rows } = await sql.query(
      "select count(*)::int from ratings where payment_id = $1 and created_at > now() - interval '1 minute'",
      [id],
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  test('is announced to buyer and seller, and not at all if it is refused', async () => {
    const { ada, bob, sql, rate } = await openMarket()
    const client = await sql.connect()
    const received: unknown[] = []
    client.on('notification', ({ payload = '' }) => received.push(JSON.parse(payload)))
    await client.query('listen changes')
    await rate()
    await rate()
    await rate(bob)
    await client.query('select 1')
    client.release(true)
    expect(received).toEqual([
      { to: [ada.id, bob.id], change: { about: 'payments' } },
      { to: [bob.id], change: { about: 'notifications' } },
    ])
    const [told] = (await bob.call('GET /api/notifications')).json()
    expect(told).toMatchObject({
      kind: 'rating_received',
      title: 'Ada Tester rated you for “Lamp”',
      path: `/user/${bob.id}`,
    })
  })
})

describe('concurrent ratings', () => {
  test('fifty concurrent ratings of one seller give an exact sum and count', async () => {
    const { ada, bob, sql, rate, standing, stored } = await openMarket()
    const ids: number[] = []
    for (let at = 0; at < 50; at++) ids.push(await givenPayment(sql, { buyer: ada, seller: bob }))
    const replies = await Promise.all(ids.map((id, at) => rate(ada, { rating: 1 + (at % 5) }, id)))
    expect(replies.map((reply) => reply.statusCode)).toEqual(Array(50).fill(200))
    // Ten times each of 1, 2, 3, 4 and 5.
    expect(await standing()).toEqual({ rating_sum: 150, rating_count: 50, rating: 3 })
    expect(await stored()).toHaveLength(50)
  })

  test('of fifty concurrent ratings of one payment one counts', async () => {
    const { ada, rate, standing, stored } = await openMarket()
    const replies = await Promise.all(Array.from({ length: 50 }, () => rate(ada, { rating: 2 })))
    const codes = replies.map((reply) => reply.statusCode).sort()
    expect(codes).toEqual([200, ...Array(49).fill(409)])
    expect(await standing()).toEqual({ rating_sum: 2, rating_count: 1, rating: 2 })
    expect(await stored()).toHaveLength(1)
  })
})
