import { describe, expect, test, vi } from 'vitest'
import { ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { type Person, shareWorld, type World } from '../../../testing/world.ts'
import { claimDueRefunds } from './queries.ts'
import { retryRefunds } from './refunds.ts'
import { syncCharge } from './sync-payment.ts'

const MINUTE_MS = 60_000
/** Refunds to this card succeed at first and fail a few seconds later. */
const REFUND_FAILS = '4000000000005126'

/** Refunds to this card are pending at first. */
const REFUND_PENDING = '4000000000007726'

const cardsOf = ({ services: { cards } }: MoneyWorld) => {
  if (!cards) throw new Error('this test needs the sandbox')
  return cards
}

/** A payment that an admin ruled to refund, without the job that refunds it. */
async function ruleRefund(world: MoneyWorld, admin: Person, card?: string, refundAmount?: number) {
  const { clientSecret, paymentId } = await world.start(await world.agree())
  await world.enterCard(clientSecret, card)
  await world.runJobs('sync-pending-payments')
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
  await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})
  const ruling = refundAmount ? { action: 'refund_partial', refundAmount } : { action: 'refund_full' }
  const ruled = await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)
  expect(ruled.statusCode, ruled.body).toBe(200)
  return { paymentId, intentId: clientSecret.split('_secret_')[0] ?? '' }
}

const refundsOf = async ({ stripe }: MoneyWorld, intentId: string) =>
  (await stripe<{ data: { status: string }[] }>('GET', `/v1/refunds?payment_intent=${intentId}`)).data.map(
    ({ status }) => status,
  )

/** The bank returns the refunds. Waits until we know it. */
async function letRefundFail(world: MoneyWorld, paymentId: number) {
  world.advanceClock(MINUTE_MS)
  await eventually(async () => {
    const { rows } = await world.sql.query('select refund_failed_at as at from payments where id = $1', [
      paymentId,
    ])
    expect(rows[0].at).not.toBeNull()
  })
}

const listRefunds = async (admin: Person, status = 'owed') =>
  (await admin.call(`GET /api/admin/refunds?status=${status}`)).json()

const titlesOf = async (person: Person): Promise<string[]> =>
  (await person.call('GET /api/notifications')).json().map(({ title }: { title: string }) => title)

test('a refund that the bank has not confirmed is shown as on its way', async () => {
  const world = await openMoneyWorld()
  const admin = await world.signUp('Root', 'admin')
  const { paymentId } = await ruleRefund(world, admin, REFUND_PENDING)
  const isPending = async () =>
    (await world.ada.call(`GET /api/payments/${paymentId}`)).json().refundPending as boolean
  expect(await isPending()).toBe(false)
  await world.runJobs()
  expect(await isPending()).toBe(true)
  world.advanceClock(5 * MINUTE_MS)
  await eventually(async () => expect(await isPending()).toBe(false))
  await world.expectBooksRight()
})

describe('a refund that fails at the bank', () => {
  const newWorld = shareMoneyWorld()

  test('is owed again, retried and paid manually, and each step is booked once', async () => {
    const world = await newWorld()
    const { ada } = world
    const admin = await world.signUp('Root', 'admin')
    const { paymentId, intentId } = await ruleRefund(world, admin, REFUND_FAILS)
    const act = async (what: string, by = admin) => {
      const reply = await by.call(`POST /api/admin/refunds/${paymentId}/${what}`, { reference: 'wire 7' })
      return [reply.statusCode, reply.json().code ?? reply.json().status]
    }
    expect(await act('retry')).toEqual([409, 'refund_not_failed'])
    await world.runJobs()
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(0)
    await letRefundFail(world, paymentId)
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(12_000)
    await world.expectBooksRight()
    expect(await titlesOf(ada)).toContain('Your refund for “Lamp” did not arrive')
    expect(await listRefunds(admin)).toEqual([
      {
        paymentId,
        transactionNumber: expect.stringMatching(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/),
        itemTitle: 'Lamp',
        buyer: expect.objectContaining({ id: ada.id }),
        buyerEmail: expect.stringContaining('@'),
        amount: 12_000,
        currency: 'usd',
        status: 'failed',
        failedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        attempts: 1,
        reason: 'expired_or_canceled_card',
        nextTryAt: null,
        paidAt: null,
        bankDecides: false,
        steps: [],
      },
    ])
    const shownAsFailed = async () =>
      (await ada.call(`GET /api/payments/${paymentId}`)).json().refundFailedAt !== null
    expect(await shownAsFailed()).toBe(true)

    // Only an admin can send it again.
    world.advanceClock(120 * MINUTE_MS)
    await world.runJobs('retry-refunds')
    expect(await refundsOf(world, intentId)).toEqual(['failed'])

    expect(await Promise.all([act('retry'), act('retry')])).toEqual([
      [200, 'retrying'],
      [200, 'retrying'],
    ])
    await world.runJobs()
    expect(await refundsOf(world, intentId)).toHaveLength(2)
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(0)
    expect(await titlesOf(ada)).toContain('We sent your refund for “Lamp” again')
    expect(await act('paid')).toEqual([409, 'refund_not_failed'])
    await world.expectBooksRight()

    await letRefundFail(world, paymentId)
    expect(await listRefunds(admin)).toMatchObject([{ status: 'failed', attempts: 2 }])
    await world.expectBooksRight()
    const both = await Promise.all([act('paid'), act('paid')])
    expect(both.toSorted()).toEqual([
      [200, 'paid'],
      [409, 'refund_not_failed'],
    ])
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(0)
    expect(await titlesOf(ada)).toContain('We paid your refund for “Lamp”')
    expect(await shownAsFailed()).toBe(false)
    // Late and repeated events change nothing.
    await syncCharge(world.services, cardsOf(world), intentId)
    await world.runJobs('retry-refunds')
    expect(await refundsOf(world, intentId)).toEqual(['failed', 'failed'])
    expect(await act('retry')).toEqual([409, 'refund_not_failed'])
    expect(await listRefunds(admin)).toEqual([])
    const [paid] = await listRefunds(admin, 'paid')
    expect(paid.steps.map(({ action, reference }: Record<string, string>) => [action, reference])).toEqual([
      ['retried', null],
      ['retried', null],
      ['marked_paid', 'wire 7'],
    ])
    await world.expectBooksRight()
  })

  test('is owed to the buyer even if it was made in the dashboard', { tags: ['proof'] }, async () => {
    const world = await newWorld()
    const { ada } = world
    const admin = await world.signUp('Root', 'admin')
    const { clientSecret, paymentId } = await world.start(await world.agree())
    await world.enterCard(clientSecret, REFUND_FAILS)
    await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
    await world.stripe('POST', '/v1/refunds', { payment_intent: clientSecret.split('_secret_')[0] ?? '' })
    await eventually(async () => expect(await world.statusOf(paymentId)).toBe('resolved_buyer'))
    await letRefundFail(world, paymentId)
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(12_000)
    expect(await listRefunds(admin)).toMatchObject([{ paymentId, status: 'failed', amount: 12_000 }])
    await world.expectBooksRight()
    const paid = await admin.call(`POST /api/admin/refunds/${paymentId}/paid`, { reference: 'wire 8' })
    expect(paid.statusCode, paid.body).toBe(200)
    await world.expectBooksRight()
  })

  test('leaves the ruled amount as it is if it was made in the dashboard', async () => {
    const world = await newWorld()
    const { ada } = world
    const admin = await world.signUp('Root', 'admin')
    const { paymentId, intentId } = await ruleRefund(world, admin, REFUND_FAILS, 3_000)
    const ruled = async () => (await ada.call(`GET /api/disputes/${paymentId}`)).json().dispute
    const owed = (cents: number) =>
      eventually(async () => expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(cents))
    await world.runJobs()
    expect(await ruled()).toMatchObject({ refundCents: 3_000, refundedAt: expect.any(String) })
    await letRefundFail(world, paymentId)
    expect(await ruled()).toMatchObject({ refundCents: 3_000, refundedAt: null })
    await world.stripe('POST', '/v1/refunds', { payment_intent: intentId, amount: '2000' })
    await owed(1_000)
    expect(await ruled()).toMatchObject({ refundCents: 3_000, refundedAt: null })
    world.advanceClock(MINUTE_MS)
    await owed(3_000)
    expect(await ruled()).toMatchObject({ refundCents: 3_000, refundedAt: null })
    const retry = () => admin.call(`POST /api/admin/refunds/${paymentId}/retry`)
    expect((await retry()).statusCode).toBe(200)
    await world.runJobs()
    expect(await ruled()).toMatchObject({ refundCents: 3_000, refundedAt: expect.any(String) })
    await world.stripe('POST', '/v1/refunds', { payment_intent: intentId, amount: '1000' })
    world.advanceClock(MINUTE_MS)
    await owed(4_000)
    expect(await ruled()).toMatchObject({ refundCents: 3_000 })
    const paid = await admin.call(`POST /api/admin/refunds/${paymentId}/paid`, { reference: 'wire 9' })
    expect(paid.statusCode, paid.body).toBe(200)
    await world.expectBooksRight()
  })

  test('cannot be paid while the bank decides, by a party, or if it does not exist', {
    tags: ['proof'],
  }, async () => {
    const world = await newWorld()
    const { ada } = world
    const admin = await world.signUp('Root', 'admin')
    const { paymentId, intentId } = await ruleRefund(world, admin, REFUND_FAILS)
    await world.runJobs()
    await letRefundFail(world, paymentId)
    const answers = async (by: Person, id: number) => {
      const paths = ['retry', 'paid'].map((what) => `POST /api/admin/refunds/${id}/${what}`)
      const replies = await Promise.all(paths.map((path) => by.call(path, { reference: 'wire' })))
      return replies.map((reply) => [reply.statusCode, reply.json().code])
    }
    const twice = (status: number, code: string) => [
      [status, code],
      [status, code],
    ]
    expect(await answers(admin, 2_000_000)).toEqual(twice(404, 'refund_not_found'))
    const { paymentId: held } = await world.payIntoEscrow()
    expect(await answers(admin, held)).toEqual(twice(404, 'refund_not_found'))
    await world.appoint(ada)
    expect(await answers(ada, paymentId)).toEqual(twice(403, 'not_impartial'))
    await world.press(`/sandbox/payments/${intentId}/dispute`)
    await eventually(async () => expect((await listRefunds(admin))[0]).toMatchObject({ bankDecides: true }))
    expect(await answers(admin, paymentId)).toEqual(twice(409, 'bank_decides'))
    // After a lost chargeback, the buyer has the money.
    const { data } = await world.stripe<{ data: { id: string }[] }>('GET', '/v1/disputes')
    await world.press(`/sandbox/disputes/${data[0]?.id}/lost`)
    await eventually(async () => expect(await listRefunds(admin)).toEqual([]))
    expect(await world.balanceOf(`buyer:${ada.id}`)).toBe(0)
    await world.expectBooksRight()
  })
})

test('a refund that fails before it was booked is neither counted as made nor made again', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld({ webhook: 'lost' })
  const admin = await world.signUp('Root', 'admin')
  const { paymentId, intentId } = await ruleRefund(world, admin, REFUND_FAILS)
  const cards = cardsOf(world)
  const { refund } = cards
  // The process dies after the provider made the refund.
  vi.spyOn(cards, 'refund').mockImplementationOnce(async (request) => {
    await refund(request)
    throw new ProviderFailed('unknown', new Error('died'))
  })
  await world.runJobs()
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(12_000)
  world.advanceClock(MINUTE_MS)
  await eventually(async () => expect(await refundsOf(world, intentId)).toEqual(['failed']))
  await world.runJobs('retry-refunds')
  expect(await refundsOf(world, intentId)).toEqual(['failed'])
  expect(await listRefunds(admin)).toMatchObject([{ paymentId, status: 'failed', attempts: 1 }])
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(12_000)
  await world.expectBooksRight()
})

test('a refused refund is retried with growing delays, and can be paid manually once the provider has answered', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld()
  const admin = await world.signUp('Root', 'admin')
  const { paymentId, intentId } = await ruleRefund(world, admin, undefined, 3_000)
  const cards = cardsOf(world)
  const asked = vi.spyOn(cards, 'refund')
  asked.mockRejectedValue(new ProviderFailed('refused', new Error('no'), 'charge_not_refundable'))
  const attemptsIn = async (minutes: number) => {
    asked.mockClear()
    for (let minute = 0; minute < minutes; minute++) {
      world.advanceClock(MINUTE_MS)
      await retryRefunds(world.services)
      const { rowCount } = await world.sql.query(
        "select from graphile_worker.jobs where task_identifier = 'refund-buyer'",
      )
      if (rowCount) await world.runJobs()
    }
    return asked.mock.calls.length
  }
  await world.runJobs()
  const first = await attemptsIn(20)
  const later = await attemptsIn(20)
  expect(first).toBeLessThan(18)
  expect(later).toBeLessThan(first)
  const [listed] = await listRefunds(admin)
  expect(listed).toMatchObject({
    paymentId,
    amount: 3_000,
    status: 'retrying',
    failedAt: null,
    attempts: 1 + first + later,
    reason: 'charge_not_refundable',
  })
  expect(new Date(listed.nextTryAt).getTime()).toBeGreaterThan(world.services.clock().getTime())

  asked.mockRejectedValueOnce(new ProviderFailed('unknown', new Error('cut')))
  expect((await admin.call(`POST /api/admin/refunds/${paymentId}/retry`)).statusCode).toBe(200)
  await world.runJobs()
  const pay = () => admin.call(`POST /api/admin/refunds/${paymentId}/paid`, { reference: 'wire 9' })
  const early = await pay()
  expect([early.statusCode, early.json().code]).toEqual([409, 'refund_under_way'])
  await world.sql.query('update graphile_worker._private_jobs set run_at = now()')
  await world.runJobs()
  expect((await pay()).statusCode).toBe(200)
  asked.mockRestore()
  await world.runJobs('retry-refunds')
  expect(await refundsOf(world, intentId)).toEqual([])
  await world.expectBooksRight()
})

describe('due refunds', () => {
  const shared = shareWorld()

  async function givenDueRefunds({ sql, signUp, services }: World, count: number): Promise<void> {
    const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
    const client = await sql.connect()
    try {
      // Skips foreign keys and triggers: only the refund matters here.
      await client.query('set session_replication_role = replica')
      await client.query('delete from payments')
      await client.query(
        `insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, status,
           escrow_hold_until, refund_cents, refund_try_at, updated_at)
         select 1, $1, $2, n, 1000, 'usd', 'resolved_buyer', now(), 1000, $3::timestamptz + n * interval '1 ms', $3
         from generate_series(1, ${count}) n`,
        [ada.id, bob.id, services.clock()],
      )
    } finally {
      client.release(true)
    }
  }

  test('are all tried, even if a hundred are refused', async () => {
    const world = shared()
    const { transact } = world.services.database
    await givenDueRefunds(world, 101)
    world.advanceClock(MINUTE_MS)
    const first = await transact((tx) => claimDueRefunds(tx, 60, 100))
    expect(first).toHaveLength(100)
    const tried = new Set(first.map(({ id }) => id))
    world.advanceClock(MINUTE_MS)
    const second = await transact((tx) => claimDueRefunds(tx, 60, 100))
    expect(second.filter(({ id }) => !tried.has(id))).toHaveLength(1)
  })

  test('are claimed by one process at a time', async () => {
    const world = shared()
    const { transact } = world.services.database
    await givenDueRefunds(world, 3)
    // This refund waits for an admin.
    await world.sql.query('update payments set refund_failed_at = now() where offer_id = 1')
    world.advanceClock(MINUTE_MS)
    await transact(async (tx) => {
      expect(await claimDueRefunds(tx, 60, 1)).toHaveLength(1)
      expect(await transact((other) => claimDueRefunds(other, 60, 10))).toHaveLength(1)
    })
  })
})
