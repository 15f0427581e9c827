import { calls } from '@sought/contract/calls'
import { describe, expect, test } from 'vitest'
import { totpCode } from '../../../testing/totp-code.ts'
import { cookieOf, openWorld, PASSWORD, type Person, shareWorld, type World } from '../../../testing/world.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const MINUTE_MS = 60_000

/** A session that was stolen some time after its owner signed in. */
async function stolenSession(it: World, { email, id }: Person): Promise<Person['call']> {
  const cookie = cookieOf(await it.visitor('POST /api/auth/login', { email, password: PASSWORD }))
  await it.sql.query(
    `update sessions set sess = sess || jsonb_build_object('confirmedAt', now() - interval '10 minutes')
     where sess ->> 'userId' = $1`,
    [id],
  )
  return (call, body, options) => it.visitor(call, body, { ...options, headers: { cookie } })
}

const bank = {
  account_holder_name: 'Ada Tester',
  country: 'US',
  routing_number: '110000000',
  account_number: '000123456789',
}

describe('a stolen session', () => {
  test('cannot take over the account or its money', async () => {
    const it = world()
    const ada = await it.signUp('Ada')
    const call = await stolenSession(it, ada)
    const profile = { firstName: 'Ada', lastName: 'Tester' }
    for (const [name, body] of [
      ['PUT /api/user/profile', { ...profile, email: 'thief@example.com' }],
      ['POST /api/seller/save-bank-account', bank],
      ['POST /api/seller/setup-stripe-connect', { country: 'US' }],
      ['POST /api/seller/reset-stripe-connect'],
      ['GET /api/user/data'],
      ['POST /api/user/totp'],
      ['POST /api/user/totp/enable', { code: '123456' }],
      ['DELETE /api/user/totp'],
      ['POST /api/user/recovery-codes'],
      ['POST /api/user/passkeys/options'],
      ['DELETE /api/user/passkeys/abc'],
      ['GET /api/auth/confirm'],
    ] as const) {
      const refused = await call(name, body)
      expect([name, refused.statusCode, refused.json().code]).toEqual([name, 401, 'confirm_identity'])
    }
    const { rows } = await it.sql.query(
      'select pending_email, bank_account_details from users where id = $1',
      [ada.id],
    )
    expect(rows).toEqual([{ pending_email: null, bank_account_details: null }])

    // Calls that contain the password need no other proof, and the thief does not know it.
    const guess = { currentPassword: 'guess', newPassword: 'thief’s own', confirmPassword: 'thief’s own' }
    expect((await call('POST /api/user/change-password', guess)).json().code).toBe('wrong_password')
    expect((await call('POST /api/user/delete-account', { password: 'guess' })).json().code).toBe(
      'wrong_password',
    )
    expect((await call('POST /api/auth/confirm', { password: 'guess' })).json().code).toBe('wrong_password')
    expect((await call('POST /api/auth/confirm', {})).json().code).toBe('wrong_password')
    // Saving the same address is not a change.
    expect((await call('PUT /api/user/profile', { ...profile, email: 'ADA@example.com' })).statusCode).toBe(
      200,
    )
  })

  test('cannot delete an account without a password', async () => {
    const it = world()
    const bob = await it.signUp('Bob')
    const call = await stolenSession(it, bob)
    await it.sql.query("update users set password = null, provider_id = 'bob' where id = $1", [bob.id])
    for (const body of [{ email: bob.email }, { email: bob.email, password: 'anything' }])
      expect((await call('POST /api/user/delete-account', body)).json().code).toBe('confirm_identity')
    expect((await call('POST /api/auth/confirm', { password: 'anything' })).json().code).toBe('no_password')
  })

  test('cannot move money, read bank details, export or change the market as an admin', async () => {
    const it = world()
    const cal = await it.signUp('Cal', 'admin')
    const call = await stolenSession(it, cal)
    const moving = Object.values(calls).filter(
      ({ access, confirmed }) => access !== 'public' && access !== 'user' && confirmed,
    )
    expect(moving.map(({ path }) => path).sort()).toEqual([
      '/api/admin/appeals/:id/decide',
      '/api/admin/debts/:id/waive',
      '/api/admin/disputes/:id/dismiss-fraud-signals',
      '/api/admin/disputes/:id/resolve',
      '/api/admin/disputes/bulk',
      '/api/admin/disputes/export',
      '/api/admin/exports',
      '/api/admin/exports/:id/file',
      '/api/admin/goodwill',
      '/api/admin/goodwill/:id/approve',
      '/api/admin/goodwill/:id/paid',
      '/api/admin/goodwill/:id/reject',
      '/api/admin/moderation/bulk',
      '/api/admin/payments/:id/refund',
      '/api/admin/payouts/:id/bank-details',
      '/api/admin/payouts/:id/paid',
      '/api/admin/payouts/:id/send-again',
      '/api/admin/payouts/:id/undo',
      '/api/admin/policies/:policy',
      '/api/admin/provider-events/:id/dismiss',
      '/api/admin/refunds/:paymentId/paid',
      '/api/admin/refunds/:paymentId/retry',
      '/api/admin/settings',
      '/api/admin/settings/logo',
      '/api/admin/settings/logo',
    ])
    for (const { method, path } of moving) {
      const refused = await call(`${method} ${path.replace(/:\w+/, '1')}`)
      expect([path, refused.json().code]).toEqual([path, 'confirm_identity'])
    }
    expect((await call('GET /api/admin/payouts')).statusCode).toBe(200)
  })
})

describe('a proof of identity', () => {
  test('lasts ten minutes, and signing up or signing in counts as a proof', async () => {
    const it = await openWorld()
    const form = { email: 'dan@example.com', password: PASSWORD, firstName: 'Dan', lastName: 'Tester' }
    const cookie = cookieOf(await it.visitor('POST /api/auth/signup', form))
    const check = async (cookie: string) =>
      (await it.visitor('GET /api/auth/confirm', undefined, { headers: { cookie } })).statusCode
    expect(await check(cookie)).toBe(200)
    it.advanceClock(10 * MINUTE_MS - 5_000)
    expect(await check(cookie)).toBe(200)
    it.advanceClock(5_000)
    expect(await check(cookie)).toBe(401)
    const confirmed = await it.visitor(
      'POST /api/auth/confirm',
      { password: PASSWORD },
      { headers: { cookie } },
    )
    expect(confirmed.json()).toEqual({ ok: true })
    expect(await check(cookie)).toBe(200)
    // Using the session does not extend the confirmation, and other sessions are not confirmed.
    it.advanceClock(9 * MINUTE_MS)
    expect(await check(cookie)).toBe(200)
    it.advanceClock(MINUTE_MS)
    expect(await check(cookie)).toBe(401)
    const { email, password } = form
    expect(await check(cookieOf(await it.visitor('POST /api/auth/login', { email, password })))).toBe(200)
    expect(await check(cookie)).toBe(401)
    const { rows } = await it.sql.query("select from audit_log where action = 'identity_confirmed'")
    expect(rows).toHaveLength(1)
  })

  test('by password allows a limited number of attempts', async () => {
    const it = await openWorld()
    const eve = await it.signUp('Eve')
    for (let tries = 0; tries < 10; tries++) await eve.call('POST /api/auth/confirm', { password: 'guess' })
    expect((await eve.call('POST /api/auth/confirm', { password: PASSWORD })).statusCode).toBe(429)
  })

  test('needs the second factor if the account has one, and accepts each code once', async () => {
    const it = world()
    const fay = await it.signUp('Fay')
    const { secret } = (await fay.call('POST /api/user/totp')).json()
    const code = () => totpCode(secret, it.services.clock())
    await fay.call('POST /api/user/totp/enable', { code: code() })
    const refused = await fay.call('POST /api/auth/confirm', { password: PASSWORD })
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'use_second_factor'])
    const sent = code()
    const replies = await Promise.all([1, 2].map(() => fay.call('POST /api/auth/confirm', { code: sent })))
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403])
    expect((await fay.call('POST /api/auth/confirm', { code: sent })).json().code).toBe('wrong_code')
  })
})
