import type { Call, ReplyOf } from '@sought/contract/call'
import { listNotifications } from '@sought/contract/notifications'
import { listOffers } from '@sought/contract/offers'
import { listManualPayouts } from '@sought/contract/payouts'
import { getStripeConnectStatus, listPayouts } from '@sought/contract/sellers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Account, type BankPayout, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { HEALTHY, NOT_SET_UP } from '../../../testing/accounts.ts'
import { givenReleasedPayment } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { openMoneyWorld } from '../../../testing/money-world.ts'
import { type Person, shareWorld, type World } from '../../../testing/world.ts'
import { receiveEvent } from '../payments/provider-events.ts'
import { checkAccounts, readAccountOf } from './account-health.ts'

const sharedWorld = shareWorld()

const DAY_MS = 86_400_000
const daysFrom = (now: Date, days: number) => new Date(now.getTime() + days * DAY_MS)

const DOCUMENT = 'individual.verification.document'
const DOCUMENT_WORDS = 'Upload a picture of your identity document.'

/** Bob has an account with a stand-in of the provider, which says what `says` returns. */
async function openMarket(says: Account | null = HEALTHY) {
  const world = sharedWorld()
  const { services } = world
  const realCards = services.cards
  if (!realCards) throw new Error('this world has a provider to begin with')
  onTestFinished(() => {
    services.cards = realCards
  })
  const provider = {
    says,
    reads: [] as string[],
    sentAgain: [] as string[],
    failure: null as ProviderFailed | null,
  }
  services.cards = {
    ...realCards,
    async readAccount(accountId) {
      provider.reads.push(accountId)
      if (provider.failure) throw provider.failure
      return provider.says
    },
    loginUrl: async (accountId) => `https://provider.example/login/${accountId}`,
    async sendPayoutAgain(_, { id }) {
      provider.sentAgain.push(id)
      if (provider.failure) throw provider.failure
    },
  }
  const bob = await world.signUp('Bob')
  // Only Bob's account is due.
  await world.sql.query('delete from payout_accounts; update users set stripe_connect_account_id = null')
  const accountId = `acct_${bob.id}`
  await world.sql.query('update users set stripe_connect_account_id = $2 where id = $1', [bob.id, accountId])
  await world.sql.query(
    "insert into payout_accounts (user_id, account_id, check_at) values ($1, $2, '2020-01-01')",
    [bob.id, accountId],
  )
  const check = () => checkAccounts(services)
  const statusOf = (who: Person) => read(who, getStripeConnectStatus)
  return { ...world, bob, accountId, provider, cards: services.cards, check, statusOf }
}

/** Asks the server, because calls within the process know the real provider. */
async function read<Reading extends Call>(
  who: Person,
  { path }: Reading,
  query = '',
): Promise<ReplyOf<Reading>> {
  const reply = await who.call(`GET ${path}${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

const titlesOf = async (who: Person) =>
  (await read(who, listNotifications)).map(({ title }) => title).toReversed()

const due = (deadline: Date | null): Account => ({
  ...HEALTHY,
  requirements: [{ field: DOCUMENT, what: DOCUMENT_WORDS, deadline }],
})

const PAST_DUE: Account = {
  ...due(null),
  canReceive: false,
  payoutsEnabled: false,
  disabledReason: 'requirements.past_due',
}

const payout = (change: Partial<BankPayout> = {}): BankPayout => ({
  id: 'po_1',
  status: 'paid',
  failure: null,
  amountCents: 11_262,
  currency: 'usd',
  arrivalDate: new Date('2026-12-01'),
  failedTransferIds: [],
  ...change,
})
const FAILED = payout({ status: 'failed', failure: 'account_closed' })

describe('a requirement', () => {
  test('is shown with its deadline', async () => {
    const { bob, provider, statusOf } = await openMarket()
    provider.says = { ...due(new Date('2026-12-24T10:00:00Z')), hasDashboard: true, lastPayout: payout() }
    expect(await statusOf(bob)).toEqual({
      hasAccount: true,
      canReceivePayments: true,
      requirements: [{ field: DOCUMENT, what: DOCUMENT_WORDS, deadline: '2026-12-24T10:00:00.000Z' }],
      disabledReason: null,
      loginUrl: expect.stringContaining('https://provider.example/login/acct_'),
      lastPayout: {
        status: 'paid',
        failure: null,
        amount: 11_262,
        currency: 'usd',
        arrivalDate: '2026-12-01T00:00:00.000Z',
      },
    })
  })

  test('is announced at once, a week and a day before the deadline, and at the deadline, each once', async () => {
    const { bob, provider, check, advanceClock, services } = await openMarket()
    provider.says = due(daysFrom(services.clock(), 10))
    const byDay: number[] = []
    for (let day = 0; day <= 11; day += 0.5) {
      await check()
      byDay.push((await titlesOf(bob)).length)
      advanceClock(DAY_MS / 2)
    }
    expect(byDay).toEqual([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 4, 4, 4])
    const titles = await titlesOf(bob)
    expect(titles[0]).toMatch(/^Stripe needs something from you by \w+ \d+, \d+$/)
    expect(titles[3]).toBe('Stripe still needs something from you')
  })

  test('that is due in three days is announced at once and a day before, but not a week before', async () => {
    const { bob, provider, check, advanceClock, services } = await openMarket()
    provider.says = due(daysFrom(services.clock(), 3))
    await check()
    await readNow()
    expect(await titlesOf(bob)).toHaveLength(1)
    advanceClock(2 * DAY_MS)
    await check()
    await readNow()
    expect(await titlesOf(bob)).toHaveLength(2)

    async function readNow() {
      advanceClock(1_000)
      await read(bob, getStripeConnectStatus)
    }
  })

  test('keeps its deadline once it has passed', async () => {
    const { bob, provider, check, advanceClock, statusOf, services } = await openMarket()
    const deadline = daysFrom(services.clock(), 2)
    provider.says = due(deadline)
    await check()
    advanceClock(3 * DAY_MS)
    provider.says = PAST_DUE
    expect(await statusOf(bob)).toMatchObject({
      canReceivePayments: false,
      disabledReason: 'requirements.past_due',
      requirements: [{ deadline: deadline.toISOString() }],
    })
  })

  test('of an account that is still being set up is shown, but not announced', async () => {
    const { bob, provider, check, statusOf } = await openMarket()
    provider.says = { ...NOT_SET_UP, requirements: due(null).requirements }
    await check()
    expect((await statusOf(bob)).requirements).toMatchObject([{ what: DOCUMENT_WORDS }])
    expect(await titlesOf(bob)).toEqual([])
    provider.says = due(null)
    await statusOf(bob)
    expect(await titlesOf(bob)).toEqual(['Stripe needs something from you'])
  })

  test('is sent by email, even to sellers who were told of an earlier one', async () => {
    const world = await openMarket()
    const { provider, check, statusOf, advanceClock, bob, sql } = world
    await sql.query('update users set email_verified_at = now() where id = $1', [bob.id])
    await check()
    provider.says = due(null)
    await statusOf(bob)
    provider.says = HEALTHY
    advanceClock(DAY_MS)
    await statusOf(bob)
    provider.says = due(null)
    advanceClock(DAY_MS)
    await statusOf(bob)
    const { rows } = await sql.query(
      "select kind from mails where user_id = $1 and kind = 'payout_account'",
      [bob.id],
    )
    expect(rows).toHaveLength(2)
  })
})

test('the page of a person shows the team what the provider said', async () => {
  const { bob, provider, statusOf, signUp } = await openMarket()
  const admin = await signUp('Root', 'admin')
  const accountOf = async (who: Person) =>
    (await admin.call(`GET /api/admin/people/${who.id}`)).json().payoutAccount
  provider.says = { ...PAST_DUE, lastPayout: FAILED }
  await statusOf(bob)
  expect(await accountOf(bob)).toEqual({
    canReceivePayments: false,
    requirements: [{ field: DOCUMENT, what: DOCUMENT_WORDS, deadline: null }],
    disabledReason: 'requirements.past_due',
    lastPayout: {
      status: 'failed',
      failure: 'account_closed',
      amount: 11_262,
      currency: 'usd',
      arrivalDate: '2026-12-01T00:00:00.000Z',
    },
    readAt: expect.any(String),
    closedAt: null,
  })
  expect(await accountOf(admin)).toBeNull()
})

test('disabled payouts are announced once, with what is needed', async () => {
  const { bob, provider, statusOf, advanceClock } = await openMarket()
  await statusOf(bob)
  provider.says = PAST_DUE
  for (let read = 0; read < 3; read++) {
    advanceClock(DAY_MS)
    await statusOf(bob)
  }
  const [told, ...others] = await read(bob, listNotifications)
  expect(told).toMatchObject({
    title: 'Your payouts are paused',
    text: expect.stringContaining(DOCUMENT_WORDS),
  })
  expect(others).toEqual([])
})

test('an account whose details the provider reviews can receive payments, and its seller has nothing to do', async () => {
  const { bob, provider, statusOf } = await openMarket()
  await statusOf(bob)
  provider.says = { ...HEALTHY, payoutsEnabled: false, disabledReason: 'under_review' }
  expect(await statusOf(bob)).toMatchObject({ canReceivePayments: true, disabledReason: 'under_review' })
  expect((await read(bob, listNotifications))[0]?.text).toContain('you do not need to do anything')
})

describe('a payout that failed at the bank', () => {
  /** A payout to Bob's account, as `given` leaves it after its transfer. */
  async function givenTransfer({ given, sql, signUp }: World, seller: Person, accountId: string) {
    const { paymentId } = await given.completedDeal({
      buyer: await signUp('Ada'),
      seller,
      request: { title: 'Lamp' },
    })
    const { rows } = await sql.query(
      `update payouts set status = 'paid', method = 'transfer', destination = $2, provider_id = 'tr_' || payment_id, paid_at = now()
       where payment_id = $1 returning provider_id`,
      [paymentId, accountId],
    )
    return rows[0].provider_id as string
  }
  const ledgerSize = async ({ sql }: World) =>
    (await sql.query('select count(*) from ledger_entries')).rows[0].count

  test('is a state of its own for its seller and the team, until the provider has sent it again', async () => {
    const world = await openMarket()
    const { bob, accountId, provider, statusOf, advanceClock, signUp } = world
    const transferId = await givenTransfer(world, bob, accountId)
    await givenTransfer(world, bob, accountId)
    const finance = await signUp('Fay', 'finance')
    const entries = await ledgerSize(world)
    const bobsPayouts = async () =>
      (await read(bob, listPayouts)).map(({ status, failure }) => ({ status, failure }))
    const paid = { status: 'paid', failure: undefined }
    const failed = { status: 'failed', failure: 'account_closed' }

    provider.says = {
      ...HEALTHY,
      canReceive: false,
      lastPayout: { ...FAILED, failedTransferIds: [transferId] },
    }
    expect(await statusOf(bob)).toMatchObject({
      canReceivePayments: false,
      lastPayout: { status: 'failed', failure: 'account_closed' },
    })
    expect(await bobsPayouts()).toEqual([paid, failed])
    const listFailed = () => read(finance, listManualPayouts, '?status=failed')
    expect(await listFailed()).toMatchObject([
      { status: 'failed', failure: 'account_closed', amount: 11_262 },
    ])
    expect(await read(finance, listManualPayouts, '?status=paid')).toEqual([])
    advanceClock(DAY_MS)
    await statusOf(bob)
    const [told, ...others] = await read(bob, listNotifications)
    expect(told).toMatchObject({
      title: 'Your bank returned a payout',
      text: expect.stringContaining('The bank account is closed.'),
    })
    expect(others.filter(({ title }) => title === told?.title)).toEqual([])

    provider.says = { ...HEALTHY, lastPayout: payout({ id: 'po_2', status: 'in_transit' }) }
    await statusOf(bob)
    expect(await bobsPayouts()).toEqual([paid, paid])
    expect(await listFailed()).toEqual([])
    expect(await ledgerSize(world)).toBe(entries)
  })
})

test.each<[string, Partial<Account>, string[]]>([
  ['is sent again by us if the account has no schedule', { hasPayoutSchedule: false }, ['po_1']],
  ['is sent again by the provider if the account has a schedule', {}, []],
  ['waits until the bank account is replaced', { hasPayoutSchedule: false, canReceive: false }, []],
  ['waits until payouts are enabled', { hasPayoutSchedule: false, payoutsEnabled: false }, []],
])('a payout that failed at the bank %s', async (_, change, sentAgain) => {
  const { provider, check } = await openMarket({ ...HEALTHY, ...change, lastPayout: FAILED })
  await check()
  expect(provider.sentAgain).toEqual(sentAgain)
})

test('a payout that failed on a manual schedule is sent again once the bank account is replaced', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld()
  const accountId = await world.connectBob()
  const schedule = { 'settings[payouts][schedule][interval]': 'manual' }
  await world.stripe('POST', `/v1/accounts/${accountId}`, schedule)
  await givenReleasedPayment(world)
  await world.runJobs()
  world.advanceClock(3 * DAY_MS)
  const replaceBank = (account_number: string) =>
    world.press(`/sandbox/accounts/${accountId}/bank-account`, { account_number })
  const payouts = async () => {
    const { rows } = await world.sql.query(
      `select body ->> 'status' as status, (body ->> 'amount')::int as amount from sandbox.objects
       where kind = 'payout' order by seq`,
    )
    return rows
  }
  const CLOSED = '000111111113'
  await replaceBank(CLOSED)
  const { secretKey, apiUrl = '' } = world.services.sandbox?.keys ?? {}
  const made = await fetch(`${apiUrl}/v1/payouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'stripe-account': accountId },
    body: new URLSearchParams({ amount: '11262', currency: 'usd' }),
  })
  expect(made.status).toBe(200)
  world.advanceClock(DAY_MS)
  await eventually(async () => expect(await payouts()).toEqual([{ status: 'failed', amount: 11_262 }]))
  await world.sql.query('update payout_accounts set check_at = $1', [world.services.clock()])
  await world.runJobs('check-accounts')
  expect(await payouts()).toHaveLength(1)
  await replaceBank('000123456789')
  await world.sql.query('update payout_accounts set check_at = $1', [world.services.clock()])
  await world.runJobs('check-accounts')
  const [failed, again, ...others] = await payouts()
  expect(failed).toEqual({ status: 'failed', amount: 11_262 })
  expect(again).toEqual({ status: 'pending', amount: 11_262 })
  expect(others).toEqual([])
})

test('the buyer sees that a seller cannot be paid any more, and others are as before', async () => {
  const world = await openMarket()
  const { bob, provider, statusOf, check, given, signUp, sql } = world
  const ada = await signUp('Ada')
  await given.agreement({ buyer: ada, seller: bob })
  const stopped = async () => (await read(ada, listOffers))[0]?.sellerPayoutsStopped
  provider.says = NOT_SET_UP
  await statusOf(bob)
  expect(await stopped()).toBeUndefined()
  provider.says = HEALTHY
  await statusOf(bob)
  expect(await stopped()).toBeUndefined()
  provider.says = PAST_DUE
  await statusOf(bob)
  expect(await stopped()).toBe(true)
  await sql.query("update users set bank_account_details = 'sealed' where id = $1", [bob.id])
  expect(await stopped()).toBeUndefined()
  await sql.query('update users set bank_account_details = null where id = $1', [bob.id])
  provider.says = null
  await sql.query('update payout_accounts set check_at = now()')
  await check()
  expect(await stopped()).toBe(true)
})

test('a closed account is shown as such, and money waits', async () => {
  const { bob, provider, statusOf, check, sql } = await openMarket({ ...HEALTHY, lastPayout: payout() })
  await check()
  provider.says = null
  await sql.query('update payout_accounts set check_at = now()')
  await check()
  expect(await statusOf(bob)).toMatchObject({
    hasAccount: false,
    canReceivePayments: false,
    closedAt: expect.any(String),
  })
  expect(await titlesOf(bob)).toEqual(['Your Stripe account was disconnected'])
})

test.each([
  'account.updated',
  'account.application.deauthorized',
  'account.external_account.created',
  'account.external_account.updated',
  'account.external_account.deleted',
  'capability.updated',
  'payout.paid',
  'payout.failed',
])('the event %s makes us read the account', async (type) => {
  const { services, cards, accountId, provider } = await openMarket()
  await receiveEvent(services, cards, { id: `evt_${type}_${accountId}`, type, objectId: accountId })
  await receiveEvent(services, cards, { id: `evt_${type}_other_${accountId}`, type, objectId: 'acct_other' })
  expect(provider.reads).toEqual([accountId])
})

test('a read that ends late does not replace a newer one', async () => {
  const { services, cards, accountId, bob, provider, advanceClock, statusOf } = await openMarket()
  const { promise: slow, resolve } = Promise.withResolvers<Account>()
  const late = readAccountOf(services, { ...cards, readAccount: () => slow }, accountId)
  advanceClock(1_000)
  provider.says = PAST_DUE
  await statusOf(bob)
  resolve(HEALTHY)
  expect((await late).stored?.canReceive).toBe(false)
})

test('reads at the same time tell the seller once', async () => {
  const { services, cards, accountId, bob, provider, sql } = await openMarket()
  await sql.query('delete from payout_accounts')
  provider.says = due(null)
  await Promise.all([1, 2, 3].map(() => readAccountOf(services, cards, accountId)))
  expect(await titlesOf(bob)).toHaveLength(1)
})

test('during an outage, the sweep ends early, and tries again later', async () => {
  const { sql, provider, check, advanceClock, signUp, accountId } = await openMarket()
  const eve = await signUp('Eve')
  await sql.query("update users set stripe_connect_account_id = 'acct_eve' where id = $1", [eve.id])
  await sql.query(
    "insert into payout_accounts (user_id, account_id, check_at) values ($1, 'acct_eve', now())",
    [eve.id],
  )
  provider.failure = new ProviderFailed('unknown', new Error('no answer'))
  await check()
  expect(provider.reads).toHaveLength(1)
  await check()
  expect(provider.reads).toHaveLength(1)
  provider.failure = null
  advanceClock(DAY_MS / 24)
  await check()
  expect(provider.reads.slice(1).toSorted()).toEqual([accountId, 'acct_eve'].toSorted())
})

test('an account that is no longer the seller’s is not read', async () => {
  const { sql, bob, provider, check } = await openMarket()
  await sql.query('update users set stripe_connect_account_id = null where id = $1', [bob.id])
  await check()
  expect(provider.reads).toEqual([])
})
