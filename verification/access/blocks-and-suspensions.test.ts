import type { Call } from '@sought/contract/call'
import { calls } from '@sought/contract/calls'
import { knowCharges } from '@sought/server/testing/known-charges'
import { openMoneyWorld } from '@sought/server/testing/money-world'
import { expect, test, vi } from 'vitest'
import { access } from './access-table.ts'
import { createAccessChecker } from './check-call.ts'
import { hashOwnedRows } from './owned-rows.ts'
import type { Person } from './people.ts'

/*
 * The effect of every call for suspended and blocked people. A new call must be added to one of the lists, so that
 * its effect is a decision.
 */

// Each test makes hundreds of calls, which takes long on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const named = new Map(Object.values(calls).map((call) => [`${call.method} ${call.path}`, call]))
const isWrite = ({ method, access: whom }: Call) => whom === 'user' && method !== 'GET'
const writes = [...named].filter(([, call]) => isWrite(call)).map(([name]) => name)

async function openChecker() {
  const world = knowCharges(await openMoneyWorld({ env: { RATE_LIMIT: 'off' } }))
  return { ...world, checker: createAccessChecker(world) }
}

const statusOf = (name: string, role: 'owner' | 'other'): number => access.get(name)?.[role] ?? 501

function callOf(name: string): Call {
  const call = named.get(name)
  if (!call) throw new Error(`${name} is not declared`)
  return call
}

/** Needed to finish open deals, receive money, keep the account secure and appeal. */
const ALLOWED_IF_SUSPENDED = [
  'POST /api/payments/:id/submitted',
  'POST /api/payments/:id/confirm-delivery',
  'POST /api/manual-delivery-confirm/:id',
  'POST /api/payments/:id/ship',
  'POST /api/payments/:id/delivered',
  'POST /api/payments/:id/handover',
  'POST /api/payments/:id/cancel',
  'POST /api/payments/:id/refund',
  'POST /api/payments/:id/dispute',
  'POST /api/initiate-dispute',
  'POST /api/disputes/:paymentId/answer',
  'POST /api/disputes/:paymentId/appeal',
  'POST /api/disputes/:paymentId/upload-evidence',
  'POST /api/disputes/:paymentId/settlement',
  'POST /api/disputes/:paymentId/settlement/accept',
  'POST /api/disputes/:paymentId/withdraw',
  'POST /api/seller/setup-stripe-connect',
  'POST /api/seller/save-bank-account',
  'POST /api/seller/reset-stripe-connect',
  'PATCH /api/messages/mark-read',
  'PATCH /api/notifications/mark-read',
  'DELETE /api/push/subscriptions',
  'POST /api/auth/confirm',
  'POST /api/user/change-password',
  'POST /api/user/cancel-email-change',
  'POST /api/user/resend-verification',
  'POST /api/user/devices/sign-out-others',
  'DELETE /api/user/devices/:id',
  'POST /api/user/totp',
  'POST /api/user/totp/enable',
  'DELETE /api/user/totp',
  'POST /api/user/recovery-codes',
  'POST /api/user/passkeys/options',
  'POST /api/user/passkeys',
  'PATCH /api/user/passkeys/:id',
  'DELETE /api/user/passkeys/:id',
  'POST /api/user/decisions/:id/appeal',
]

test('suspended people may finish open deals, receive money and appeal', () => {
  const declared = writes.filter((name) => callOf(name).allowedIfSuspended)
  expect(declared.sort()).toEqual([...ALLOWED_IF_SUSPENDED].sort())
})

test('suspended people can read and make the allowed calls, and nothing else', {
  tags: ['proof'],
}, async () => {
  const { checker, sql } = await openChecker()
  const violations: string[] = []
  for (const [name, call] of named) {
    // Members of the team cannot be suspended. Calls missing in the table fail in access.test.ts.
    if (!access.has(name) || (call.access !== 'user' && call.access !== 'public')) continue
    const { cast, input } = await checker.prepare(name)
    const { owner } = cast
    await sql.query(`update users set suspended_until = '9999-12-31' where id = $1`, [owner.id])
    const isRefused = isWrite(call) && !ALLOWED_IF_SUSPENDED.includes(name)
    const before = await hashOwnedRows(sql, isRefused ? Object.values(cast) : [])
    const reply = await checker.send(call, input, owner)
    const after = await hashOwnedRows(sql, isRefused ? Object.values(cast) : [])
    const expected = isRefused ? 403 : statusOf(name, 'owner')
    if (reply.statusCode !== expected)
      violations.push(`${name}: ${reply.statusCode} instead of ${expected}, ${reply.body.slice(0, 200)}`)
    if (isRefused && JSON.parse(reply.body).code !== 'suspended') violations.push(`${name}: ${reply.body}`)
    for (const table of Object.keys(before))
      if (before[table] !== after[table]) violations.push(`${name} changed ${table}`)
  }
  expect(violations).toEqual([])
})

test('a suspension ends automatically', { tags: ['proof'] }, async () => {
  const { checker, sql } = await openChecker()
  const { cast, input } = await checker.prepare('POST /api/messages')
  const send = async () => (await checker.send(callOf('POST /api/messages'), input, cast.owner)).statusCode
  const suspend = (until: string) =>
    sql.query(`update users set suspended_until = ${until} where id = $1`, [cast.owner.id])
  await suspend(`now() + interval '1 hour'`)
  expect(await send()).toBe(403)
  await suspend(`now() - interval '1 second'`)
  expect(await send()).toBe(201)
})

/** The effect of each call between two people of whom one has blocked the other. */
const BETWEEN_BLOCKED = {
  refused: [
    'POST /api/messages',
    'POST /api/offers',
    'POST /api/offers/:id/counter',
    'PATCH /api/offers/:id/accept',
    'PATCH /api/offers/:id/keep',
  ],
  /** Allowed, but the other person is not notified. */
  silent: [
    'POST /api/conversations/typing',
    'PATCH /api/messages/mark-read',
    'PATCH /api/offers/:id/reject',
    'PATCH /api/offers/:id/withdraw',
  ],
  /** Open deals continue, and so do their notifications. */
  continued: [
    'POST /api/create-payment-intent',
    'POST /api/create-escrow-payment',
    'POST /api/payments/:id/submitted',
    'POST /api/payments/:id/stop-waiting',
    'POST /api/payments/:id/confirm-delivery',
    'POST /api/manual-delivery-confirm/:id',
    'POST /api/payments/:id/submit-rating',
    'POST /api/payments/:id/review',
    'POST /api/reviews/:id/reply',
    'POST /api/payments/:id/ship',
    'POST /api/payments/:id/delivered',
    'POST /api/payments/:id/handover',
    'POST /api/payments/:id/cancel',
    'POST /api/payments/:id/refund',
    'POST /api/payments/:id/dispute',
    'POST /api/initiate-dispute',
    'POST /api/disputes/:paymentId/answer',
    'POST /api/disputes/:paymentId/appeal',
    'POST /api/disputes/:paymentId/upload-evidence',
    'POST /api/disputes/:paymentId/settlement',
    'POST /api/disputes/:paymentId/settlement/accept',
    'POST /api/disputes/:paymentId/withdraw',
  ],
  /** These concern only the caller or our team, and reach nobody else. */
  alone: [
    'POST /api/user/policies/accept',
    'POST /api/reports',
    'POST /api/blocks/:userId',
    'DELETE /api/blocks/:userId',
    'POST /api/photos',
    // Their requests are public. Alerts leave out blocked people.
    'POST /api/wanted-items',
    'POST /api/wanted-items/image',
    'PUT /api/wanted-items/:id',
    'POST /api/wanted-items/:id/close',
    'POST /api/wanted-items/:id/reopen',
    'POST /api/wanted-items/:id/renew',
    'POST /api/saved-searches',
    'PATCH /api/saved-searches/:id',
    'DELETE /api/saved-searches/:id',
    'PATCH /api/notifications/mark-read',
    'POST /api/push/subscriptions',
    'DELETE /api/push/subscriptions',
    'PUT /api/user/profile',
    'PUT /api/user/selling',
    'PUT /api/user/mail-settings',
    'PUT /api/user/push-settings',
    'PUT /api/user/sharing-settings',
    'PUT /api/user/delivery-address',
    'DELETE /api/user/delivery-address',
    'POST /api/user/upload-avatar',
    'POST /api/user/first-steps/dismiss',
    'POST /api/user/change-password',
    'POST /api/user/cancel-email-change',
    'POST /api/user/resend-verification',
    'POST /api/user/phone/code',
    'POST /api/user/phone/verify',
    'POST /api/user/devices/sign-out-others',
    'DELETE /api/user/devices/:id',
    'POST /api/user/delete-account',
    'POST /api/user/decisions/:id/appeal',
    'POST /api/auth/confirm',
    'POST /api/user/totp',
    'POST /api/user/totp/enable',
    'DELETE /api/user/totp',
    'POST /api/user/recovery-codes',
    'POST /api/user/passkeys/options',
    'POST /api/user/passkeys',
    'PATCH /api/user/passkeys/:id',
    'DELETE /api/user/passkeys/:id',
    'POST /api/seller/setup-stripe-connect',
    'POST /api/seller/save-bank-account',
    'POST /api/seller/reset-stripe-connect',
  ],
}

test('the table has every call, with its effect between blocked people', () => {
  expect(Object.values(BETWEEN_BLOCKED).flat().sort()).toEqual([...writes].sort())
})

test('blocked people cannot reach each other by any call, except in open deals', {
  tags: ['proof'],
}, async () => {
  const { checker, sql } = await openChecker()
  const { fixtures } = checker
  const violations: string[] = []

  /** Makes a call as one of the two, and returns which notifications the other one got. */
  async function send(name: string, role: 'owner' | 'other', blocker: 'owner' | 'other' | null) {
    const { cast, input } = await checker.prepare(name)
    const [sender, receiver] = role === 'owner' ? [cast.owner, cast.other] : [cast.other, cast.owner]
    if (blocker) await fixtures.block(cast[blocker], blocker === 'owner' ? cast.other : cast.owner)
    const before = await notificationsOf(receiver)
    const { statusCode, body } = await checker.send(callOf(name), input, sender)
    const heard = (await notificationsOf(receiver)).slice(before.length)
    return { statusCode, body, heard }
  }

  async function notificationsOf({ id }: Person): Promise<string[]> {
    const { rows } = await sql.query('select kind from notifications where user_id = $1 order by id', [id])
    return rows.map(({ kind }) => kind)
  }

  const { refused, silent, continued } = BETWEEN_BLOCKED
  for (const name of [...refused, ...silent, ...continued])
    for (const role of ['owner', 'other'] as const) {
      if (statusOf(name, role) >= 400) continue
      const usual = await send(name, role, null)
      for (const blocker of ['owner', 'other'] as const) {
        const found = await send(name, role, blocker)
        const expected = refused.includes(name)
          ? { statusCode: 403, heard: [] }
          : { statusCode: usual.statusCode, heard: silent.includes(name) ? [] : usual.heard }
        const what = `${name} as ${role}, blocked by ${blocker}`
        if (found.statusCode !== expected.statusCode || `${found.heard}` !== `${expected.heard}`)
          violations.push(`${what}: ${found.statusCode} ${found.heard} ${found.body.slice(0, 200)}`)
        if (refused.includes(name) && JSON.parse(found.body).code !== 'blocked')
          violations.push(`${what}: ${found.body}`)
      }
    }
  expect(violations).toEqual([])
})

test('calls that concern only the caller or our team notify no other person', {
  tags: ['proof'],
}, async () => {
  const { checker, sql } = await openChecker()
  for (const name of BETWEEN_BLOCKED.alone) {
    const { cast, input } = await checker.prepare(name)
    const count = async () =>
      (await sql.query('select from notifications where user_id = $1', [cast.other.id])).rowCount
    const before = await count()
    await checker.send(callOf(name), input, cast.owner)
    expect(await count(), name).toBe(before)
  }
})
