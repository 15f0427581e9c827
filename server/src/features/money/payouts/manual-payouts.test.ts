import { expect, test } from 'vitest'
import { shareMoneyWorld } from '../../../testing/money-world.ts'
import { enqueueSellerPayouts } from './send-payouts.ts'

const bank = {
  account_holder_name: 'Bob Tester',
  country: 'US',
  routing_number: '021000021',
  account_number: '000123456789',
}

const open = shareMoneyWorld()

/** Bob has only bank details and is owed 112.62. The provider knows the payment only if Ada pays it there. */
async function openPayout({ isAtProvider = false } = {}) {
  const world = await open()
  const { ada, bob } = world
  const admin = await world.signUp('Root', 'admin')
  expect((await bob.call('POST /api/seller/save-bank-account', bank)).statusCode).toBe(200)
  const { paymentId } = await (isAtProvider ? world.payIntoEscrow() : world.given.heldPayment())
  await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  await world.runJobs()
  const find = async (status: 'owed' | 'paid') => {
    const listed = (await admin.call(`GET /api/admin/payouts?status=${status}`)).json()
    return listed.find((it: { paymentId: number }) => it.paymentId === paymentId)
  }
  const owed = await find('owed')
  const stepsOf = async (status: 'owed' | 'paid') => {
    const payout = await find(status)
    return payout.steps.map(({ action, actor }: Record<string, string>) => `${action} by ${actor}`)
  }
  return { ...world, world, admin, owed, stepsOf }
}

test('manual payouts can be listed, marked paid and undone within a day, and every step is recorded', async () => {
  const { world, admin, bob, owed, stepsOf } = await openPayout({ isAtProvider: true })
  expect(owed).toMatchObject({
    amount: 11_262,
    status: 'owed',
    itemTitle: 'Lamp',
    accountHolderName: 'Bob Tester',
    accountLast4: '6789',
    steps: [],
  })
  expect(JSON.stringify(owed)).not.toContain('000123456789')
  const act = async (what: string, by = admin) => {
    const reply = await by.call(`POST /api/admin/payouts/${owed.id}/${what}`, { reference: 'bank run 7' })
    return [reply.statusCode, reply.json().code ?? reply.json().status]
  }
  expect(await act('undo')).toEqual([409, 'payout_wrong_state'])
  const twice = await Promise.all([act('paid'), act('paid')])
  expect(twice.toSorted()).toEqual([
    [200, 'paid'],
    [409, 'payout_wrong_state'],
  ])
  expect(await world.balanceOf(`seller:${bob.id}`)).toBe(0)
  expect(await act('undo')).toEqual([200, 'owed'])
  expect(await world.balanceOf(`seller:${bob.id}`)).toBe(11_262)
  expect(await act('paid')).toEqual([200, 'paid'])
  world.advanceClock(25 * 3_600_000)
  expect(await act('undo')).toEqual([409, 'undo_too_late'])
  expect(await stepsOf('paid')).toEqual([
    'marked_paid by Root Tester',
    'undone by Root Tester',
    'marked_paid by Root Tester',
  ])
  await world.expectBooksRight()
})

test('a payout whose bank details an admin has looked up is not also sent as a transfer', {
  tags: ['proof'],
}, async () => {
  const { world, admin, bob, owed } = await openPayout({ isAtProvider: true })
  expect((await admin.call(`POST /api/admin/payouts/${owed.id}/bank-details`)).statusCode).toBe(200)
  const account = await world.connectBob()
  await world.sql.query('update users set payouts_wait_until = null where id = $1', [bob.id])
  await world.services.database.transact((tx) => enqueueSellerPayouts(tx, bob.id))
  await world.runJobs()
  const paid = await admin.call(`POST /api/admin/payouts/${owed.id}/paid`, { reference: 'bank run 7' })
  expect(paid.statusCode, paid.body).toBe(200)
  const { data } = await world.stripe<{ data: unknown[] }>('GET', `/v1/transfers?destination=${account}`)
  expect(data).toEqual([])
  await world.expectBooksRight()
})

test('the full bank account can be looked up, and every look-up is recorded', async () => {
  const { world, admin, bob, owed, stepsOf } = await openPayout()
  const other = await world.signUp('Second', 'admin')
  const lookUp = (by = admin) => by.call(`POST /api/admin/payouts/${owed.id}/bank-details`)
  const first = await lookUp()
  expect(first.statusCode, first.body).toBe(200)
  expect(first.json()).toEqual({ ...bank, account_type: 'checking' })
  expect(first.headers['cache-control']).toBe('no-store')
  expect((await lookUp(other)).statusCode).toBe(200)
  expect(await stepsOf('owed')).toEqual(['looked_up by Root Tester', 'looked_up by Second Tester'])
  expect(await world.balanceOf(`seller:${bob.id}`)).toBe(11_262)

  // Admins can look up the account while the payout is owed, but not once it is paid.
  await admin.call(`POST /api/admin/payouts/${owed.id}/paid`, { reference: 'bank run 7' })
  const late = await lookUp()
  expect([late.statusCode, late.json().code]).toEqual([409, 'payout_wrong_state'])
  await admin.call(`POST /api/admin/payouts/${owed.id}/undo`)
  expect((await lookUp()).statusCode).toBe(200)
  const steps = await stepsOf('owed')
  expect(steps.slice(2)).toEqual([
    'marked_paid by Root Tester',
    'undone by Root Tester',
    'looked_up by Root Tester',
  ])

  // A look-up that fails is not recorded.
  const setDetails = (encrypted: string | null) =>
    world.sql.query('update users set bank_account_details = $1 where id = $2', [encrypted, bob.id])
  await setDetails('v1:altered')
  expect((await lookUp()).statusCode).toBe(500)
  await setDetails(null)
  const gone = await lookUp()
  expect([gone.statusCode, gone.json().code]).toEqual([409, 'no_bank_details'])
  expect(await stepsOf('owed')).toEqual(steps)
})

test('only manual payouts can be marked as paid', async () => {
  const { world, admin, owed } = await openPayout()
  await world.sql.query(
    "update payouts set method = 'transfer', status = 'sending', destination = 'acct_1' where id = $1",
    [owed.id],
  )
  for (const step of ['bank-details', 'paid', 'undo']) {
    const reply = await admin.call(`POST /api/admin/payouts/${owed.id}/${step}`, { reference: 'x' })
    expect([step, reply.statusCode, reply.json().code]).toEqual([step, 404, 'payout_not_found'])
  }
})

test('a missing payout can be neither looked up nor paid', async () => {
  const { admin } = await openPayout()
  for (const step of ['bank-details', 'paid', 'undo', 'send-again']) {
    const reply = await admin.call(`POST /api/admin/payouts/999999/${step}`, { reference: 'x' })
    expect([step, reply.statusCode, reply.json().code]).toEqual([step, 404, 'payout_not_found'])
  }
})

test('admins cannot handle payouts of their own payments, as seller or as buyer', async () => {
  const { world, ada, bob, owed, stepsOf } = await openPayout()
  for (const person of [ada, bob]) {
    await world.appoint(person)
    for (const step of ['bank-details', 'paid', 'undo', 'send-again']) {
      const reply = await person.call(`POST /api/admin/payouts/${owed.id}/${step}`, { reference: 'mine' })
      expect([step, reply.statusCode, reply.json().code]).toEqual([step, 403, 'not_impartial'])
    }
  }
  expect(await stepsOf('owed')).toEqual([])
})
