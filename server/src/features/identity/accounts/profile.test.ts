import { describe, expect, test } from 'vitest'
import { addTraders } from '../../../testing/traders.ts'
import {
  leaveEmailsUnverified,
  openWorld,
  type Person,
  shareWorld,
  type World,
} from '../../../testing/world.ts'
import { createToken, type TokenPurpose } from '../../users/link-tokens.ts'

leaveEmailsUnverified()

const world = shareWorld({ RATE_LIMIT: 'off' })

const formOf = ({ email }: Person, change: object = {}) => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email,
  ...change,
})

const tokenFor = (
  { services }: World,
  { id: userId }: Person,
  email: string,
  purpose: TokenPurpose = 'verify_email',
) => services.database.transact((tx) => createToken(tx, { userId, purpose, email }))

async function mailsOf({ sql }: World, { id }: Person): Promise<string[]> {
  const { rows } = await sql.query('select kind, address from mails where user_id = $1 order by id', [id])
  return rows.map(({ kind, address }) => `${kind} to ${address}`)
}

const current = async ({ call }: Person) => (await call('GET /api/auth/user')).json()

describe('the profile form', () => {
  test('saves its fields; empty ones are cleared, omitted ones are kept', async () => {
    const ada = await world().signUp('Ada')
    const full = { bio: ' I count. ', location: 'London', phone: '+44 20' }
    const reply = await ada.call('PUT /api/user/profile', formOf(ada, full))
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      pendingEmail: null,
      bio: 'I count.',
      location: 'London',
      phone: '+44 20',
    })
    await ada.call('PUT /api/user/profile', formOf(ada, { bio: '', phone: ' ' }))
    expect(await current(ada)).toMatchObject({ bio: null, location: 'London', phone: null })
  })

  test.each([
    ['firstName', '', 'First name is required'],
    ['firstName', 'a'.repeat(51), 'Must be at most 50 characters'],
    ['lastName', ' ', 'Last name is required'],
    ['email', 'ada', 'Invalid email address'],
    ['bio', 'a'.repeat(501), 'Bio must be less than 500 characters'],
    ['location', 'a'.repeat(101), 'Location must be less than 100 characters'],
    ['phone', '1'.repeat(21), 'Phone must be less than 20 characters'],
  ])('%s: %j is refused', async (path, value, message) => {
    const ivy = await world().signUp(`Ivy${path}${value.length}`)
    const reply = await ivy.call('PUT /api/user/profile', formOf(ivy, { [path]: value }))
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({ code: 'invalid', issues: [{ path, message }] })
  })

  test('other properties of the body are ignored', async () => {
    const { signUp, sql } = world()
    const [mallory, victim] = [await signUp('Mallory'), await signUp('Victim')]
    const rowOf = async ({ id }: Person) =>
      (await sql.query("select to_jsonb(u) - 'updated_at' as it from users u where id = $1", [id])).rows[0].it
    const [before, others] = [await rowOf(mallory), await rowOf(victim)]
    const reply = await mallory.call('PUT /api/user/profile', {
      ...formOf(mallory, { firstName: 'Mallory', lastName: 'Tester' }),
      id: victim.id,
      userId: victim.id,
      rating: 5,
      ratingSum: 5,
      isAdmin: true,
      provider: 'google',
      providerId: 'sub',
      password: 'known',
      emailVerified: true,
      emailVerifiedAt: '2020-01-01T00:00:00.000Z',
      pendingEmail: 'x@example.com',
      profileImageUrl: '/files/x',
      stripeConnectAccountId: 'acct_1',
      stripeCustomerId: 'cus_1',
      bankAccountDetails: 'mine',
      deletedAt: null,
      createdAt: '2020-01-01T00:00:00.000Z',
    })
    expect(reply.statusCode).toBe(200)
    expect(await rowOf(mallory)).toEqual(before)
    expect(await rowOf(victim)).toEqual(others)
    expect((await sql.query('select 1 from admins where user_id = $1', [mallory.id])).rowCount).toBe(0)
  })

  test('visitors have no profile', async () => {
    const { visitor } = world()
    for (const call of ['PUT /api/user/profile', 'GET /api/user/stats', 'GET /api/user/purchases']) {
      expect((await visitor(call, call.startsWith('PUT') ? {} : undefined)).statusCode).toBe(401)
    }
  })
})

describe('a new email address', () => {
  test('takes effect after verification, and the old address gets an email', async () => {
    const it = world()
    const bea = await it.signUp('Bea')
    const changed = await bea.call('PUT /api/user/profile', formOf(bea, { email: 'Bea@New.example' }))
    expect(changed.json()).toMatchObject({ email: 'bea@example.com', pendingEmail: 'bea@new.example' })
    expect(await mailsOf(it, bea)).toEqual([
      'verify_email to bea@example.com',
      'verify_email to bea@new.example',
    ])

    const token = await tokenFor(it, bea, 'bea@new.example')
    expect((await it.visitor('POST /api/auth/verify-email', { token })).json()).toEqual({ ok: true })
    expect(await current(bea)).toMatchObject({
      email: 'bea@new.example',
      emailVerified: true,
      pendingEmail: null,
    })
    expect((await mailsOf(it, bea)).slice(2)).toEqual(['email_changed to bea@example.com'])
    const signIn = (email: string) => it.visitor('POST /api/auth/login', { email, password: 'correct horse' })
    expect((await signIn('bea@new.example')).statusCode).toBe(200)
    expect((await signIn('bea@example.com')).statusCode).toBe(401)
  })

  test('invalidates links sent to the old address', async () => {
    const it = world()
    const cal = await it.signUp('Cal')
    const reset = await tokenFor(it, cal, cal.email, 'reset_password')
    await cal.call('PUT /api/user/profile', formOf(cal, { email: 'cal@new.example' }))
    await it.visitor('POST /api/auth/verify-email', { token: await tokenFor(it, cal, 'cal@new.example') })
    // An email queued before the change contains an invalid link.
    for (const token of [reset, await tokenFor(it, cal, cal.email, 'reset_password')]) {
      const reply = await it.visitor('POST /api/auth/reset-password', { token, newPassword: 'another one' })
      expect(reply.json().code).toBe('link_expired')
    }
  })

  test('sends no second email if it is saved again, and saving the current address cancels it', async () => {
    const it = world()
    const dan = await it.signUp('Dan')
    await dan.call('PUT /api/user/profile', formOf(dan, { email: 'dan@new.example' }))
    await dan.call('PUT /api/user/profile', formOf(dan, { email: 'DAN@new.example' }))
    expect(await mailsOf(it, dan)).toHaveLength(2)
    const token = await tokenFor(it, dan, 'dan@new.example')
    const dropped = await dan.call('PUT /api/user/profile', formOf(dan, { email: 'DAN@example.com' }))
    expect(dropped.json()).toMatchObject({ email: 'dan@example.com', pendingEmail: null })
    expect((await it.visitor('POST /api/auth/verify-email', { token })).statusCode).toBe(409)
  })

  test('can be cancelled, which invalidates its link', async () => {
    const it = world()
    const eve = await it.signUp('Eve')
    await eve.call('PUT /api/user/profile', formOf(eve, { email: 'eve@new.example' }))
    const token = await tokenFor(it, eve, 'eve@new.example')
    const called = await eve.call('POST /api/user/cancel-email-change')
    expect(called.json()).toMatchObject({ email: 'eve@example.com', pendingEmail: null })
    expect((await it.visitor('POST /api/auth/verify-email', { token })).json().code).toBe('link_expired')
    // An email queued before the cancellation contains an invalid link.
    const late = await tokenFor(it, eve, 'eve@new.example')
    const opened = await it.visitor(`GET /api/auth/verify-email?token=${late}`)
    expect(opened.json().code).toBe('link_expired')
    const proved = await it.visitor('POST /api/auth/verify-email', { token: late })
    expect(proved.json().code).toBe('link_expired')
    expect(await current(eve)).toMatchObject({ email: 'eve@example.com', emailVerified: false })
  })

  test('is refused if it is taken, regardless of case', async () => {
    const it = world()
    const [fay, gus] = [await it.signUp('Fay'), await it.signUp('Gus')]
    for (const email of ['gus@example.com', 'GUS@Example.COM']) {
      const reply = await fay.call('PUT /api/user/profile', formOf(fay, { email, bio: 'Lost' }))
      expect(reply.statusCode).toBe(409)
      expect(reply.json().code).toBe('email_taken')
    }
    expect(await current(fay)).toMatchObject({ pendingEmail: null, bio: null })
    expect(await mailsOf(it, fay)).toEqual(['verify_email to fay@example.com'])
    expect(await mailsOf(it, gus)).toEqual(['verify_email to gus@example.com'])
  })

  test('belongs to the first of two users who verifies it', async () => {
    const it = world()
    const [hal, ida] = [await it.signUp('Hal'), await it.signUp('Ida')]
    for (const person of [hal, ida]) {
      const reply = await person.call('PUT /api/user/profile', formOf(person, { email: 'both@new.example' }))
      expect(reply.json().pendingEmail).toBe('both@new.example')
    }
    const tokens = [await tokenFor(it, hal, 'both@new.example'), await tokenFor(it, ida, 'both@new.example')]
    const replies = await Promise.all(
      tokens.map((token) => it.visitor('POST /api/auth/verify-email', { token })),
    )
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409])
    expect(replies.find((reply) => reply.statusCode === 409)?.json().code).toBe('email_taken')
    const { rows } = await it.sql.query("select 1 from users where email = 'both@new.example'")
    expect(rows).toHaveLength(1)
  })
})

describe('verifying the address', () => {
  test('sign-up sends a link that works once', async () => {
    const it = world()
    const jo = await it.signUp('Jo')
    expect(await current(jo)).toMatchObject({ emailVerified: false, hasPassword: true, googleLinked: false })
    expect(await mailsOf(it, jo)).toEqual(['verify_email to jo@example.com'])
    const token = await tokenFor(it, jo, jo.email)
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => jo.call('POST /api/auth/verify-email', { token })),
    )
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409, 409, 409, 409])
    expect(await current(jo)).toMatchObject({ emailVerified: true })
  })

  test('the link is valid for a day and only for this purpose', async () => {
    const it = await openWorld()
    const kim = await it.signUp('Kim')
    const token = await tokenFor(it, kim, kim.email)
    const reset = { token, newPassword: 'another one' }
    expect((await it.visitor('POST /api/auth/reset-password', reset)).json().code).toBe('link_expired')
    expect((await it.visitor('POST /api/auth/verify-email', { token: 'made up' })).statusCode).toBe(409)
    it.advanceClock(24 * 3_600_000 + 1)
    const late = await it.visitor('POST /api/auth/verify-email', { token })
    expect(late.json()).toEqual({
      code: 'link_expired',
      message: 'This link has expired or was already used. Please request a new one.',
    })
    expect(await current(kim)).toMatchObject({ emailVerified: false })
  })

  test('the database does not contain the token of a link', async () => {
    const it = world()
    const lea = await it.signUp('Lea')
    const token = await tokenFor(it, lea, lea.email)
    const { rows } = await it.sql.query('select * from account_tokens where user_id = $1', [lea.id])
    expect(rows).toHaveLength(1)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('the email can be sent again ten times an hour, until the address is verified', async () => {
    const it = await openWorld()
    const meg = await it.signUp('Meg')
    for (let tries = 0; tries < 10; tries++) {
      expect((await meg.call('POST /api/user/resend-verification')).statusCode).toBe(200)
    }
    expect((await meg.call('POST /api/user/resend-verification')).statusCode).toBe(429)
    const change = formOf(meg, { email: 'meg@new.example' })
    expect((await meg.call('PUT /api/user/profile', change)).statusCode).toBe(429)
    expect((await meg.call('PUT /api/user/profile', formOf(meg))).statusCode).toBe(200)
    expect(await mailsOf(it, meg)).toHaveLength(11)

    const ned = await it.signUp('Ned')
    await ned.call('POST /api/auth/verify-email', { token: await tokenFor(it, ned, ned.email) })
    await ned.call('POST /api/user/resend-verification')
    expect(await mailsOf(it, ned)).toHaveLength(1)
    await ned.call('PUT /api/user/profile', formOf(ned, { email: 'ned@new.example' }))
    await ned.call('POST /api/user/resend-verification')
    expect((await mailsOf(it, ned)).slice(1)).toEqual(Array(2).fill('verify_email to ned@new.example'))
  })
})

describe('first steps', () => {
  test('are completed by the user’s actions, and a dismissed list stays dismissed', async () => {
    const { ada, bob, given, sql } = await addTraders(world())
    const steps = async (person: typeof ada) => (await person.call('GET /api/user/first-steps')).json()
    const none = { hasPosted: false, hasMadeOffer: false, hasPayoutMethod: false, dismissed: [] }
    expect(await steps(ada)).toEqual(none)
    await given.completedDeal()
    expect(await steps(ada)).toEqual({ ...none, hasPosted: true })
    await sql.query(`update users set bank_account_details = 'sealed' where id = $1`, [bob.id])
    expect(await steps(bob)).toEqual({ ...none, hasMadeOffer: true, hasPayoutMethod: true })
    for (const list of ['seller', 'buyer', 'seller']) {
      expect((await bob.call('POST /api/user/first-steps/dismiss', { list })).statusCode).toBe(200)
    }
    expect((await steps(bob)).dismissed).toEqual(['seller', 'buyer'])
    expect((await bob.call('POST /api/user/first-steps/dismiss', { list: 'all' })).statusCode).toBe(422)
    expect((await steps(ada)).dismissed).toEqual([])
  })
})

describe('statistics and purchases', () => {
  test('count payments minus refunds, newest purchase first', async () => {
    const { given, signUp } = world()
    const [buyer, seller] = [await signUp('Oda'), await signUp('Pat')]
    const deal = (amount: number, title: string) => ({ buyer, seller, amount, request: { title } })
    await given.checkout(deal(90_000, 'Not paid yet'))
    const { paymentId: held } = await given.heldPayment(deal(1_000, 'Held'))
    const { paymentId: disputed } = await given.dispute(deal(2_000, 'Disputed'))
    const { paymentId: completed } = await given.completedDeal(deal(4_001, 'Completed'))
    const refund = { action: 'refund_partial', refundAmount: 3_001 } as const
    const { paymentId: partly } = await given.ruling({ ...deal(8_000, 'Partly'), ...refund })
    const { paymentId: back } = await given.ruling({ ...deal(16_000, 'Back'), action: 'refund_full' })
    expect((await buyer.call('GET /api/user/stats')).json()).toEqual({
      totalWantedItems: 6,
      totalPurchases: 5,
      totalSpent: 12_000,
    })
    expect((await buyer.call('GET /api/user/purchases')).json()).toEqual([
      { id: back, title: 'Back', status: 'resolved_buyer', amount: 16_000, currency: 'usd' },
      { id: partly, title: 'Partly', status: 'resolved_partial', amount: 8_000, currency: 'usd' },
      { id: completed, title: 'Completed', status: 'completed', amount: 4_001, currency: 'usd' },
      { id: disputed, title: 'Disputed', status: 'disputed', amount: 2_000, currency: 'usd' },
      { id: held, title: 'Held', status: 'held_in_escrow', amount: 1_000, currency: 'usd' },
    ])
    const nothing = { totalWantedItems: 0, totalPurchases: 0, totalSpent: 0 }
    expect((await seller.call('GET /api/user/stats')).json()).toEqual(nothing)
    expect((await seller.call('GET /api/user/purchases')).json()).toEqual([])
  })
})
