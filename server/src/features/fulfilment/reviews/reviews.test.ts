import type { PaymentStatus } from '@sought/escrow/payment-status'
import { describe, expect, test } from 'vitest'
import { waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { addTraders } from '../../../testing/traders.ts'
import { type Person, shareWorld } from '../../../testing/world.ts'
import { reviewDeal } from './actions.ts'
import { publishDueReviews } from './publish-reviews.ts'
import { addStars } from './queries.ts'

const DAY_MS = 86_400_000
const shared = shareWorld({ RATE_LIMIT: 'off' })

/** Ada bought from Bob; Eve is not involved. */
async function openMarket(status: PaymentStatus = 'completed') {
  const world = await addTraders(shared())
  const { ada, bob, given, sql, visitor } = world
  const eve = await world.signUp('Eve')
  const { paymentId: id } = await given.payment({ status })
  const rate = (who = ada, body: object = { rating: 4 }, of: number | string = id) =>
    who.call(`POST /api/payments/${of}/submit-rating`, body)
  const review = (who: Person, body: object = { rating: 4 }, of: number | string = id) =>
    who.call(`POST /api/payments/${of}/review`, body)
  const standing = async ({ id }: Person = bob) => {
    const { rows } = await sql.query('select rating_sum, rating_count, rating from users where id = $1', [id])
    return rows[0]
  }
  const stored = async () => {
    const { rows } = await sql.query(
      `select author_id, subject_id, subject_role, rating, tags, text, published_at is not null as published, is_counted
       from reviews where payment_id = $1 or author_id = any($2) or subject_id = any($2) order by id`,
      [id, [ada.id, bob.id, eve.id]],
    )
    return rows
  }
  const shown = async ({ id }: Person, as = '') =>
    (await visitor(`GET /api/users/${id}/reviews${as && `?as=${as}`}`)).json()
  const profile = async ({ id }: Person) => (await visitor(`GET /api/users/${id}`)).json()
  /** Sets the end of the deal to this long ago. */
  const endDeal = (msAgo: number, of = id) =>
    sql.query(`update payments set ended_at = $1 where id = $2`, [
      new Date(world.services.clock().getTime() - msAgo),
      of,
    ])
  const sweep = () => publishDueReviews(world.services)
  return { ...world, ada, bob, eve, id, rate, review, standing, stored, shown, profile, endDeal, sweep }
}

const UNRATED = { rating_sum: 0, rating_count: 0, rating: 0 }

describe('rating a seller', () => {
  test('is stored once and changes the public average immediately', async () => {
    const { ada, bob, given, visitor, rate, standing, stored } = await openMarket()
    const first = await rate(ada, { rating: 4, feedback: '  Quick and kind ', tags: ['friendly'] })
    expect([first.statusCode, first.json()]).toEqual([200, { ok: true }])
    expect(await stored()).toEqual([
      {
        author_id: ada.id,
        subject_id: bob.id,
        subject_role: 'seller',
        rating: 4,
        tags: ['friendly'],
        text: 'Quick and kind',
        published: false,
        is_counted: true,
      },
    ])
    expect(await standing()).toEqual({ rating_sum: 4, rating_count: 1, rating: 4 })
    const { paymentId: another } = await given.completedDeal()
    await rate(ada, { rating: 1 }, another)
    expect(await standing()).toEqual({ rating_sum: 5, rating_count: 2, rating: 2.5 })
    expect((await bob.call('GET /api/auth/user')).json().rating).toBe(2.5)
    const item = { title: 'Chair', description: 'Oak', category: 'Other', location: 'Ipoh' }
    const posted = (await bob.call('POST /api/wanted-items', item)).json()
    expect((await visitor(`GET /api/wanted-items/${posted.id}`)).json().user.rating).toBe(2.5)
  })

  test.each(['completed', 'resolved_seller', 'resolved_partial', 'resolved_buyer', 'refunded'] as const)(
    'is possible once the payment is %s',
    async (status) => {
      const { bob, rate, review, standing } = await openMarket(status)
      expect((await rate()).statusCode).toBe(200)
      expect((await review(bob)).statusCode).toBe(201)
      expect(await standing()).toEqual({ rating_sum: 4, rating_count: 1, rating: 4 })
    },
  )

  test.each(['pending', 'held_in_escrow', 'disputed', 'under_review'] as const)(
    'is not possible while the payment is %s',
    async (status) => {
      const { ada, bob, rate, review, standing, stored } = await openMarket(status)
      expect((await rate()).json().code).toBe('payment_wrong_state')
      for (const person of [ada, bob]) {
        const reply = await review(person)
        expect([reply.statusCode, reply.json().code]).toEqual([409, 'review_too_early'])
      }
      expect(await standing()).toEqual(UNRATED)
      expect(await stored()).toEqual([])
    },
  )

  test('is not possible for a payment that never was in escrow', async () => {
    const { id, sql, ada, rate, review } = await openMarket('refunded')
    await sql.query('update payments set escrow_hold_until = null where id = $1', [id])
    expect((await rate()).json().code).toBe('payment_wrong_state')
    expect((await review(ada)).json().code).toBe('review_too_early')
  })

  test('is refused the second time, and the first review is kept', async () => {
    const { ada, rate, review, standing, stored, endDeal } = await openMarket()
    await rate(ada, { rating: 5 })
    const again = await rate(ada, { rating: 1, feedback: 'I changed my mind' })
    expect([again.statusCode, again.json().code]).toEqual([409, 'already_rated'])
    const reviewed = await review(ada, { rating: 1 })
    expect([reviewed.statusCode, reviewed.json().code]).toEqual([409, 'already_reviewed'])
    await endDeal(15 * DAY_MS)
    expect((await rate()).json().code).toBe('already_rated')
    expect(await standing()).toEqual({ rating_sum: 5, rating_count: 1, rating: 5 })
    expect(await stored()).toMatchObject([{ rating: 5, text: null }])
  })

  test('is allowed only to the buyer with submit-rating, and to the two parties with reviews', async () => {
    const { bob, eve, visitor, id, rate, review, standing, stored } = await openMarket()
    const own = await rate(bob, { rating: 5 })
    expect([own.statusCode, own.json().code]).toEqual([403, 'not_the_buyer'])
    for (const call of [rate, review]) {
      // For a stranger the answer is identical whether or not the payment exists.
      const foreign = await call(eve)
      const missing = await call(eve, { rating: 4 }, 999_999)
      expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'payment_not_found'])
      expect(foreign.body).toBe(missing.body)
    }
    for (const call of ['submit-rating', 'review']) {
      expect((await visitor(`POST /api/payments/${id}/${call}`, { rating: 5 })).statusCode).toBe(401)
    }
    expect(await standing()).toEqual(UNRATED)
    expect(await stored()).toEqual([])
  })

  test.each([
    ['a rating without stars', {}, 'rating'],
    ['a rating of zero', { rating: 0 }, 'rating'],
    ['a rating of six', { rating: 6 }, 'rating'],
    ['a rating with half a star', { rating: 4.5 }, 'rating'],
    ['a rating as text', { rating: '5' }, 'rating'],
    ['four tags', { rating: 5, tags: ['friendly', 'fair_price', 'well_packed', 'as_described'] }, 'tags'],
    ['the same tag twice', { rating: 5, tags: ['friendly', 'friendly'] }, 'tags'],
    ['an unknown tag', { rating: 5, tags: ['handsome'] }, 'tags.0'],
    ['a text that is too long', { rating: 5, feedback: 'x'.repeat(2001), text: 'x'.repeat(2001) }, null],
    ['a text that cannot be stored', { rating: 5, feedback: 'a\u0000b', text: 'a\u0000b' }, null],
  ])('%s is refused', async (_, body, path) => {
    const { ada, rate, review, standing } = await openMarket()
    const rated = await rate(ada, body)
    expect([rated.statusCode, rated.json().issues]).toMatchObject([422, [{ path: path ?? 'feedback' }]])
    const reviewed = await review(ada, body)
    expect([reviewed.statusCode, reviewed.json().issues]).toMatchObject([422, [{ path: path ?? 'text' }]])
    expect(await standing()).toEqual(UNRATED)
  })

  test('is refused with an invalid id', async () => {
    const { ada, rate, review } = await openMarket()
    expect((await rate(ada, { rating: 5 }, 'one')).statusCode).toBe(422)
    expect((await review(ada, { rating: 5 }, 'one')).statusCode).toBe(422)
  })

  test('ignores all other fields of the request', async () => {
    const { ada, bob, eve, review, standing, stored } = await openMarket()
    const extra = { subjectId: eve.id, authorId: eve.id, isCounted: false, publishedAt: '2001-01-01' }
    expect((await review(ada, { rating: 3, ...extra })).statusCode).toBe(201)
    expect(await stored()).toMatchObject([
      { author_id: ada.id, subject_id: bob.id, rating: 3, published: false, is_counted: true },
    ])
    expect(await standing()).toEqual({ rating_sum: 3, rating_count: 1, rating: 3 })
  })

  test('is announced to both parties, but not if it is refused', async () => {
    const { ada, bob, id, sql, rate } = await openMarket()
    await sql.query('delete from announcements')
    await rate()
    await rate()
    await rate(bob)
    const { rows } = await sql.query(
      `select payload::json as announced from announcements where channel = 'changes' order by id`,
    )
    expect(rows.map(({ announced }) => announced)).toEqual([
      { to: [ada.id, bob.id], change: { about: 'payments' } },
      { to: [bob.id], change: { about: 'notifications' } },
    ])
    const [told] = (await bob.call('GET /api/notifications')).json()
    expect(told).toMatchObject({
      kind: 'rating_received',
      title: 'Ada Tester rated you for “Lamp”',
      path: `/deal/${id}/review`,
    })
    expect(told.text).toMatch(/once you have written your own review, or from \w+ \d+, \d{4}\.$/)
  })
})

describe('blind reviews', () => {
  test('are hidden until both are written, and then published together', async () => {
    const { ada, bob, visitor, id, review, shown, profile, standing } = await openMarket()
    const first = await review(bob, { rating: 2, tags: ['slow_replies'], text: 'Took long' })
    expect([first.statusCode, first.json()]).toEqual([201, { id: expect.any(Number), published: false }])
    expect(await shown(ada)).toEqual([])
    expect(await standing(ada)).toEqual(UNRATED)
    expect(await profile(ada)).toMatchObject({ rating: 0, ratingCount: 0, asBuyer: { rating: 0, count: 0 } })
    for (const person of [ada, bob]) {
      const deal = (await person.call(`GET /api/payments/${id}`)).json()
      expect(deal).toMatchObject({ rated: false, reviewedBySeller: true })
      expect(JSON.stringify(deal)).not.toContain('Took long')
    }
    expect((await ada.call('GET /api/user/data')).body).not.toContain('Took long')
    expect((await bob.call('GET /api/user/data')).body).toContain('Took long')

    const second = await review(ada, { rating: 5, text: 'Great' })
    expect(second.json()).toMatchObject({ published: true })
    expect(await shown(ada)).toEqual([
      {
        id: first.json().id,
        paymentId: id,
        as: 'buyer',
        rating: 2,
        tags: ['slow_replies'],
        text: 'Took long',
        itemTitle: 'Lamp',
        by: { id: bob.id, name: 'Bob Tester', rating: 5, profileImageUrl: null },
        reply: null,
        createdAt: expect.any(String),
      },
    ])
    expect(await shown(ada, 'seller')).toEqual([])
    expect(await shown(bob, 'seller')).toMatchObject([{ rating: 5, text: 'Great', tags: [] }])
    const feedback = (await visitor(`GET /api/users/${bob.id}/feedback`)).json()
    expect(feedback).toMatchObject([{ paymentId: id, rating: 5, feedback: 'Great' }])
    expect(await profile(ada)).toMatchObject({
      rating: 2,
      ratingCount: 1,
      asBuyer: { rating: 2, count: 1 },
      asSeller: { rating: 0, count: 0 },
    })
    const [told] = (await bob.call('GET /api/notifications')).json()
    expect(told).toMatchObject({ kind: 'review_published', path: `/user/${bob.id}?as=seller` })
    expect((await ada.call('GET /api/user/data')).json().reviewsReceived).toMatchObject([{ rating: 2 }])
  })

  test('are published when they are read after the period, and counted once by the sweep', async () => {
    const { ada, bob, review, shown, profile, standing, endDeal, sweep } = await openMarket()
    await endDeal(13 * DAY_MS)
    await review(bob, { rating: 3, text: 'Fine' })
    expect(await shown(ada)).toEqual([])
    await sweep()
    expect(await shown(ada)).toEqual([])
    await endDeal(14 * DAY_MS)
    expect(await shown(ada)).toMatchObject([{ rating: 3, text: 'Fine' }])
    const counted = { rating: 3, ratingCount: 1, asBuyer: { rating: 3, count: 1 } }
    expect(await standing(ada)).toEqual(UNRATED)
    expect(await profile(ada)).toMatchObject(counted)
    await Promise.all([sweep(), sweep()])
    await sweep()
    expect(await standing(ada)).toEqual({ rating_sum: 3, rating_count: 1, rating: 3 })
    expect(await profile(ada)).toMatchObject(counted)
    const told = (await ada.call('GET /api/notifications')).json()
    expect(told.map(({ kind }: { kind: string }) => kind)).toEqual(['review_published', 'rating_received'])
  })

  test('can be written until the last millisecond of the 14 days, but not later', async () => {
    const { services, ada, bob, id, sql, stored } = await openMarket()
    const { rows } = await sql.query('select ended_at from payments where id = $1', [id])
    const end = rows[0].ended_at.getTime() + 14 * DAY_MS
    const at = (now: number, who: Person) =>
      services.database.transact((tx) =>
        reviewDeal(Object.assign(tx, { now: new Date(now) }), id, { rating: 4, tags: [] }, who),
      )
    await expect(at(end, ada)).rejects.toMatchObject({ code: 'review_closed' })
    expect(await at(end - 1, ada)).toMatchObject({ published: false })
    await expect(at(end, bob)).rejects.toMatchObject({ code: 'review_closed' })
    expect(await at(end - 1, bob)).toMatchObject({ published: true })
    expect(await stored()).toMatchObject([{ published: true }, { published: true }])
  })

  test('are refused after 14 days through every call', async () => {
    const { ada, bob, rate, review, endDeal, stored } = await openMarket()
    await endDeal(14 * DAY_MS)
    for (const reply of [await rate(), await review(ada), await review(bob)]) {
      expect([reply.statusCode, reply.json().code]).toEqual([409, 'review_closed'])
    }
    expect(await stored()).toEqual([])
  })

  test('are not listed while moderators hide them, but their stars still count', async () => {
    const { ada, bob, id, sql, visitor, review, shown, profile } = await openMarket()
    await review(ada, { rating: 1, text: 'Insult' })
    await review(bob)
    await sql.query('update reviews set hidden_at = now() where payment_id = $1 and author_id = $2', [
      id,
      ada.id,
    ])
    expect(await shown(bob)).toEqual([])
    expect((await visitor(`GET /api/users/${bob.id}/feedback`)).json()).toEqual([])
    expect(await profile(bob)).toMatchObject({ asSeller: { rating: 1, count: 1 } })
  })
})

describe('replies', () => {
  test('are public, and the reviewed person writes them once', async () => {
    const { ada, bob, eve, review, shown } = await openMarket()
    const { id } = (await review(ada, { rating: 1, text: 'Late' })).json()
    const reply = (who: Person, text: string, of = id) => who.call(`POST /api/reviews/${of}/reply`, { text })
    expect((await reply(bob, 'Sorry')).json().code).toBe('review_not_found')
    await review(bob)
    for (const person of [ada, eve]) {
      const refused = await reply(person, 'Mine')
      expect([refused.statusCode, refused.json().code]).toEqual([404, 'review_not_found'])
    }
    expect((await reply(bob, ' ')).statusCode).toBe(422)
    const replies = await Promise.all([reply(bob, 'Sorry'), reply(bob, 'Sorry')])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    expect(replies.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('already_replied')
    const reviewWithReply = { rating: 1, reply: { text: 'Sorry', createdAt: expect.any(String) } }
    expect(replies.find(({ statusCode }) => statusCode === 201)?.json()).toMatchObject(reviewWithReply)
    expect(await shown(bob)).toMatchObject([reviewWithReply])
    const [told] = (await ada.call('GET /api/notifications')).json()
    expect(told).toMatchObject({
      title: 'Bob Tester replied to your review for “Lamp”',
      path: `/user/${bob.id}?as=seller`,
    })
  })
})

describe('concurrent reviews', () => {
  test('both are published exactly once', { tags: ['proof'] }, async () => {
    const { ada, bob, given, sql, review, standing, shown } = await openMarket()
    const ids: number[] = []
    for (let at = 0; at < 13; at++) {
      const [buyer, seller] = at % 2 ? [ada, bob] : [bob, ada]
      ids.push((await given.completedDeal({ buyer, seller })).paymentId)
    }
    const replies = await Promise.all(
      ids.flatMap((id) => [ada, bob].map((who) => review(who, { rating: 3 }, id))),
    )
    expect(replies.map((reply) => reply.statusCode)).toEqual(Array(26).fill(201))
    expect(replies.filter((reply) => reply.json().published)).toHaveLength(13)
    for (const person of [ada, bob]) {
      expect(await standing(person)).toEqual({ rating_sum: 39, rating_count: 13, rating: 3 })
      expect(await shown(person)).toHaveLength(12)
    }
    const { rows } = await sql.query(
      'select count(*)::int from reviews where payment_id = any($1) and published_at is not null and is_counted',
      [ids],
    )
    expect(rows).toEqual([{ count: 26 }])
  })

  test('the second review and the sweep count the first one once', { tags: ['proof'] }, async () => {
    const { services, ada, bob, given, sql, review, standing, sweep } = await openMarket()
    for (let at = 0; at < 10; at++) {
      const { paymentId: id } = await given.completedDeal()
      await review(bob, { rating: 2 }, id)
      const now = services.clock()
      // The review starts just before the end, and the sweep runs just after it.
      await sql.query('update payments set ended_at = $1 where id = $2', [
        new Date(now.getTime() - 14 * DAY_MS),
        id,
      ])
      await Promise.all([
        services.database.transact((tx) =>
          reviewDeal(
            Object.assign(tx, { now: new Date(now.getTime() - 1) }),
            id,
            { rating: 4, tags: [] },
            ada,
          ),
        ),
        sweep(),
      ])
    }
    expect(await standing(ada)).toEqual({ rating_sum: 20, rating_count: 10, rating: 2 })
    expect(await standing(bob)).toEqual({ rating_sum: 40, rating_count: 10, rating: 4 })
  })

  test('stars are added to people in the order of their ids, so that two reviews cannot deadlock', async () => {
    const { services, sql } = await openMarket()
    const ids = Array.from({ length: 8 }, (_, at) => `person ${8 - at}`)
    await sql.query(`insert into users (id, email) select id, id from unnest($1::text[]) id`, [ids])
    const other = await sql.connect()
    try {
      await other.query('begin')
      await other.query('select from users where id = $1 for update', ['person 1'])
      const adding = services.database.transact((tx) =>
        addStars(
          tx,
          ids.map((subjectId) => ({ subjectId, subjectRole: 'seller', rating: 5 })),
        ),
      )
      await waitUntilBlocked(sql)
      const free = await sql.query(`select from users where id = any($1) for update skip locked`, [ids])
      expect(free.rowCount).toBe(7)
      await other.query('commit')
      await adding
    } finally {
      other.release(true)
    }
    const { rows } = await sql.query('select distinct rating_sum from users where id = any($1)', [ids])
    expect(rows).toEqual([{ rating_sum: 5 }])
  })

  test('only one of fifty concurrent ratings of one payment counts', async () => {
    const { ada, rate, standing, stored } = await openMarket()
    const replies = await Promise.all(Array.from({ length: 50 }, () => rate(ada, { rating: 2 })))
    const codes = replies.map((reply) => reply.statusCode).sort()
    expect(codes).toEqual([200, ...Array(49).fill(409)])
    expect(await standing()).toEqual({ rating_sum: 2, rating_count: 1, rating: 2 })
    expect(await stored()).toHaveLength(1)
  })
})
