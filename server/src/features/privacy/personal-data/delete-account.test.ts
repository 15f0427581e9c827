import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { COMMAND_LINE } from '../../../http/request-origin.ts'
import { actDuringChange, waitUntilBlocked } from '../../../testing/blocked-statements.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { uploadOf } from '../../../testing/multipart.ts'
import { cookieOf, PASSWORD, type Person, shareWorld, type World } from '../../../testing/world.ts'
import { findOrCreateGoogleAccount } from '../../identity/accounts/actions.ts'
import { createToken } from '../../users/link-tokens.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const DAY_MS = 86_400_000
const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

const deleteAccount = ({ call }: Person, body: object = { password: PASSWORD }) =>
  call('POST /api/user/delete-account', body)

/** An admin rules that the seller is paid. */
async function release({ signUp }: World, paymentId: number): Promise<void> {
  const root = await signUp('Root', 'admin')
  const ruling = { action: 'release_seller' }
  expect((await root.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)).statusCode).toBe(200)
}

const payOut = ({ sql }: World, paymentId: number) =>
  sql.query(
    `update payouts set status = 'paid', method = 'transfer', paid_at = now() where payment_id = $1`,
    [paymentId],
  )

async function upload({ call }: Person, url: string, field: string) {
  const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#284' } })
    .png()
    .toBuffer()
  return (await call(`POST ${url}`, undefined, uploadOf(field, picture))).json()
}

/** All rows of all tables as text. */
async function everything({ sql }: World): Promise<string> {
  const { rows: tables } = await sql.query(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const contents = await Promise.all(
    tables.map(({ name }) =>
      sql.query(`select coalesce(string_agg(t::text, E'\n'), '') as rows from ${name} t`),
    ),
  )
  return contents.map(({ rows }) => rows[0].rows).join('\n')
}

describe('erasing data', () => {
  const ownWorld = shareWorld({ RATE_LIMIT: 'off' })

  /** A user with data in every table. */
  async function openFullLife() {
    const it = ownWorld()
    const [zoe, bob] = [await it.signUp('Zoe'), await it.signUp('Bob')]
    const profile = { firstName: 'Zoe', lastName: 'Tester', email: 'zoe@next.example' }
    await zoe.call('PUT /api/user/profile', {
      ...profile,
      bio: 'My bio',
      location: 'Perak',
      phone: '+60 123',
    })
    await zoe.call('PUT /api/user/selling', { keywords: ['brass sextant'], categories: ['Music'] })
    await upload(zoe, '/api/user/upload-avatar', 'avatar')
    const { imageUrl } = await upload(zoe, '/api/wanted-items/image', 'image')
    await zoe.call('POST /api/seller/save-bank-account', {
      account_holder_name: 'Zoe Tester',
      country: 'US',
      routing_number: '110000000',
      account_number: '000123456789',
      account_type: 'checking',
    })
    await zoe.call('PUT /api/user/delivery-address', {
      name: 'Zoe Tester',
      line1: '7 Jalan Besar',
      city: 'Ipoh',
      postalCode: '30000',
      country: 'MY',
    })
    await it.sql.query(
      `update users set provider_id = 'zoe-at-google', stripe_connect_account_id = 'acct_zoe',
         stripe_customer_id = 'cus_zoe' where id = $1`,
      [zoe.id],
    )
    await it.appoint(zoe)
    await it.sql.query(
      `insert into suppressed_emails values ('zoe@example.com', now()), ('zoe@next.example', now())`,
    )
    await it.sql.query('insert into presence (user_id, seen_at) values ($1, now())', [zoe.id])
    const { id: own } = (await zoe.call('POST /api/wanted-items', { ...lamp, imageUrl })).json()
    const { id: bobs } = (await bob.call('POST /api/wanted-items', lamp)).json()
    await bob.call('POST /api/messages', { wantedItemId: own, receiverId: zoe.id, content: 'Still looking?' })
    await zoe.call('POST /api/messages', { wantedItemId: own, receiverId: bob.id, content: 'I am' })
    const offer = async (by: Person, wantedItemId: number, to: Person, amount: number): Promise<number> =>
      (await by.call('POST /api/offers', { wantedItemId, receiverId: to.id, amount })).json().id
    const offers = {
      received: await offer(await it.signUp('Sam'), own, zoe, 1_000),
      accepted: await offer(bob, own, zoe, 2_000),
      made: await offer(zoe, bobs, bob, 3_000),
    }
    await it.sql.query("update offers set status = 'accepted', accepted_at = now() where id = $1", [
      offers.accepted,
    ])
    const { paymentId: bought } = await it.given.completedDeal({
      buyer: zoe,
      seller: bob,
      request: { title: 'Chair' },
    })
    await zoe.call(`POST /api/payments/${bought}/submit-rating`, { rating: 5, feedback: 'Good' })
    const { paymentId: disputed } = await it.given.dispute({ buyer: zoe, seller: bob })
    await zoe.call(`POST /api/disputes/${disputed}/answer`, { content: 'Broken' })
    await release(it, disputed)
    const token = await it.services.database.transact((tx) =>
      createToken(tx, { userId: zoe.id, purpose: 'reset_password', email: zoe.email }),
    )
    const files = () => readdir(join(it.services.config.dataDir, 'files'))
    return { it, zoe, bob, own, offers, bought, disputed, token, files }
  }

  async function deleteFullLife() {
    const life = await openFullLife()
    const { it, zoe, files } = life
    const second = cookieOf(
      await it.visitor('POST /api/auth/login', { email: zoe.email, password: PASSWORD }),
    )
    const before = { files: await files(), rows: await everything(it) }
    const reply = await deleteAccount(zoe)
    // A job deletes the customer at the provider. This world has no provider.
    const { rows } = await it.sql.query("select graphile_worker.remove_job('delete-customer:cus_zoe') as job")
    expect(rows[0].job).not.toBeNull()
    const after = { files: await files(), rows: await everything(it) }
    return { ...life, second, before, reply, after }
  }

  let deleted: Awaited<ReturnType<typeof deleteFullLife>>
  beforeAll(async () => {
    deleted = await deleteFullLife()
  })

  test('no personal data remains in the database or on disk', async () => {
    const { it, zoe, bob, own, before, reply, after } = deleted
    expect(before.files).toHaveLength(5)
    const personal = [
      'zoe@',
      'Zoe',
      'My bio',
      'Perak',
      '+60 123',
      'brass sextant',
      'zoe-at-google',
      'acct_zoe',
      'cus_zoe',
      '/files/',
    ]
    for (const trace of personal) expect(before.rows, trace).toContain(trace)

    expect(reply.json()).toEqual({ ok: true })
    expect(reply.cookies).toMatchObject([{ name: 'sid', value: '' }])
    for (const trace of personal) expect(after.rows, trace).not.toContain(trace)
    expect(after.files).toEqual([])

    const { rows } = await it.sql.query('select * from users where id = $1', [zoe.id])
    const { id, first_name, last_name, deleted_at, created_at, updated_at, ...rest } = rows[0]
    expect({ id, name: `${first_name} ${last_name}` }).toEqual({ id: zoe.id, name: 'Deleted user' })
    expect(deleted_at).not.toBeNull()
    expect(rest).toEqual({
      email: null,
      email_verified_at: null,
      email_confirmed_elsewhere: false,
      pending_email: null,
      mail_off: [],
      push_off: [],
      profile_image_url: null,
      password: null,
      provider: 'email',
      provider_id: null,
      bio: null,
      location: null,
      phone: null,
      verified_phone: null,
      selling_keywords: [],
      selling_categories: [],
      rating: 0,
      rating_sum: 0,
      rating_count: 0,
      buyer_rating_sum: 0,
      buyer_rating_count: 0,
      response_minutes: null,
      stripe_customer_id: null,
      stripe_connect_account_id: null,
      payouts_enabled: false,
      bank_account_details: null,
      bank_account_hash: null,
      payouts_wait_until: null,
      payouts_delayed_until: null,
      shares_typing: true,
      shares_presence: true,
      shares_read_receipts: true,
      dismissed_steps: [],
      restricted_until: null,
      suspended_until: null,
      profile_hidden_at: null,
    })
    for (const table of [
      'account_tokens',
      'notifications',
      'mails',
      'presence',
      'admins',
      'email_changes',
      'known_devices',
      'delivery_addresses',
      'phone_codes',
    ]) {
      expect(
        (await it.sql.query(`select 1 from ${table} where user_id = $1`, [zoe.id])).rowCount,
        table,
      ).toBe(0)
    }
    expect(
      (await it.sql.query("select 1 from sessions where sess ->> 'userId' = $1", [zoe.id])).rowCount,
    ).toBe(0)
    expect(
      (await it.sql.query('select status, image_url from wanted_items where id = $1', [own])).rows,
    ).toEqual([{ status: 'closed', image_url: null }])
    // Bob's data is unchanged.
    expect((await bob.call('GET /api/auth/user')).json()).toMatchObject({
      email: 'bob@example.com',
      rating: 5,
    })
  })

  test('shared data is kept, under the name of a deleted user', async () => {
    const { zoe, bob, it, offers, bought, disputed } = deleted
    const messages = (await bob.call('GET /api/messages')).json()
    expect(
      messages.map(({ content, sender }: { content: string; sender: { name: string } }) => [
        content,
        sender.name,
      ]),
    ).toEqual([
      ['I am', 'Deleted user'],
      ['Still looking?', 'Bob Tester'],
    ])
    const [conversation] = (await bob.call('GET /api/conversations')).json()
    expect(conversation.user).toEqual({ id: zoe.id, name: 'Deleted user', rating: 0, profileImageUrl: null })
    const { rows } = await it.sql.query('select id, status from offers')
    const statuses = Object.fromEntries(rows.map(({ id, status }) => [id, status]))
    expect(statuses[offers.received]).toBe('rejected')
    expect(statuses[offers.accepted]).toBe('withdrawn')
    expect(statuses[offers.made]).toBe('withdrawn')
    const payment = (await bob.call(`GET /api/payments/${bought}`)).json()
    expect(payment).toMatchObject({ amount: 12_000, status: 'completed', buyer: { name: 'Deleted user' } })
    await it.sql.query("update payments set ended_at = now() - interval '14 days' where id = $1", [bought])
    const [feedback] = (await it.visitor(`GET /api/users/${bob.id}/feedback`)).json()
    expect(feedback).toMatchObject({ rating: 5, feedback: 'Good', by: { name: 'Deleted user' } })
    const file = (await bob.call(`GET /api/disputes/${disputed}`)).json()
    expect(file).toMatchObject({
      dispute: { buyer: { name: 'Deleted user' } },
      evidence: [{ content: 'Broken', submittedBy: zoe.id }],
      timeline: [
        { action: 'filed', actor: 'Deleted user' },
        { action: 'answered', actor: 'Deleted user' },
        { action: 'release_seller', actor: 'Sought' },
      ],
    })
    const told = (await bob.call('GET /api/notifications')).json()
    expect(told.length).toBeGreaterThan(0)
    expect(JSON.stringify(told)).not.toContain('Zoe')
    const [{ wantedItemId }] = messages
    const letter = { wantedItemId, receiverId: zoe.id, content: 'Are you there?' }
    expect((await bob.call('POST /api/messages', letter)).json()).toMatchObject({
      code: 'conversation_not_allowed',
    })
    expect((await bob.call('GET /api/messages')).json()).toHaveLength(2)
    expect((await bob.call(`GET /api/wanted-items/${wantedItemId}`)).json().code).toBe('item_removed')
  })

  test('deleted users cannot sign in', async () => {
    const { it, zoe, token, second } = deleted
    expect(second).not.toBe('')
    const left = await it.sql.query("select from sessions where sess ->> 'userId' = $1", [zoe.id])
    expect(left.rowCount).toBe(0)
    for (const cookie of [zoe.cookie, second]) {
      expect((await it.visitor('GET /api/auth/user', undefined, { headers: { cookie } })).statusCode).toBe(
        401,
      )
    }
    const signIn = await it.visitor('POST /api/auth/login', { email: zoe.email, password: PASSWORD })
    expect(signIn.json().code).toBe('wrong_credentials')
    const reset = await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'back again' })
    expect(reset.json().code).toBe('link_expired')
    expect((await it.visitor('POST /api/auth/forgot-password', { email: zoe.email })).statusCode).toBe(200)
    expect((await it.sql.query("select 1 from mails where address like 'zoe@%'")).rowCount).toBe(0)
    // Signing up again, even with Google, creates a new account.
    const identity = {
      subject: 'zoe-at-google',
      email: zoe.email,
      emailVerified: true,
      firstName: 'Zoe',
      lastName: null,
    }
    const returned = await it.services.database.transact((tx) =>
      findOrCreateGoogleAccount(tx, identity, COMMAND_LINE),
    )
    expect(returned).toMatchObject({ email: zoe.email })
    expect(returned).not.toMatchObject({ id: zoe.id })
    // A leftover session does not sign anyone in.
    await it.sql.query('insert into sessions (sid, sess, expire) values ($1, $2, $3)', [
      'left-over',
      { userId: zoe.id, createdAt: new Date().toISOString() },
      new Date(Date.now() + DAY_MS),
    ])
    const cookie = `sid=${encodeURIComponent(it.app.signCookie('left-over'))}`
    expect((await it.visitor('GET /api/auth/user', undefined, { headers: { cookie } })).statusCode).toBe(401)
  })
})

describe('authorisation', () => {
  test('requires the password and ignores other properties', async () => {
    const { signUp, visitor } = world()
    const [ada, victim] = [await signUp('Ada'), await signUp('Victim')]
    expect((await visitor('POST /api/user/delete-account', { password: PASSWORD })).statusCode).toBe(401)
    for (const body of [{}, { password: '' }, { password: 'wrong horse' }, { email: ada.email }]) {
      const reply = await deleteAccount(ada, body)
      expect(reply.statusCode).toBe(403)
      expect(reply.json().code).toBe('wrong_password')
    }
    expect(
      (await deleteAccount(ada, { password: PASSWORD, id: victim.id, userId: victim.id })).statusCode,
    ).toBe(200)
    expect((await victim.call('GET /api/auth/user')).statusCode).toBe(200)
    expect((await deleteAccount(ada)).statusCode).toBe(401)
  })

  test('requires the email address if there is no password', async () => {
    const { signUp, sql } = world()
    const bea = await signUp('Bea')
    await sql.query('update users set password = null where id = $1', [bea.id])
    for (const body of [{ password: PASSWORD }, { email: 'bea@example.org' }, {}]) {
      const reply = await deleteAccount(bea, body)
      expect(reply.statusCode).toBe(422)
      expect(reply.json()).toMatchObject({ code: 'invalid', issues: [{ path: 'email' }] })
    }
    expect((await deleteAccount(bea, { email: ' Bea@Example.com ' })).statusCode).toBe(200)
  })

  test('five concurrent requests delete the account once', async () => {
    const cal = await world().signUp('Cal')
    const replies = await Promise.all(Array.from({ length: 5 }, () => deleteAccount(cal)))
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 401, 401, 401, 401])
  })
})

test('paid offers stay accepted', async () => {
  const it = world()
  const [eli, flo] = [await it.signUp('Eli'), await it.signUp('Flo')]
  const { paymentId: id } = await it.given.completedDeal({ buyer: eli, seller: flo })
  await payOut(it, id)
  expect((await deleteAccount(flo)).statusCode).toBe(200)
  const { rows } = await it.sql.query(
    'select offers.status from offers join payments on offer_id = offers.id where payments.id = $1',
    [id],
  )
  expect(rows).toEqual([{ status: 'accepted' }])
})

describe('concurrent actions', () => {
  test('an offer that is being rejected stays rejected', async () => {
    const it = world()
    const [ann, bea] = [await it.signUp('Ann'), await it.signUp('Bea')]
    const { id: wantedItemId } = (await ann.call('POST /api/wanted-items', lamp)).json()
    const offer = { wantedItemId, receiverId: ann.id, amount: 5_000 }
    const { id } = (await bea.call('POST /api/offers', offer)).json()
    const rejecting = "update offers set status = 'rejected', rejected_at = now() where id = $1"
    expect((await actDuringChange(it.sql, [rejecting, id], () => deleteAccount(bea))).statusCode).toBe(200)
    const { rows } = await it.sql.query('select status from offers where id = $1', [id])
    expect(rows).toEqual([{ status: 'rejected' }])
  })

  test('a payment that is being held blocks the deletion of both users', async () => {
    const it = world()
    const [cid, dee] = [await it.signUp('Cid'), await it.signUp('Dee')]
    const { offerId } = await it.given.agreement({ buyer: cid, seller: dee })
    const dealing = await it.sql.connect()
    try {
      await dealing.query('begin')
      await dealing.query(
        `insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, currency, stripe_payment_intent_id)
         select wanted_item_id, buyer_id, seller_id, id, amount, 'usd', 'pi_just_made' from offers where id = $1`,
        [offerId],
      )
      const deletion = deleteAccount(dee)
      await waitUntilBlocked(it.sql)
      await dealing.query('commit')
      expect((await deletion).json().code).toBe('money_open')
    } finally {
      dealing.release(true)
    }
  })
})

describe('open money blocks the deletion', () => {
  test.each(['held_in_escrow', 'disputed', 'under_review'] as const)(
    'by both parties: %s',
    async (status) => {
      const { given, signUp } = world()
      const [buyer, seller] = [await signUp(`Buyer-${status}`), await signUp(`Seller-${status}`)]
      const { id: itemId } = (await buyer.call('POST /api/wanted-items', lamp)).json()
      const { paymentId: id } = await given.payment({ buyer, seller, status })
      for (const person of [buyer, seller]) {
        const reply = await deleteAccount(person)
        expect(reply.statusCode).toBe(409)
        expect(reply.json().code).toBe('money_open')
        expect((await person.call('GET /api/auth/user')).json()).toMatchObject({ email: person.email })
      }
      // Nothing was changed: the request is still open.
      expect((await buyer.call(`GET /api/wanted-items/${itemId}`)).json().status).toBe('open')
      if (status === 'held_in_escrow') await buyer.call(`POST /api/payments/${id}/confirm-delivery`)
      else await release(world(), id)
      await payOut(world(), id)
      for (const person of [buyer, seller]) expect((await deleteAccount(person)).statusCode).toBe(200)
    },
  )

  test('a pending refund blocks only the buyer', async () => {
    const { given, signUp, sql } = world()
    const [buyer, seller] = [await signUp('Dan'), await signUp('Eve')]
    const { paymentId: id } = await given.payment({ buyer, seller, status: 'resolved_buyer' })
    expect((await deleteAccount(buyer)).json().code).toBe('money_open')
    expect((await deleteAccount(seller)).statusCode).toBe(200)
    await sql.query('update payments set refunded_at = now() where id = $1', [id])
    expect((await deleteAccount(buyer)).statusCode).toBe(200)
  })

  test('an unpaid payout blocks the seller, and a manual one does so while it can be undone', async () => {
    const { given, signUp, sql } = world()
    const [buyer, seller] = [await signUp('Fay'), await signUp('Gus')]
    const { paymentId: id } = await given.completedDeal({ buyer, seller })
    expect((await deleteAccount(seller)).json().code).toBe('money_open')
    const paid = (method: string, hours: number) =>
      sql.query(
        `update payouts set status = 'paid', method = $2, paid_at = now() - $3 * interval '1 hour' where payment_id = $1`,
        [id, method, hours],
      )
    await paid('manual', 23)
    expect((await deleteAccount(seller)).json().code).toBe('money_open')
    await paid('manual', 25)
    expect((await deleteAccount(seller)).statusCode).toBe(200)
    expect((await deleteAccount(buyer)).statusCode).toBe(200)
  })
})

describe('with the card provider', () => {
  const openMarket = shareMoneyWorld()

  /** Lasts until the end of the test. */
  function replaceCards({ services }: MoneyWorld, cards: MoneyWorld['services']['cards']): void {
    const replaced = services.cards
    services.cards = cards
    onTestFinished(() => {
      services.cards = replaced
    })
  }

  test('after a completed deal both users can be deleted, and the ledger is correct', async () => {
    const it = await openMarket()
    const { ada, bob } = it
    await it.connectBob()
    const { paymentId } = await it.payIntoEscrow(12_001)
    expect((await deleteAccount(ada)).json().code).toBe('money_open')
    expect((await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)).statusCode).toBe(200)
    expect((await deleteAccount(bob)).json().code).toBe('money_open')
    await it.runJobs()
    expect((await deleteAccount(bob)).statusCode).toBe(200)
    expect((await deleteAccount(ada)).statusCode).toBe(200)
    expect(await it.balanceOf(`seller:${bob.id}`)).toBe(0)
    const fees = ['fees:platform', 'fees:processing', 'fees:provider']
    const balances = await Promise.all(fees.map((account) => it.balanceOf(account, paymentId)))
    expect(await it.balanceOf('provider', paymentId)).toBe(-balances.reduce((sum, cents) => sum + cents, 0))
    await it.expectBooksRight()
  })

  test('open checkouts are cancelled and cannot be paid afterwards', async () => {
    const it = await openMarket()
    const deal = await it.agree()
    const { clientSecret, paymentId } = await it.start(deal)
    expect((await deleteAccount(it.bob)).statusCode).toBe(200)
    const paid = await it.enterCard(clientSecret)
    expect(paid.status).toBe(400)
    const again = await it.ada.call('POST /api/create-escrow-payment', deal)
    expect(again.statusCode).toBe(409)
    expect(again.json().code).toBe('offer_not_accepted')
    await it.runJobs('sync-pending-payments')
    expect(await it.statusOf(paymentId)).toBe('pending')
    // An offer accepted during the deletion cannot be paid either.
    await it.sql.query(
      "update offers set status = 'accepted', accepted_at = now(), withdrawn_at = null where id = $1",
      [deal.offerId],
    )
    const agreedAfter = await it.ada.call('POST /api/create-escrow-payment', deal)
    expect(agreedAfter.json().code).toBe('offer_not_accepted')
    expect((await deleteAccount(it.ada)).statusCode).toBe(200)
    await it.expectBooksRight()
  })

  test('a paid checkout whose event was lost blocks both deletions', { tags: ['proof'] }, async () => {
    const it = await openMoneyWorld({ webhook: 'lost' })
    const { clientSecret, paymentId } = await it.start(await it.agree())
    expect((await it.enterCard(clientSecret)).status).toBe(200)
    expect(await it.statusOf(paymentId)).toBe('pending')
    for (const person of [it.ada, it.bob])
      expect((await deleteAccount(person)).json().code).toBe('money_open')
    await it.runJobs('sync-pending-payments')
    expect(await it.statusOf(paymentId)).toBe('held_in_escrow')
    await it.expectBooksRight()
  })

  test('if the provider is unreachable, nothing is deleted', { tags: ['proof'] }, async () => {
    let down = false
    const it = await openMoneyWorld({
      faults: { call: () => (down ? { when: 'before', answer: 'server_error' } : undefined) },
    })
    const { clientSecret } = await it.start(await it.agree())
    down = true
    const reply = await deleteAccount(it.bob)
    expect(reply.json().code).toBe('provider_failed')
    down = false
    expect((await it.bob.call('GET /api/auth/user')).statusCode).toBe(200)
    expect((await it.enterCard(clientSecret)).status).toBe(200)
  })

  test('a payment started during the deletion cannot be paid', async () => {
    const it = await openMarket()
    const { services, ada, bob } = it
    const { cards } = services
    if (!cards) throw new Error('this world has a provider')
    const deal = await it.agree()
    let secret = ''
    replaceCards(it, {
      ...cards,
      async createIntent(payment) {
        const intent = await cards.createIntent(payment)
        secret = intent.clientSecret
        expect((await deleteAccount(bob)).statusCode).toBe(200)
        return intent
      },
    })
    const reply = await ada.call('POST /api/create-escrow-payment', deal)
    expect(reply.json().code).toBe('offer_not_accepted')
    expect(secret).not.toBe('')
    expect(reply.body).not.toContain(secret)
    const { rows } = await it.sql.query(
      'select status, stripe_payment_intent_id from payments where offer_id = $1',
      [deal.offerId],
    )
    expect(rows).toEqual([{ status: 'pending', stripe_payment_intent_id: null }])
  })

  test('a deletion waits for a checkout that is being opened and is then refused', async () => {
    const it = await openMarket()
    const { services, ada, bob, sql } = it
    const { cards } = services
    if (!cards) throw new Error('this world has a provider')
    const deal = await it.agree()
    const holder = await sql.connect()
    replaceCards(it, {
      ...cards,
      async createIntent(payment) {
        // From here on, saving the intent has to wait.
        await holder.query('begin')
        await holder.query('select from payments where id = $1 for update', [payment.id])
        return cards.createIntent(payment)
      },
    })
    try {
      const starting = ada.call('POST /api/create-escrow-payment', deal)
      await waitUntilBlocked(sql)
      const deletion = deleteAccount(bob)
      await waitUntilBlocked(sql, 2)
      await holder.query('commit')
      expect((await starting).statusCode).toBe(200)
      expect((await deletion).json().code).toBe('money_open')
    } finally {
      holder.release(true)
    }
  })

  test('starting a payment waits for a concurrent deletion and is then refused', async () => {
    const it = await openMarket()
    const deal = await it.agree()
    const deletion = await it.sql.connect()
    try {
      await deletion.query('begin')
      await deletion.query('select from users where id = $1 for update', [it.bob.id])
      const starting = it.ada.call('POST /api/create-escrow-payment', deal)
      await waitUntilBlocked(it.sql)
      await deletion.query('update users set deleted_at = now() where id = $1', [it.bob.id])
      await deletion.query('commit')
      expect((await starting).json().code).toBe('offer_not_accepted')
      const started = await it.sql.query('select from payments where offer_id = $1', [deal.offerId])
      expect(started.rowCount).toBe(0)
    } finally {
      deletion.release(true)
    }
  })

  test('concurrent start, payment and deletion either delete the user or hold the money', {
    tags: ['proof'],
  }, async () => {
    const it = await openMarket()
    for (let round = 0; round < 6; round++) {
      const seller = await it.signUp(`Seller${round}`)
      const { itemId, offerId } = await it.given.agreement({ seller, amount: 5_000 })
      const startAndPay = async () => {
        const reply = await it.ada.call('POST /api/create-escrow-payment', { itemId, offerId, amount: 5_000 })
        if (reply.statusCode !== 200) return 'not paid'
        const { status } = await it.enterCard(reply.json().clientSecret)
        return status === 200 ? 'paid' : 'not paid'
      }
      const leaveSoon = async () => {
        await new Promise((resolve) => setTimeout(resolve, round * 12))
        return (await deleteAccount(seller)).statusCode
      }
      const [payment, left] = await Promise.all([startAndPay(), leaveSoon()])
      expect([payment, left], `round ${round}`).toEqual(left === 200 ? ['not paid', 200] : ['paid', 409])
      if (payment === 'paid') {
        await eventually(async () => {
          const { rows } = await it.sql.query('select status from payments where offer_id = $1', [offerId])
          expect(rows).toEqual([{ status: 'held_in_escrow' }])
        })
      }
    }
    await it.expectBooksRight()
  })
})
