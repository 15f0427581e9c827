import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../../app.ts'
import { createEncryption } from '../../../core/encryption.ts'
import { createKeys } from '../../../core/keys.ts'
import { type CardProvider, ProviderFailed } from '../../../providers/stripe/card-provider.ts'
import { HEALTHY, NOT_SET_UP } from '../../../testing/accounts.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { type Person, shareWorld, type World } from '../../../testing/world.ts'
import { paySeller } from '../payouts/send-payouts.ts'
import { changePayoutMethod } from './change-payout-method.ts'

const KEY = 'the key of these tests'
const keys = createKeys([KEY])
const bank = {
  account_holder_name: 'Bob Tester',
  routing_number: '021000021',
  account_number: '000123456789',
}
const NO_BANK = { hasBankAccount: false, bankDetails: null }
const NO_ACCOUNT = {
  hasAccount: false,
  canReceivePayments: false,
  requirements: [],
  disabledReason: null,
  loginUrl: null,
  lastPayout: null,
}
const ACCOUNT = { ...NO_ACCOUNT, hasAccount: true }

const sharedWorld = shareWorld({ DATA_KEY: KEY })

/** Bob sells to Ada, and Eve is not involved. The card provider is a small fake. */
async function openMarket(cards: Partial<CardProvider> | null = provider()) {
  const world = sharedWorld()
  const realCards = world.services.cards
  onTestFinished(() => {
    world.services.cards = realCards
  })
  provide(world, cards)
  // Each fake provider numbers its accounts from one.
  await world.sql.query(
    'delete from graphile_worker._private_jobs; update users set stripe_connect_account_id = null',
  )
  const [ada, bob, eve] = [await world.signUp('Ada'), await world.signUp('Bob'), await world.signUp('Eve')]
  return { ...world, ada, bob, eve }
}

/** Replaces some methods of the provider. The others must not be called. */
function provide({ services }: World, cards: Partial<CardProvider> | null): void {
  if (!services.cards) throw new Error('this world has a provider to begin with')
  services.cards = cards && { ...services.cards, ...cards }
}

/**
 * A fake provider with accounts. An account can receive once it is in `ready`. `createAccount` answers only after
 * `together` calls have arrived, so that they are truly concurrent.
 */
function provider({ together = 1 } = {}) {
  const made: { userId: string; email: string | null; country: string }[] = []
  const ready = new Set<string>()
  const closed = new Set<string>()
  const sent: { payoutId: number; accountId: string; amountCents: number }[] = []
  return {
    made,
    ready,
    closed,
    sent,
    async createAccount(seller: { userId: string; email: string | null; country: string }) {
      const accountId = `acct_${made.push(seller)}`
      await eventually(() => expect(made.length).toBeGreaterThanOrEqual(together))
      return accountId
    },
    onboardingUrl: async (accountId: string) => `https://provider.example/onboard/${accountId}`,
    readAccount: async (accountId: string) =>
      closed.has(accountId) ? null : ready.has(accountId) ? HEALTHY : NOT_SET_UP,
    async transfer({ payoutId, accountId, amountCents }: Parameters<CardProvider['transfer']>[0]) {
      sent.push({ payoutId, accountId, amountCents })
      return { id: `tr_${payoutId}` }
    },
  }
}

async function storedPayoutMethods({ sql }: World, person: Person) {
  const { rows } = await sql.query(
    'select stripe_connect_account_id as account, bank_account_details as details from users where id = $1',
    [person.id],
  )
  return rows[0] as { account: string | null; details: string | null }
}

const save = (who: Person, change: object = {}) =>
  who.call('POST /api/seller/save-bank-account', { ...bank, ...change })
const setUp = (who: Person, body?: object) => who.call('POST /api/seller/setup-stripe-connect', body)
const statusOf = async (who: Person) => (await who.call('GET /api/seller/stripe-connect-status')).json()
const bankStatusOf = async (who: Person) => (await who.call('GET /api/seller/bank-status')).json()

/** A payout that is owed to a seller. */
async function givenPayout({ given, sql }: World, buyer: Person, seller: Person, title = 'Lamp') {
  const { paymentId } = await given.completedDeal({ buyer, seller, request: { title } })
  await sql.query("update payments set stripe_payment_intent_id = 'pi_' || id where id = $1", [paymentId])
  const { rows } = await sql.query('select id from payouts where payment_id = $1', [paymentId])
  return rows[0].id as number
}

async function jobs({ sql }: World): Promise<string[]> {
  const { rows } = await sql.query(
    "select key from graphile_worker.jobs where task_identifier <> 'send-mail' order by key",
  )
  return rows.map(({ key }) => key)
}

test('visitors can make none of the seller calls', async () => {
  const { visitor } = sharedWorld()
  const calls = [
    'GET /api/seller/bank-status',
    'GET /api/seller/stripe-connect-status',
    'POST /api/seller/setup-stripe-connect',
    'POST /api/seller/save-bank-account',
    'POST /api/seller/reset-stripe-connect',
    'GET /api/seller/payouts',
  ]
  for (const call of calls) {
    const reply = await visitor(call, call.startsWith('POST') ? { ...bank, country: 'US' } : undefined)
    expect([reply.statusCode, reply.json().code], call).toEqual([401, 'signed_out'])
  }
})

describe('bank details', () => {
  test('are saved, and only the name and the last four digits are returned', async () => {
    const world = await openMarket()
    const { bob, eve } = world
    expect(await bankStatusOf(bob)).toEqual(NO_BANK)
    const reply = await save(bob)
    expect([reply.statusCode, reply.body]).toEqual([200, '{"ok":true}'])
    expect(await bankStatusOf(bob)).toEqual({
      hasBankAccount: true,
      bankDetails: { account_holder_name: 'Bob Tester', account_number_last4: '6789' },
    })
    expect(await bankStatusOf(eve)).toEqual(NO_BANK)
    const me = await bob.call('GET /api/auth/user')
    // "6789" alone would also occur in random ids.
    expect(me.body).not.toMatch(/bank|"6789"|123456789|021000021/i)
  })

  test('are stored encrypted, in all eleven fields', async () => {
    const world = await openMarket()
    const { bob, sql } = world
    const all = {
      account_holder_name: 'Bob Tester',
      country: 'GB',
      routing_number: '20-00-00',
      account_number: '5577 9911',
      account_type: 'savings',
      iban: 'GB29 NWBK 6016 1331 9268 19',
      swift_code: 'nwbkgb2l',
      sort_code: '20 00 00',
      bsb_code: '082-082',
      bank_name: 'Bank of Ipoh',
      bank_address: '1 High Street',
    }
    expect((await save(bob, all)).statusCode).toBe(200)
    const details = (await storedPayoutMethods(world, bob)).details ?? ''
    expect(details).toMatch(/^v1:[\w-]{100,}:[\w-]{8}$/)
    const { rows } = await sql.query('select users::text as row from users where id = $1', [bob.id])
    expect(rows[0].row).not.toMatch(/55779911|200000|Ipoh|NWBK/)
    expect(JSON.parse(await createEncryption(keys).open(details, bob.id))).toEqual({
      ...all,
      routing_number: '200000',
      account_number: '55779911',
      iban: 'GB29NWBK60161331926819',
      swift_code: 'NWBKGB2L',
      sort_code: '200000',
      bsb_code: '082082',
    })
  })

  test('show the last four digits of an IBAN if there is no other number', async () => {
    const { bob } = await openMarket()
    const german = {
      routing_number: '',
      account_number: '',
      country: 'DE',
      iban: 'DE89 3704 0044 0532 0130 00',
    }
    await save(bob, german)
    expect((await bankStatusOf(bob)).bankDetails.account_number_last4).toBe('3000')
  })

  test('are refused with the field name if they are invalid, and the saved ones are kept', async () => {
    const world = await openMarket()
    const { bob } = world
    await save(bob)
    const before = await storedPayoutMethods(world, bob)
    const wrong: [object, string][] = [
      [{ routing_number: '021000022' }, 'routing_number'],
      [{ account_number: '' }, 'account_number'],
      [{ account_holder_name: '' }, 'account_holder_name'],
      [{ country: 'DE', iban: 'DE98370400440532013000' }, 'iban'],
      [{ country: 'GB', sort_code: '20000', account_number: '55779911' }, 'sort_code'],
      [{ country: 'AU', bsb_code: '08208', account_number: '012345678' }, 'bsb_code'],
      [{ country: 'Elsewhere' }, 'country'],
    ]
    for (const [change, field] of wrong) {
      const reply = await save(bob, change)
      expect([reply.statusCode, reply.json().code]).toEqual([422, 'invalid'])
      expect(reply.json().issues.map(({ path }: { path: string }) => path)).toContain(field)
    }
    expect(await storedPayoutMethods(world, bob)).toEqual(before)
  })

  test('are replaced by newer ones', async () => {
    const { bob } = await openMarket()
    await save(bob)
    await save(bob, { account_holder_name: 'Robert Tester', account_number: '000999990000' })
    expect((await bankStatusOf(bob)).bankDetails).toEqual({
      account_holder_name: 'Robert Tester',
      account_number_last4: '0000',
    })
  })

  test('are the only data that the call changes, even if the body has other fields', async () => {
    const world = await openMarket()
    const { bob, eve, sql } = world
    const others = `select id, email, first_name, password, provider_id, rating, rating_sum, rating_count, stripe_customer_id,
      stripe_connect_account_id, (select count(*) from admins) as admins from users order by id`
    const before = (await sql.query(others)).rows
    await save(bob, {
      id: eve.id,
      userId: eve.id,
      stripeConnectAccountId: 'acct_mine',
      stripe_connect_account_id: 'acct_mine',
      ratingSum: 50,
      rating: 5,
      isAdmin: true,
      email: eve.email,
    })
    expect((await sql.query(others)).rows).toEqual(before)
    expect((await storedPayoutMethods(world, eve)).details).toBeNull()
    const details = JSON.parse(
      await createEncryption(keys).open((await storedPayoutMethods(world, bob)).details ?? '', bob.id),
    )
    expect(details).toEqual({ ...bank, country: 'US', account_type: 'checking' })
  })

  test('cannot be decrypted if they are copied to the row of another user', async () => {
    const world = await openMarket()
    const { bob, eve, sql } = world
    await save(bob)
    const { details } = await storedPayoutMethods(world, bob)
    await sql.query('update users set bank_account_details = $1 where id = $2', [details, eve.id])
    const reply = await eve.call('GET /api/seller/bank-status')
    expect([reply.statusCode, reply.json().code]).toEqual([500, 'internal'])
    expect(reply.body).not.toMatch(/"6789"|123456789|Bob/)
    expect((await bankStatusOf(bob)).hasBankAccount).toBe(true)
  })

  test('under another DATA_KEY cannot be read; this is logged, the rest works, and saving again fixes it', async () => {
    const { bob, services } = await openMarket()
    await save(bob)
    const logged: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => logged.push(line) })
    const secrets = { ...services.secrets, dataKeys: createKeys(['a different data key']) }
    const app = await buildApp({ ...services, secrets }, { ready: true }, log)
    onTestFinished(() => app.close())
    const call = (method: 'GET' | 'POST', url: string, body?: object) =>
      app.inject({ method, url, headers: { cookie: bob.cookie }, ...(body && { body }) })

    const reply = await call('GET', '/api/seller/bank-status')
    expect(reply.statusCode).toBe(500)
    expect(reply.json()).toEqual({
      code: 'internal',
      message: 'Something went wrong on our side. Please try again.',
    })
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain('DATA_KEY has changed')
    expect((await call('GET', '/api/auth/user')).statusCode).toBe(200)
    expect((await call('GET', '/api/seller/payouts')).json()).toEqual([])
    expect((await call('GET', '/api/seller/stripe-connect-status')).json()).toEqual(NO_ACCOUNT)
    expect((await call('POST', '/api/seller/save-bank-account', bank)).statusCode).toBe(200)
    expect((await call('GET', '/api/seller/bank-status')).json().hasBankAccount).toBe(true)
  })
})

describe('a connected account', () => {
  test('is opened for the given country, and a second set-up uses the same account', async () => {
    const cards = provider()
    const world = await openMarket(cards)
    const { bob, eve } = world
    expect(await statusOf(bob)).toEqual(NO_ACCOUNT)
    const reply = await setUp(bob, { country: 'GB' })
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { onboardingUrl: 'https://provider.example/onboard/acct_1' },
    ])
    expect(cards.made).toEqual([{ userId: bob.id, email: bob.email, country: 'GB' }])
    expect((await setUp(bob, { country: 'GB' })).json()).toEqual(reply.json())
    expect(cards.made).toHaveLength(1)
    expect(await storedPayoutMethods(world, bob)).toEqual({ account: 'acct_1', details: null })
    expect(await statusOf(bob)).toEqual(ACCOUNT)
    cards.ready.add('acct_1')
    expect(await statusOf(bob)).toEqual({ ...ACCOUNT, canReceivePayments: true })
    expect(await statusOf(eve)).toEqual(NO_ACCOUNT)
  })

  test('answers an unexpected error with internal, not with provider_failed', async () => {
    const readAccount = () => Promise.reject(new TypeError('a defect'))
    const world = await openMarket({ ...provider(), readAccount })
    await setUp(world.bob)
    expect((await statusOf(world.bob)).code).toBe('internal')
  })

  test('defaults to the country of the platform, and unsupported countries are refused', async () => {
    const cards = provider()
    const world = await openMarket(cards)
    for (const country of ['XX', 'us', '', 7]) {
      expect((await setUp(world.bob, { country })).json().issues, String(country)).toMatchObject([
        { path: 'country' },
      ])
    }
    expect(cards.made).toEqual([])
    await setUp(world.bob)
    expect(cards.made).toMatchObject([{ country: 'US' }])
  })

  test.each(['MY', 'AU'])('is refused in %s, which a platform in the US cannot pay', async (country) => {
    const cards = provider()
    const world = await openMarket(cards)
    const reply = await setUp(world.bob, { country })
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'country_paid_manually'])
    expect(cards.made).toEqual([])
    expect((await world.visitor('GET /api/config')).json()).toMatchObject({
      platformCountry: 'US',
      manualPayoutCountries: ['MY', 'AU'],
    })
  })

  test('belongs to the signed-in user, even if the body names another', async () => {
    const cards = provider()
    const world = await openMarket(cards)
    const { bob, eve } = world
    const forged = {
      userId: eve.id,
      email: eve.email,
      accountId: 'acct_9',
      stripeConnectAccountId: 'acct_9',
    }
    await setUp(bob, { country: 'US', ...forged })
    expect(cards.made).toEqual([{ userId: bob.id, email: bob.email, country: 'US' }])
    expect((await storedPayoutMethods(world, bob)).account).toBe('acct_1')
    expect((await storedPayoutMethods(world, eve)).account).toBeNull()
    await bob.call('POST /api/seller/reset-stripe-connect', { userId: eve.id })
    expect((await storedPayoutMethods(world, bob)).account).toBeNull()
  })

  test('is opened once by ten concurrent set-ups, and all links lead to it', async () => {
    const cards = provider({ together: 10 })
    const world = await openMarket(cards)
    const replies = await Promise.all(Array.from({ length: 10 }, () => setUp(world.bob)))
    const { account } = await storedPayoutMethods(world, world.bob)
    expect(account).toMatch(/^acct_\d+$/)
    expect(new Set(replies.map((reply) => reply.json().onboardingUrl))).toEqual(
      new Set([`https://provider.example/onboard/${account}`]),
    )
  })

  test('counts as missing if the provider no longer knows it, and set-up opens one new account', async () => {
    const cards = provider({ together: 5 })
    const world = await openMarket(cards)
    await world.sql.query("update users set stripe_connect_account_id = 'acct_0' where id = $1", [
      world.bob.id,
    ])
    cards.closed.add('acct_0')
    expect(await statusOf(world.bob)).toEqual(NO_ACCOUNT)
    const replies = await Promise.all(Array.from({ length: 5 }, () => setUp(world.bob)))
    const { account } = await storedPayoutMethods(world, world.bob)
    expect(account).toMatch(/^acct_[1-5]$/)
    expect(new Set(replies.map((reply) => reply.json().onboardingUrl))).toEqual(
      new Set([`https://provider.example/onboard/${account}`]),
    )
  })

  test('is read from the provider outside of a transaction', async () => {
    const cards = provider()
    const openTransactions: number[] = []
    const world = await openMarket({
      ...cards,
      async createAccount(seller) {
        await checkTransactions()
        return cards.createAccount(seller)
      },
      async readAccount() {
        await checkTransactions()
        return HEALTHY
      },
      async onboardingUrl(accountId) {
        await checkTransactions()
        return cards.onboardingUrl(accountId)
      },
    })
    async function checkTransactions() {
      const { rows } = await world.sql.query(
        "select count(*)::int from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
      )
      openTransactions.push(rows[0].count)
    }
    await setUp(world.bob)
    await setUp(world.bob)
    await statusOf(world.bob)
    expect(openTransactions).toEqual([0, 0, 0, 0, 0])
  })

  test.each([
    ['createAccount', 'unknown'],
    ['createAccount', 'busy'],
    ['createAccount', 'refused'],
    ['onboardingUrl', 'unknown'],
  ] as const)('can be set up again after %s has failed (%s)', async (step, outcome) => {
    const cards = provider()
    const world = await openMarket(cards)
    const failing = async () => {
      throw new ProviderFailed(outcome, new Error('no answer'))
    }
    provide(world, { [step]: failing })
    const reply = await setUp(world.bob)
    expect([reply.statusCode, reply.json().code]).toEqual([503, 'provider_failed'])
    expect((await storedPayoutMethods(world, world.bob)).account).toBe(
      step === 'onboardingUrl' ? 'acct_1' : null,
    )
    provide(world, cards)
    expect((await setUp(world.bob)).json().onboardingUrl).toBe('https://provider.example/onboard/acct_1')
    expect(cards.made).toHaveLength(1)
  })

  test.each([
    ['that is not set up', null],
    [
      'that does not answer',
      {
        readAccount: async () => {
          throw new ProviderFailed('unknown', new Error('no answer'))
        },
      },
    ],
  ])('is refused with provider_failed by a provider %s', async (_, cards) => {
    const world = await openMarket(cards)
    const { bob, sql } = world
    expect(await statusOf(bob)).toEqual(NO_ACCOUNT)
    await sql.query("update users set stripe_connect_account_id = 'acct_7' where id = $1", [bob.id])
    const replies = [await bob.call('GET /api/seller/stripe-connect-status'), await setUp(bob)]
    for (const reply of replies) {
      expect([reply.statusCode, reply.json().code]).toEqual([503, 'provider_failed'])
    }
    expect((await storedPayoutMethods(world, bob)).account).toBe('acct_7')
  })

  test('is removed by a reset, which keeps bank details and other users’ accounts; afterwards a new one can be opened', async () => {
    const cards = provider()
    const world = await openMarket(cards)
    const { bob, eve } = world
    await setUp(bob)
    await setUp(eve)
    await save(bob)
    expect((await bob.call('POST /api/seller/reset-stripe-connect')).json()).toEqual({ ok: true })
    expect(await statusOf(bob)).toEqual(NO_ACCOUNT)
    expect((await bankStatusOf(bob)).hasBankAccount).toBe(true)
    expect((await storedPayoutMethods(world, eve)).account).toBe('acct_2')
    expect((await setUp(bob, { country: 'DE' })).json().onboardingUrl).toMatch(/acct_3$/)
    expect(cards.made.at(-1)).toMatchObject({ country: 'DE' })
    expect((await bob.call('POST /api/seller/reset-stripe-connect')).statusCode).toBe(200)
    expect((await bob.call('POST /api/seller/reset-stripe-connect')).statusCode).toBe(200)
  })
})

test('a deleted user can get neither an account nor bank details', async () => {
  const { services, sql, bob, ...world } = await openMarket()
  await sql.query('update users set deleted_at = now() where id = $1', [bob.id])
  const { transact } = services.database
  const details = { bankAccountDetails: 'sealed', bankAccountHash: 'hashed' }
  const change = transact((tx) => changePayoutMethod(tx, bob.id, () => details))
  await expect(change).rejects.toMatchObject({ code: 'signed_out' })
  expect(await storedPayoutMethods({ ...world, services, sql }, bob)).toEqual({
    account: null,
    details: null,
  })
})

describe('an owed payout', () => {
  test('is sent once the account can receive it, and payouts of other sellers are not', async () => {
    const cards = provider()
    const world = await openMarket(cards)
    const { ada, bob, eve } = world
    const payout = await givenPayout(world, ada, bob)
    await givenPayout(world, ada, eve)
    await setUp(bob)
    await statusOf(bob)
    expect(await jobs(world)).toEqual([])
    cards.ready.add('acct_1')
    await statusOf(bob)
    await statusOf(bob)
    expect(await jobs(world)).toEqual([`pay-seller:${payout}`])
    await paySeller(world.services, payout)
    expect(cards.sent).toEqual([{ payoutId: payout, accountId: 'acct_1', amountCents: 11262 }])
    expect((await bob.call('GET /api/seller/payouts')).json()).toMatchObject([
      { id: payout, amount: 11262, method: 'transfer', status: 'paid' },
    ])
    await world.sql.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
    await statusOf(bob)
    expect(await jobs(world)).toEqual([])
  })

  test('is not retried by a status check after the provider has refused it', async () => {
    const cards = provider()
    const world = await openMarket(cards)
    const { ada, bob, services, sql } = world
    const payout = await givenPayout(world, ada, bob)
    await setUp(bob)
    cards.ready.add('acct_1')
    provide(world, {
      transfer: async () => {
        throw new ProviderFailed('refused', new Error('not enough in the balance'))
      },
    })
    await paySeller(services, payout)
    expect((await sql.query('select status, attempt from payouts where id = $1', [payout])).rows).toEqual([
      { status: 'owed', attempt: 1 },
    ])
    expect(await statusOf(bob)).toEqual({ ...ACCOUNT, canReceivePayments: true })
    expect(await jobs(world)).toEqual([])
  })

  test('becomes a manual payout if there are bank details but no account that can receive it', async () => {
    const cards = provider()
    const world = await openMarket(cards)
    const { ada, bob } = world
    const payout = await givenPayout(world, ada, bob)
    await setUp(bob)
    await save(bob)
    expect(await jobs(world)).toEqual([`pay-seller:${payout}`])
    await paySeller(world.services, payout)
    expect(cards.sent).toEqual([])
    expect((await bob.call('GET /api/seller/payouts')).json()).toMatchObject([
      { id: payout, method: 'manual', status: 'owed', paidAt: null },
    ])
  })

  test('keeps its destination while it is being sent, even if the seller resets the account', async () => {
    const cards = provider()
    const world = await openMarket(cards)
    const { ada, bob, sql } = world
    const payout = await givenPayout(world, ada, bob)
    await setUp(bob)
    cards.ready.add('acct_1').add('acct_2')
    await sql.query(
      "update payouts set status = 'sending', method = 'transfer', destination = 'acct_1' where id = $1",
      [payout],
    )
    await bob.call('POST /api/seller/reset-stripe-connect')
    await setUp(bob)
    expect((await storedPayoutMethods(world, bob)).account).toBe('acct_2')
    await statusOf(bob)
    await paySeller(world.services, payout)
    await paySeller(world.services, payout)
    expect(cards.sent).toEqual([{ payoutId: payout, accountId: 'acct_1', amountCents: 11262 }])
    const { rows } = await sql.query('select status, destination, provider_id from payouts where id = $1', [
      payout,
    ])
    expect(rows).toEqual([{ status: 'paid', destination: 'acct_1', provider_id: `tr_${payout}` }])
  })

  test('is listed with its item, latest first and paginated, to its seller only', async () => {
    const world = await openMarket(null)
    const { ada, bob, eve, sql } = world
    const titles = ['Lamp', 'Chair', 'Cello bow']
    const ids: number[] = []
    for (const title of titles) ids.push(await givenPayout(world, ada, bob, title))
    await givenPayout(world, ada, eve, 'Not Bob’s')
    await sql.query(
      "update payouts set status = 'paid', method = 'manual', paid_at = '2026-02-03T04:05:06Z' where id = $1",
      [ids[0]],
    )
    const first = await bob.call('GET /api/seller/payouts?limit=2')
    expect(
      first.json().map(({ id, itemTitle }: { id: number; itemTitle: string }) => [id, itemTitle]),
    ).toEqual([
      [ids[2], 'Cello bow'],
      [ids[1], 'Chair'],
    ])
    expect(Object.keys(first.json()[0]).sort()).toEqual([
      'amount',
      'createdAt',
      'currency',
      'id',
      'itemTitle',
      'method',
      'paidAt',
      'paymentId',
      'status',
    ])
    expect(first.headers.link).toBe(`</api/seller/payouts?limit=2&cursor=${ids[1]}>; rel="next"`)
    const second = await bob.call(`GET /api/seller/payouts?limit=2&cursor=${ids[1]}`)
    expect(second.json()).toMatchObject([
      {
        id: ids[0],
        itemTitle: 'Lamp',
        amount: 11262,
        method: 'manual',
        status: 'paid',
        paidAt: '2026-02-03T04:05:06.000Z',
      },
    ])
    expect(second.json()).toHaveLength(1)
    expect(second.headers.link).toBeUndefined()
    expect((await eve.call('GET /api/seller/payouts')).json()).toMatchObject([{ itemTitle: 'Not Bob’s' }])
    expect((await ada.call('GET /api/seller/payouts')).json()).toEqual([])
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'cursor=-1', 'paymentIds=', 'paymentIds=1,x']) {
      expect((await bob.call(`GET /api/seller/payouts?${query}`)).statusCode, query).toBe(422)
    }
  })

  test('is found by its payment, even if there are many newer ones', async () => {
    const world = await openMarket(null)
    const { ada, bob, eve, sql } = world
    const old = await givenPayout(world, ada, bob, 'Lamp')
    const others = await givenPayout(world, ada, eve, 'Not Bob’s')
    for (let count = 0; count < 101; count++) await givenPayout(world, ada, bob, 'Chair')
    const { rows } = await sql.query<{ id: number; payment_id: number }>(
      'select id, payment_id from payouts where id = any ($1) order by id',
      [[old, others]],
    )
    const [oldPayment, othersPayment] = rows.map((row) => row.payment_id)
    const list = async (query: string) => (await bob.call(`GET /api/seller/payouts?${query}`)).json()
    expect(await list('')).not.toContainEqual(expect.objectContaining({ id: old }))
    expect(await list(`paymentIds=${oldPayment}`)).toMatchObject([{ id: old, itemTitle: 'Lamp' }])
    expect(await list(`paymentIds=${othersPayment}`)).toEqual([])
    expect(await list(`paymentIds=${othersPayment},${oldPayment}`)).toHaveLength(1)
  })
})

describe('with the Stripe SDK and the sandbox', () => {
  const newMoneyWorld = shareMoneyWorld()

  /** Opens a provider page, presses one of its buttons and returns the address that follows. */
  async function press({ services }: MoneyWorld, onboardingUrl: string, button: 'complete' | 'not-now') {
    const sandbox = services.sandbox
    if (!sandbox?.keys.apiUrl) throw new Error('this world needs the sandbox')
    expect(onboardingUrl.startsWith(`${sandbox.url}/onboarding/`)).toBe(true)
    const here = (address: string) => address.replace(sandbox.url, sandbox.keys.apiUrl ?? '')
    const page = await (await fetch(here(onboardingUrl))).text()
    const [, action = ''] = new RegExp(`action="([^"]*/${button})"`).exec(page) ?? []
    const answer = await fetch(here(new URL(action, sandbox.url).href), {
      method: 'POST',
      redirect: 'manual',
    })
    return answer.headers.get('location')
  }

  test('a seller completes the set-up, is paid 112.62 of 120.00, and is rated', async () => {
    const world = await newMoneyWorld()
    const { ada, bob, runJobs, balanceOf, expectBooksRight } = world
    const { paymentId } = await world.payIntoEscrow(12_000)
    await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
    await runJobs()
    expect((await bob.call('GET /api/seller/payouts')).json()).toMatchObject([
      { paymentId, itemTitle: 'Lamp', amount: 11_262, method: null, status: 'owed', paidAt: null },
    ])

    const first = (await setUp(bob, { country: 'US' })).json().onboardingUrl
    expect(await press(world, first, 'not-now')).toMatch(/\/seller-setup\?refresh=true$/)
    expect(await statusOf(bob)).toMatchObject({ hasAccount: true, canReceivePayments: false, loginUrl: null })
    const second = (await setUp(bob, { country: 'US' })).json().onboardingUrl
    expect(second).not.toBe(first)
    expect(await press(world, second, 'complete')).toMatch(/\/seller-setup\?success=true$/)
    expect(await statusOf(bob)).toMatchObject({ canReceivePayments: true, requirements: [] })

    await runJobs()
    expect((await bob.call('GET /api/seller/payouts')).json()).toMatchObject([
      { paymentId, amount: 11_262, method: 'transfer', status: 'paid', paidAt: expect.any(String) },
    ])
    expect(await balanceOf(`seller:${bob.id}`)).toBe(0)
    await expectBooksRight()
    const rated = await ada.call(`POST /api/payments/${paymentId}/submit-rating`, { rating: 5 })
    expect(rated.statusCode).toBe(200)
  })

  test.each([
    ['US', 'US', ['card_payments', 'transfers'], undefined],
    ['US', 'GB', ['transfers'], 'recipient'],
    ['FR', 'DE', ['card_payments', 'transfers'], undefined],
    ['MY', 'MY', ['card_payments', 'transfers'], undefined],
  ])(
    'a platform in %s opens an account in %s that Stripe accepts',
    async (platform, country, capabilities, agreement) => {
      const isDefault = platform === 'US'
      const world = await (isDefault
        ? newMoneyWorld()
        : openMoneyWorld({ env: { PLATFORM_COUNTRY: platform } }))
      expect((await setUp(world.bob, { country })).statusCode).toBe(200)
      const { account } = await storedPayoutMethods(world, world.bob)
      const opened = await world.stripe<{
        country: string
        capabilities: object
        tos_acceptance?: { service_agreement?: string }
      }>('GET', `/v1/accounts/${account}`)
      expect(opened.country).toBe(country)
      expect(Object.keys(opened.capabilities).sort()).toEqual(capabilities)
      expect(opened.tos_acceptance?.service_agreement).toBe(agreement)
    },
  )

  test('an account that was closed at the provider counts as missing', async () => {
    const world = await newMoneyWorld()
    const { bob, stripe } = world
    await setUp(bob)
    const { account } = await storedPayoutMethods(world, bob)
    await stripe('DELETE', `/v1/accounts/${account}`)
    expect(await statusOf(bob)).toEqual(NO_ACCOUNT)
    expect((await setUp(bob)).statusCode).toBe(200)
    expect((await storedPayoutMethods(world, bob)).account).not.toBe(account)
    expect(await statusOf(bob)).toMatchObject({ hasAccount: true, canReceivePayments: false })
  })

  test('an account that the seller disconnects is removed, and the seller is notified; a new one is paid', async () => {
    const world = await newMoneyWorld()
    const { ada, bob } = world
    const account = await world.connectBob()
    const { paymentId } = await world.payIntoEscrow()
    await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
    await world.press(`/sandbox/accounts/${account}/deauthorize`)
    await eventually(async () => expect((await storedPayoutMethods(world, bob)).account).toBeNull())
    await world.runJobs('retry-payouts')
    expect((await bob.call('GET /api/seller/payouts')).json()).toMatchObject([
      { paymentId, method: null, status: 'owed' },
    ])
    const [told] = (await bob.call('GET /api/notifications')).json()
    expect(told).toMatchObject({ title: 'Your Stripe account was disconnected', path: '/seller-setup' })
    await world.connectBob()
    // Payouts to a changed account wait for 48 hours.
    world.advanceClock(3 * 86_400_000)
    await world.runJobs('retry-payouts')
    expect((await bob.call('GET /api/seller/payouts')).json()).toMatchObject([{ paymentId, status: 'paid' }])
    await world.expectBooksRight()
  })

  test('a payout that the bank returns is shown as failed, and as paid once the provider has sent it again', async () => {
    const world = await newMoneyWorld()
    const { ada, bob } = world
    const account = await world.connectBob()
    const replaceBank = (number: string) =>
      world.stripe('POST', `/v1/accounts/${account}`, {
        'external_account[object]': 'bank_account',
        'external_account[country]': 'US',
        'external_account[currency]': 'usd',
        'external_account[account_number]': number,
      })
    await replaceBank('000111111113')
    const { paymentId } = await world.payIntoEscrow()
    await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
    await world.runJobs()
    const payoutsOf = async () => (await bob.call('GET /api/seller/payouts')).json()
    expect(await payoutsOf()).toMatchObject([{ paymentId, status: 'paid' }])

    // The charge becomes available, is paid out at midnight, and comes back a day later.
    await passDays(3, 1)
    world.advanceClock(86_400_000)
    await eventually(async () =>
      expect(await payoutsOf()).toMatchObject([{ paymentId, status: 'failed', failure: 'account_closed' }]),
    )
    expect(await statusOf(bob)).toMatchObject({
      canReceivePayments: false,
      lastPayout: { status: 'failed', failure: 'account_closed', amount: 11_262, currency: 'usd' },
      loginUrl: expect.stringMatching(/^http/),
    })
    await world.expectBooksRight()

    await replaceBank('000123456789')
    await passDays(1, 2)
    expect(await statusOf(bob)).toMatchObject({
      canReceivePayments: true,
      lastPayout: { status: 'in_transit', failure: null, amount: 11_262 },
    })
    expect(await payoutsOf()).toMatchObject([{ paymentId, status: 'paid' }])
    await world.expectBooksRight()

    /** Waits until the provider has made this many payouts. */
    async function passDays(days: number, payouts: number) {
      world.advanceClock(days * 86_400_000)
      await eventually(async () => {
        const { rowCount } = await world.sql.query(
          "select from sandbox.objects where kind = 'payout' and account = $1",
          [account],
        )
        expect(rowCount).toBe(payouts)
      })
    }
  })

  test('what the provider asks for is shown with its deadline', async () => {
    const world = await newMoneyWorld()
    const account = await world.connectBob()
    await world.press(`/sandbox/accounts/${account}/requirements`)
    const { requirements } = await statusOf(world.bob)
    expect(requirements).toEqual([
      {
        field: 'individual.id_number',
        what: 'Enter your personal identification number.',
        deadline: expect.any(String),
      },
      {
        field: 'individual.verification.document',
        what: 'Upload a picture of your identity document.',
        deadline: expect.any(String),
      },
    ])
    await eventually(async () => {
      const [told] = (await world.bob.call('GET /api/notifications')).json()
      expect(told.title).toMatch(/^Stripe needs something from you by/)
    })
  })

  test('the calls are refused while the provider is down, and nothing is saved', {
    tags: ['proof'],
  }, async () => {
    const down = () => ({ when: 'before', answer: 'server_error' }) as const
    const world = await openMoneyWorld({ faults: { call: down } })
    const reply = await setUp(world.bob)
    expect([reply.statusCode, reply.json().code]).toEqual([503, 'provider_failed'])
    expect((await storedPayoutMethods(world, world.bob)).account).toBeNull()
  })
})
