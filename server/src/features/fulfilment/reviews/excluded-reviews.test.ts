import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { asDevice } from '../../../http/session.ts'
import { actDuringChange, waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { addTraders } from '../../../testing/traders.ts'
import { type Person, shareWorld } from '../../../testing/world.ts'
import { rememberDevice } from '../../users/known-devices.ts'
import { reviewDeal } from './actions.ts'
import { excludeIfRelated, recheckReviews } from './excluded-reviews.ts'
import { publishDueReviews } from './publish-reviews.ts'
import { claimReviewsToRecheck } from './queries.ts'

const DAY_MS = 86_400_000
const shared = shareWorld({ RATE_LIMIT: 'off' })

async function openMarket() {
  const world = await addTraders(shared())
  const { ada, bob, given, sql, services, visitor } = world
  const shareDevice = () =>
    services.database.transact(async (tx) => {
      for (const { id } of [ada, bob]) await rememberDevice(tx, id, asDevice(ada.id, 'Firefox on Linux'))
    })
  /** Both review each other. */
  const review = async (amount = 12_000) => {
    const { paymentId } = await given.completedDeal({ amount })
    for (const who of [ada, bob]) {
      const reply = await who.call(`POST /api/payments/${paymentId}/review`, { rating: 5 })
      expect(reply.statusCode, reply.body).toBe(201)
    }
    return paymentId
  }
  const ratingOf = async ({ id }: Person) => {
    const { rating, asBuyer, asSeller } = (await visitor(`GET /api/users/${id}`)).json()
    return [rating, asBuyer.count, asSeller.count]
  }
  const notCounted = async ({ id }: Person) =>
    (await visitor(`GET /api/users/${id}/reviews`)).json().map((it: { notCounted?: true }) => it.notCounted)
  const cases = async () => {
    const { rows } = await sql.query(
      `select distinct person_id, severity, note from moderation_cases
       join reports on reports.case_id = moderation_cases.id where person_id = any($1)`,
      [[ada.id, bob.id]],
    )
    return rows
  }
  /** The stars of a person are those of their counted reviews. */
  const expectSums = async () => {
    const { rows } = await sql.query(
      `select u.id from users u left join reviews r on r.subject_id = u.id and r.is_counted
       group by u.id having u.rating_sum <> coalesce(sum(r.rating), 0) or u.rating_count <> count(r.id)`,
    )
    expect(rows).toEqual([])
  }
  return { ...world, shareDevice, review, ratingOf, notCounted, cases, expectSums }
}

test('five deals of 1.00 between accounts with one device give no rating, and open one case', async () => {
  const { ada, bob, shareDevice, review, ratingOf, notCounted, cases, expectSums } = await openMarket()
  await shareDevice()
  for (const _ of Array(5)) await review(100)
  expect(await ratingOf(bob)).toEqual([0, 0, 0])
  expect(await ratingOf(ada)).toEqual([0, 0, 0])
  expect(await notCounted(bob)).toEqual(Array(5).fill(true))
  expect(await cases()).toEqual([
    { person_id: ada.id, severity: 2, note: expect.stringContaining('share: device.') },
  ])
  await expectSums()
})

test('a rating of a deal below the minimum does not count, and one of the minimum does', async () => {
  const { bob, review, ratingOf, notCounted, cases, expectSums } = await openMarket()
  await review(499)
  expect(await ratingOf(bob)).toEqual([0, 0, 0])
  await review(500)
  expect(await ratingOf(bob)).toEqual([5, 0, 1])
  expect(await notCounted(bob)).toEqual([undefined, true])
  expect(await cases()).toEqual([])
  await expectSums()
})

test('a blind review that does not count is not added when its time is over', async () => {
  const world = await openMarket()
  const { ada, bob, given, sql, services, ratingOf } = world
  const { paymentId } = await given.completedDeal({ amount: 499 })
  await bob.call(`POST /api/payments/${paymentId}/review`, { rating: 5 })
  await sql.query('update payments set ended_at = $2, completed_at = $2 where id = $1', [
    paymentId,
    new Date(services.clock().getTime() - 15 * DAY_MS),
  ])
  expect(await ratingOf(ada)).toEqual([0, 0, 0])
  await publishDueReviews(services)
  expect(await ratingOf(ada)).toEqual([0, 0, 0])
  expect(await world.notCounted(ada)).toEqual([true])
  await world.expectSums()
})

test('accounts that turn out to be related later lose the ratings of each other', async () => {
  const { ada, bob, signUp, given, services, shareDevice, review, ratingOf, cases, sql, expectSums } =
    await openMarket()
  await review()
  await review()
  const carl = await signUp('Carl')
  const { paymentId } = await given.completedDeal({ buyer: carl })
  await carl.call(`POST /api/payments/${paymentId}/review`, { rating: 3 })
  await recheckReviews(services)
  expect(await ratingOf(bob)).toEqual([13 / 3, 0, 3])
  await shareDevice()
  await sql.query('update reviews set recheck_at = now() where recheck_at is not null')
  await Promise.all([recheckReviews(services), recheckReviews(services)])
  expect(await ratingOf(bob)).toEqual([3, 0, 1])
  expect(await ratingOf(ada)).toEqual([0, 0, 0])
  expect(await cases()).toHaveLength(1)
  await expectSums()
})

test('two reviews of related accounts at the same time open one case', async () => {
  const { ada, given, services, sql, shareDevice, cases } = await openMarket()
  await shareDevice()
  const [first, second] = [await given.completedDeal(), await given.completedDeal()]
  const written = await services.database.transact(async (tx) => {
    await reviewDeal(tx, first.paymentId, { rating: 5, tags: [] }, ada)
    const reply = ada.call(`POST /api/payments/${second.paymentId}/review`, { rating: 5 })
    await waitUntilBlocked(sql)
    return { reply }
  })
  expect((await written.reply).statusCode).toBe(201)
  expect(await cases()).toHaveLength(1)
})

test('stars of a review that is published at the same moment are taken away again', async () => {
  const { bob, ada, given, services, sql, shareDevice, expectSums } = await openMarket()
  const { paymentId } = await given.completedDeal()
  await bob.call(`POST /api/payments/${paymentId}/review`, { rating: 5 })
  await shareDevice()
  const publish = `with published as (
      update reviews set published_at = now(), is_counted = true where payment_id = $1 returning subject_id, rating
    )
    update users set rating_sum = rating_sum + published.rating, rating_count = rating_count + 1,
      buyer_rating_sum = buyer_rating_sum + published.rating, buyer_rating_count = buyer_rating_count + 1
    from published where id = subject_id`
  await actDuringChange(sql, [publish, paymentId], () =>
    services.database.transact((tx) => excludeIfRelated(tx, { id: 1, authorId: bob.id, subjectId: ada.id })),
  )
  await expectSums()
})

test('a review that one worker checks again is not checked by another', async () => {
  const { services, review, sql: connection } = await openMarket()
  await review()
  await connection.query('update reviews set recheck_at = now()')
  const { transact } = services.database
  await transact(async (tx) => {
    expect(await claimReviewsToRecheck(tx, 1000)).not.toEqual([])
    const other = transact(async (otherTx) => {
      await otherTx.execute(sql`set local lock_timeout = '2s'`)
      return claimReviewsToRecheck(otherTx, 1000)
    })
    expect(await other).toEqual([])
  })
})
