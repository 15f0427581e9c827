// @module-tag proof

import { expect, test } from 'vitest'
import {
  createOnboardedAccount,
  createPaidIntent,
  getError,
  openWorld,
  type World,
} from '../testing/world.ts'

const DAY_MS = 86_400_000

const press = ({ sandbox }: World, path: string, form = {}) =>
  fetch(sandbox.url + path, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) })

test('a manual payout sends available money only, and arrives the next day', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  await createPaidIntent(stripe, 10_000)
  expect(await getError(stripe.payouts.create({ amount: 5_000, currency: 'usd' }))).toMatchObject({
    code: 'balance_insufficient',
  })
  world.advanceClock(2 * DAY_MS)
  const payout = await stripe.payouts.create({ amount: 5_000, currency: 'usd', metadata: { month: 'May' } })
  expect(payout).toMatchObject({
    amount: 5_000,
    automatic: false,
    status: 'pending',
    metadata: { month: 'May' },
  })
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 4_680 }])
  world.advanceClock(DAY_MS)
  await webhook.until(() => webhook.types().includes('payout.paid'))
  expect((await stripe.payouts.retrieve(payout.id)).status).toBe('paid')
  expect((await getError(stripe.payouts.cancel(payout.id))).statusCode).toBe(400)

  const canceled = await stripe.payouts.create({ amount: 4_000, currency: 'usd' })
  expect((await stripe.payouts.cancel(canceled.id)).status).toBe('canceled')
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 4_680 }])
  expect((await stripe.payouts.list({ status: 'paid' })).data).toMatchObject([{ id: payout.id }])
  expect((await getError(stripe.payouts.create({ amount: 1, currency: 'eur' }))).param).toBe('currency')
})

test('a daily schedule pays out the available balance; a manual schedule pays out nothing', async () => {
  const world = await openWorld({ payoutSchedule: 'daily' })
  const { stripe, webhook } = world
  expect((await stripe.balanceSettings.retrieve()).payments).toMatchObject({
    payouts: { schedule: { interval: 'daily' }, status: 'enabled' },
    settlement_timing: { delay_days: 2 },
  })
  const { charge } = await createPaidIntent(stripe, 10_000)
  world.advanceClock(DAY_MS)
  await createPaidIntent(stripe, 2_000)
  world.advanceClock(DAY_MS)
  await webhook.until(() => webhook.types().includes('payout.created'))
  const [payout] = (await stripe.payouts.list()).data
  expect(payout).toMatchObject({ amount: 9_680, automatic: true, status: 'in_transit' })
  const paid = await stripe.balanceTransactions.list({ payout: String(payout?.id) })
  expect(paid.data).toMatchObject([{ type: 'payout', amount: -9_680 }, { source: charge }])

  const settings = await stripe.balanceSettings.update({
    payments: { payouts: { schedule: { interval: 'manual' } } },
  })
  expect(settings.payments.payouts?.schedule?.interval).toBe('manual')
  world.advanceClock(5 * DAY_MS)
  await webhook.until(() => webhook.types().includes('payout.paid'))
  expect((await stripe.payouts.list()).data).toHaveLength(1)
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 1_912 }])
})

test('weekly and monthly schedules require their days', async () => {
  const { stripe } = await openWorld()
  const schedule = (schedule: object) =>
    stripe.balanceSettings.update({ payments: { payouts: { schedule } } })
  expect((await getError(schedule({ interval: 'weekly' }))).code).toBe('parameter_missing')
  const weekly = await schedule({ interval: 'weekly', weekly_payout_days: ['monday'] })
  expect(weekly.payments.payouts?.schedule).toEqual({ interval: 'weekly', weekly_payout_days: ['monday'] })
  const monthly = await schedule({ interval: 'monthly', monthly_payout_days: [1, 31] })
  expect(monthly.payments.payouts?.schedule).toEqual({ interval: 'monthly', monthly_payout_days: [1, 31] })
})

test('a payout to a closed bank account fails, and the money returns', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  await createPaidIntent(stripe, 10_000, 'pm_card_bypassPending')
  await press(world, '/bank-account', { account_number: '000111111113' })
  const { id } = await stripe.payouts.create({ amount: 5_000, currency: 'usd' })
  world.advanceClock(DAY_MS)
  await webhook.until(() => webhook.types().includes('payout.failed'))
  expect(await stripe.payouts.retrieve(id)).toMatchObject({
    status: 'failed',
    failure_code: 'account_closed',
    failure_balance_transaction: expect.stringMatching(/^txn_/),
  })
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 9_680 }])
  expect((await getError(stripe.payouts.create({ amount: 1, currency: 'usd' }))).code).toBe(
    'payouts_not_allowed',
  )
  await press(world, '/bank-account', { account_number: '000123456789' })
  expect((await stripe.payouts.create({ amount: 1, currency: 'usd' })).status).toBe('pending')
})

test('a negative balance is debited from the bank account', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const { charge } = await createPaidIntent(stripe, 10_000, 'pm_card_bypassPending')
  await stripe.refunds.create({ charge })
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: -320 }])
  world.advanceClock(DAY_MS)
  await webhook.until(() => webhook.types().includes('payout.created'))
  expect((await stripe.payouts.list()).data).toMatchObject([{ amount: -320, automatic: true }])
  expect((await stripe.balance.retrieve()).available).toMatchObject([{ amount: 0 }])
})

test('connected accounts are paid out daily, unless the platform sets another schedule', async () => {
  const world = await openWorld()
  const { stripe, webhook } = world
  const [daily, manual] = [await createOnboardedAccount(world), await createOnboardedAccount(world)]
  await stripe.accounts.update(manual, { settings: { payouts: { schedule: { interval: 'manual' } } } })
  const { charge } = await createPaidIntent(stripe, 10_000, 'pm_card_bypassPending')
  for (const destination of [daily, manual]) {
    await stripe.transfers.create({ amount: 4_000, currency: 'usd', destination, source_transaction: charge })
  }
  world.advanceClock(DAY_MS)
  await webhook.until(() => webhook.types().includes('payout.created'))
  const created = webhook.received.find(({ event }) => event.type === 'payout.created')
  expect(created?.event.account).toBe(daily)
  const payouts = await stripe.payouts.list({}, { stripeAccount: daily })
  expect(payouts.data).toMatchObject([{ amount: 4_000, automatic: true }])
  expect((await stripe.payouts.list()).data).toEqual([])
  expect((await getError(stripe.payouts.retrieve(String(payouts.data[0]?.id)))).code).toBe('resource_missing')
  expect((await stripe.balance.retrieve({}, { stripeAccount: manual })).available).toMatchObject([
    { amount: 4_000 },
  ])
})

test('only test bank accounts are accepted', async () => {
  const { stripe } = await openWorld()
  const create = (account_number: string) =>
    stripe.accounts.create({
      type: 'custom',
      country: 'US',
      capabilities: { card_payments: { requested: true }, transfers: { requested: true } },
      external_account: {
        object: 'bank_account',
        country: 'US',
        currency: 'usd',
        routing_number: '110000000',
        account_number,
      },
    })
  expect(await create('000111111116')).toMatchObject({ external_accounts: { data: [{ last4: '1116' }] } })
  expect((await getError(create('123456789'))).param).toBe('external_account[account_number]')
})
