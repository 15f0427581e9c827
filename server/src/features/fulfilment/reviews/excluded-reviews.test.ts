import { expect, test } from 'vitest'
import { asDevice } from '../../../http/session.ts'
import { addTraders } from '../../../testing/traders.ts'
import { type Person, shareWorld } from '../../../testing/world.ts'
import { rememberDevice } from '../../users/known-devices.ts'
import { recheckReviews } from './excluded-reviews.ts'
import { publishDueReviews } from './publish-reviews.ts'

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
