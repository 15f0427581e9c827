import { expect, test } from 'vitest'
import { shortenIp } from '../../../core/shorten-ip.ts'
import { COMMAND_LINE } from '../../../http/request-origin.ts'
import { PASSWORD, type Person, shareWorld } from '../../../testing/world.ts'
import { findOrCreateGoogleAccount, grantRole, revokeRole } from '../../identity/accounts/actions.ts'
import { createToken } from '../../users/link-tokens.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const bank = {
  account_holder_name: 'Bob Tester',
  country: 'US',
  routing_number: '110000000',
  account_number: '000123456789',
  account_type: 'checking',
}

interface Entry {
  id: number
  action: string
  by: string
  ip: string | null
  device: string | null
}

async function ownLog({ call }: Person): Promise<Entry[]> {
  return (await call('GET /api/user/audit-log?limit=100')).json()
}

async function openAdmin(name = 'Root'): Promise<Person> {
  const admin = await world().signUp(name)
  await world().services.database.transact((tx) => grantRole(tx, admin.email, 'admin'))
  return admin
}

test('users see what happened to their account, and from where, newest first', async () => {
  const { signUp, visitor, services } = world()
  const ada = await signUp('Ada')
  const from = { remoteAddress: '203.0.113.77', headers: { 'user-agent': FIREFOX } }
  const tryPassword = (password: string) =>
    visitor('POST /api/auth/login', { email: ada.email, password }, from)
  await tryPassword('guessed')
  await tryPassword(PASSWORD)
  const profile = { firstName: 'Ada', lastName: 'Tester' }
  await ada.call('PUT /api/user/profile', { ...profile, email: 'ada@next.example' })
  await ada.call('PUT /api/user/profile', { ...profile, email: 'ada@next.example', bio: 'Hello' })
  await ada.call('POST /api/user/cancel-email-change')
  await ada.call('PUT /api/user/profile', { ...profile, email: 'ada@other.example' })
  const linkFor = (email: string, purpose: 'verify_email' | 'reset_password') =>
    services.database.transact((tx) => createToken(tx, { userId: ada.id, purpose, email }))
  const token = await linkFor('ada@other.example', 'verify_email')
  await visitor('POST /api/auth/verify-email', { token, password: PASSWORD })
  await services.database.transact((tx) =>
    findOrCreateGoogleAccount(
      tx,
      { subject: 'ada', email: 'ada@other.example', emailVerified: true, firstName: 'Ada', lastName: null },
      COMMAND_LINE,
    ),
  )
  await ada.call('POST /api/seller/save-bank-account', bank)
  await ada.call('POST /api/seller/reset-stripe-connect')
  await ada.call('GET /api/user/data')
  const [other] = (await ada.call('GET /api/user/devices'))
    .json()
    .filter(({ isThisOne }: { isThisOne: boolean }) => !isThisOne)
  await ada.call(`DELETE /api/user/devices/${other.id}`)
  await ada.call('POST /api/user/devices/sign-out-others')
  const log = await ownLog(ada)
  expect(log.map(({ action, by }) => `${action} by ${by}`)).toEqual([
    'other_devices_signed_out by you',
    'device_signed_out by you',
    'data_exported by you',
    'payout_account_reset by you',
    'bank_account_saved by you',
    'google_linked by you',
    'email_changed by you',
    'email_change_requested by you',
    'email_change_cancelled by you',
    'email_change_requested by you',
    'signed_in by you',
    'sign_in_failed by unknown',
  ])
  expect(log.at(-1)).toMatchObject({ ip: '203.0.113.x', device: 'Firefox on Linux' })
  const { auditLog } = (await ada.call('GET /api/user/data')).json()
  expect(auditLog.slice(1)).toEqual(log)
})

test('a password change, a password reset and a sign-out are recorded', async () => {
  const { signUp, visitor, services } = world()
  const bea = await signUp('Bea')
  const change = { currentPassword: PASSWORD, newPassword: 'new horse', confirmPassword: 'new horse' }
  const changed = await bea.call('POST /api/user/change-password', change)
  expect(changed.statusCode).toBe(200)
  const cookie = changed.headers['set-cookie']?.toString().split(';')[0] ?? ''
  await visitor('GET /api/logout', undefined, { headers: { cookie } })
  const token = await services.database.transact((tx) =>
    createToken(tx, { userId: bea.id, purpose: 'reset_password', email: bea.email }),
  )
  await visitor('POST /api/auth/reset-password', { token, newPassword: 'third horse' })
  const { rows } = await world().sql.query(
    'select action, actor_id = subject_id as own from audit_log where actor_id = $1 order by id',
    [bea.id],
  )
  expect(rows).toEqual([
    { action: 'password_changed', own: true },
    { action: 'signed_out', own: true },
    { action: 'password_reset', own: true },
  ])
})

test('a failed sign-in to an unknown account is recorded without a name or an address', async () => {
  const { visitor, sql } = world()
  await visitor('POST /api/auth/login', { email: 'nobody@example.com', password: 'guessed' })
  const { rows } = await sql.query('select * from audit_log order by id desc limit 1')
  expect(rows).toMatchObject([{ action: 'sign_in_failed', actor_id: null, subject_id: null }])
  expect(JSON.stringify(rows)).not.toContain('nobody')
})

test('users see that an admin read their data, but not who or from where', async () => {
  const { given, signUp, sql } = world()
  const [buyer, seller, root] = [await signUp('Buyer'), await signUp('Seller'), await openAdmin()]
  await seller.call('POST /api/seller/save-bank-account', bank)
  const { paymentId } = await given.completedDeal({ buyer, seller })
  const { rows } = await sql.query(
    `update payouts set method = 'manual' where payment_id = $1 returning id`,
    [paymentId],
  )
  const [{ id: payoutId }] = rows
  expect((await root.call(`POST /api/admin/payouts/${payoutId}/bank-details`)).statusCode).toBe(200)
  const [viewed, saved] = await ownLog(seller)
  expect(viewed).toMatchObject({ action: 'bank_account_viewed', by: 'team', ip: null, device: null })
  expect(saved).toMatchObject({ action: 'bank_account_saved', by: 'you' })
  expect(JSON.stringify(viewed)).not.toContain(root.id)
  expect((await ownLog(root)).map(({ action }) => action)).toEqual(['bank_account_viewed', 'admin_granted'])
  const found = (await root.call(`GET /api/admin/audit-log?userId=${seller.id}`)).json()
  expect(found).toMatchObject([
    {
      action: 'bank_account_viewed',
      actor: { id: root.id, name: 'Root Tester' },
      subject: { id: seller.id },
      details: { payoutId },
    },
    { action: 'bank_account_saved', actor: { id: seller.id }, subject: { id: seller.id }, details: {} },
  ])
})

test('admins filter the log by action and user, and page through it', async () => {
  const { signUp } = world()
  const root = await openAdmin('Rita')
  const cal = await signUp('Cal')
  for (let round = 0; round < 3; round++) await cal.call('POST /api/user/devices/sign-out-others')
  await cal.call('POST /api/seller/save-bank-account', bank)
  const first = await root.call(
    `GET /api/admin/audit-log?action=other_devices_signed_out&userId=${cal.id}&limit=2`,
  )
  expect(first.json().map((entry: Entry) => entry.action)).toEqual([
    'other_devices_signed_out',
    'other_devices_signed_out',
  ])
  const next = /<(.*)>; rel="next"/.exec(String(first.headers.link))?.[1]
  const second = await root.call(`GET ${next}`)
  expect(second.json()).toHaveLength(1)
  expect(second.headers.link).toBeUndefined()
  const own = await cal.call('GET /api/user/audit-log?limit=1')
  expect(own.json()).toMatchObject([{ action: 'bank_account_saved' }])
  expect(own.headers.link).toContain('/api/user/audit-log?limit=1&cursor=')
  for (const query of ['action=unknown', 'limit=101'])
    expect((await root.call(`GET /api/admin/audit-log?${query}`)).statusCode, query).toBe(422)
  expect((await cal.call('GET /api/admin/audit-log')).statusCode).toBe(403)
})

test('admin rights granted and revoked on the command line are recorded', async () => {
  const { services, signUp, sql } = world()
  const dan = await signUp('Dan')
  await services.database.transact((tx) => grantRole(tx, dan.email, 'admin'))
  await services.database.transact((tx) => revokeRole(tx, dan.email))
  const { rows } = await sql.query(
    'select action, actor_id, ip, device from audit_log where subject_id = $1 order by id',
    [dan.id],
  )
  expect(rows).toEqual([
    { action: 'admin_granted', actor_id: null, ip: null, device: 'Command line' },
    { action: 'admin_revoked', actor_id: null, ip: null, device: 'Command line' },
  ])
  expect(await ownLog(dan)).toMatchObject([{ by: 'team', device: null }, { by: 'team' }])
})

test('the entries of a deleted account are kept without IP addresses and devices', async () => {
  const { signUp, visitor, sql } = world()
  const [eve, root] = [await signUp('Eve'), await openAdmin('Ruth')]
  await visitor('POST /api/auth/login', { email: eve.email, password: 'guessed' })
  await eve.call('POST /api/seller/save-bank-account', bank)
  expect((await eve.call('POST /api/user/delete-account', { password: PASSWORD })).statusCode).toBe(200)
  const { rows } = await sql.query(
    'select action, ip, device from audit_log where subject_id = $1 order by id',
    [eve.id],
  )
  expect(rows).toEqual(
    ['sign_in_failed', 'bank_account_saved', 'signed_out', 'account_deleted'].map((action) => ({
      action,
      ip: null,
      device: null,
    })),
  )
  const [deleted] = (await root.call(`GET /api/admin/audit-log?userId=${eve.id}`)).json()
  expect(deleted).toMatchObject({ action: 'account_deleted', actor: { name: 'Deleted user' } })
})

test('an action that only a newer release knows is listed', async () => {
  const { signUp, sql } = world()
  const [ada, root] = [await signUp('Ada'), await openAdmin('Rosa')]
  await sql.query("insert into audit_log (action, actor_id, subject_id) values ('moon_landed', $1, $1)", [
    ada.id,
  ])
  expect(await ownLog(ada)).toMatchObject([{ action: 'moon_landed', by: 'you' }])
  const listed = await root.call(`GET /api/admin/audit-log?userId=${ada.id}`)
  expect(listed.json()).toMatchObject([{ action: 'moon_landed' }])
})

test.each([
  ['203.0.113.77', '203.0.113.x'],
  ['::ffff:203.0.113.77', '203.0.113.x'],
  ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3::x'],
  ['2001:db8::1', '2001:db8::x'],
  ['::1', '::x'],
])('the address %s is shown as %s', (ip, shown) => {
  expect(shortenIp(ip)).toBe(shown)
})
