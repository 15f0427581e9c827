import { describe, expect, test } from 'vitest'
import { shareMoneyWorld } from '../../../testing/money-world.ts'
import { PASSWORD, type Person } from '../../../testing/world.ts'
import { checkLedger } from '../ledger/check-ledger.ts'
import { grantGoodwill } from './grant-goodwill.ts'

const newWorld = shareMoneyWorld()

async function openDeal() {
  const world = await newWorld()
  const [admin, other] = [await world.signUp('Root', 'admin'), await world.signUp('Root', 'admin')]
  const { paymentId } = await world.payIntoEscrow()
  const give = (to: string, amount: number, by = admin) =>
    by.call('POST /api/admin/goodwill', { paymentId, to, amount, reason: 'The parcel was late' })
  return { world, admin, other, paymentId, give }
}

const titlesOf = async (person: Person): Promise<string[]> =>
  (await person.call('GET /api/notifications')).json().map(({ title }: { title: string }) => title)

const codeOf = (reply: { statusCode: number; json(): { code?: string } }) => [
  reply.statusCode,
  reply.json().code,
]

describe('a goodwill payment up to 100.00', () => {
  test('is owed immediately, and paid by an admin once', async () => {
    const { world, admin, other, paymentId, give } = await openDeal()
    const given = await give('buyer', 10_000)
    expect([given.statusCode, given.json().status]).toEqual([201, 'done'])
    expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(10_000)
    expect(await world.balanceOf('platform:goodwill', paymentId)).toBe(-10_000)
    await world.expectBooksRight()
    expect(await titlesOf(world.ada)).toContain('You will get $100.00 for “Lamp”')

    const { id } = given.json()
    const pay = (by = other) => by.call(`POST /api/admin/goodwill/${id}/paid`, { reference: 'wire 7' })
    expect(codeOf(await pay(admin))).toEqual([409, 'second_admin_required'])
    const replies = await Promise.all([pay(), pay(), pay()])
    expect(replies.map(codeOf).sort()).toEqual([
      [200, undefined],
      [409, 'goodwill_not_owed'],
      [409, 'goodwill_not_owed'],
    ])
    expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(0)
    await world.expectBooksRight()
    expect(await titlesOf(world.ada)).toContain('We paid you $100.00 for “Lamp”')
  })

  test('for the seller is on their statement, and not on the buyer’s receipt', async () => {
    const { world, other, paymentId, give } = await openDeal()
    const { id } = (await give('seller', 2_500)).json()
    await give('buyer', 1_000)
    await other.call(`POST /api/admin/goodwill/${id}/paid`, { reference: 'wire 8' })
    const month = world.services.clock().toISOString().slice(0, 7)
    const [account] = (await world.bob.call(`GET /api/seller/statements/${month}`)).json().accounts
    const lines = account.lines.map(({ kind, amount, refund, payout, payoutMethod, balance }: never) => ({
      kind,
      amount,
      refund,
      payout,
      payoutMethod,
      balance,
    }))
    expect(lines).toEqual([
      { kind: 'goodwill', amount: 2_500, refund: 0, payout: 0, payoutMethod: null, balance: 2_500 },
      { kind: 'goodwill_paid', amount: 0, refund: 0, payout: 2_500, payoutMethod: 'manual', balance: -2_500 },
    ])
    expect(account.closing).toBe(0)
    const receipt = (await world.ada.call(`GET /api/payments/${paymentId}/receipt`)).json()
    expect([receipt.returned, receipt.total]).toEqual([0, 12_000])
  })

  test('is in the data export of its recipient, unless it still waits for approval', async () => {
    const { world, paymentId, give } = await openDeal()
    await give('buyer', 1_000)
    await give('buyer', 20_000)
    const dataOf = async (person: Person) => (await person.call('GET /api/user/data')).json().goodwillReceived
    expect(await dataOf(world.ada)).toMatchObject([{ paymentId, amountCents: 1_000, paidAt: null }])
    expect(await dataOf(world.bob)).toEqual([])
  })

  test('prevents the recipient from deleting their account until it is paid', async () => {
    const { world, other, paymentId, give } = await openDeal()
    const { id } = (await give('buyer', 500)).json()
    await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
    const remove = () => world.ada.call('POST /api/user/delete-account', { password: PASSWORD })
    expect(codeOf(await remove())).toEqual([409, 'money_open'])
    await other.call(`POST /api/admin/goodwill/${id}/paid`, { reference: 'wire 9' })
    expect((await remove()).statusCode).toBe(200)
  })
})

describe('a goodwill payment above 100.00', () => {
  test('waits for another admin, and is booked once despite concurrent approvals', async () => {
    const { world, admin, other, paymentId, give } = await openDeal()
    const third = await world.signUp('Root', 'admin')
    const given = await give('seller', 10_001)
    expect(given.json()).toEqual({ id: given.json().id, status: 'waiting' })
    expect(await world.balanceOf('platform:goodwill', paymentId)).toBe(0)
    const { id } = given.json()
    const approve = (by: Person) => by.call(`POST /api/admin/goodwill/${id}/approve`)
    expect(codeOf(await approve(admin))).toEqual([403, 'same_admin'])
    expect(codeOf(await admin.call(`POST /api/admin/goodwill/${id}/paid`, { reference: 'x' }))).toEqual([
      409,
      'goodwill_not_owed',
    ])
    const replies = await Promise.all([approve(other), approve(third), approve(other)])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409])
    expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(10_001)
    expect(await world.balanceOf('platform:goodwill', paymentId)).toBe(-10_001)
    await world.expectBooksRight()
    const pay = (by: Person) => by.call(`POST /api/admin/goodwill/${id}/paid`, { reference: 'wire 7' })
    expect(codeOf(await pay(admin))).toEqual([409, 'second_admin_required'])
    expect((await pay(other)).statusCode).toBe(200)
    await world.expectBooksRight()
  })

  test('can be rejected with a note, and is then never owed', async () => {
    const { world, other, paymentId, give } = await openDeal()
    const { id } = (await give('buyer', 20_000)).json()
    const decide = (what: string) =>
      other.call(`POST /api/admin/goodwill/${id}/${what}`, { note: 'Too much' })
    const replies = await Promise.all([decide('reject'), decide('reject')])
    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    expect(codeOf(await decide('approve'))).toEqual([409, 'goodwill_decided'])
    expect(await world.balanceOf('platform:goodwill', paymentId)).toBe(0)
    const closed = (await other.call('GET /api/admin/goodwill?status=closed')).json()
    expect(closed[0]).toMatchObject({ id, status: 'rejected', note: 'Too much', paidAt: null })
  })
})

test('waiting goodwill payments are listed first, in pages', async () => {
  const { other, give } = await openDeal()
  const waiting = (await give('buyer', 15_000)).json().id
  const done = (await give('buyer', 100)).json().id
  const first = await other.call('GET /api/admin/goodwill?limit=1')
  expect(first.json()).toMatchObject([{ id: waiting, to: 'buyer', amount: 15_000, status: 'waiting' }])
  const unpaid = (await other.call('GET /api/admin/goodwill?status=unpaid&limit=1')).json()
  expect(unpaid).toMatchObject([{ id: done, status: 'done', paidAt: null }])
  const [, path] = String(first.headers.link).match(/<(.+)>/) ?? []
  const second = (await other.call(`GET ${path}`)).json()
  expect(second[0].id).not.toBe(waiting)
})

test('goodwill is refused for unpaid deals, parties of the deal, deleted recipients and impossible amounts', async () => {
  const { world, admin, paymentId, give } = await openDeal()
  const pending = (await world.start(await world.agree())).paymentId
  const body = { paymentId: pending, to: 'buyer', amount: 100, reason: 'Sorry' }
  expect(codeOf(await admin.call('POST /api/admin/goodwill', body))).toEqual([409, 'goodwill_not_possible'])
  expect(codeOf(await admin.call('POST /api/admin/goodwill', { ...body, paymentId: 999_999 }))).toEqual([
    404,
    'payment_not_found',
  ])
  for (const amount of [0, -5, 1.5, 1_000_001, '100'])
    expect(codeOf(await give('buyer', amount as number))).toEqual([422, 'invalid'])
  await world.appoint(world.ada)
  expect(codeOf(await give('buyer', 100, world.ada))).toEqual([403, 'not_impartial'])
  await world.sql.query('update users set deleted_at = now() where id = $1', [world.bob.id])
  expect(codeOf(await give('seller', 100))).toEqual([409, 'recipient_deleted'])
  expect(await world.balanceOf('platform:goodwill', paymentId)).toBe(0)
})

test('goodwill payments are decided and paid by admins who are not a party of the deal', async () => {
  const { world, other, give } = await openDeal()
  const steps = [
    ['approve', {}],
    ['reject', { note: 'Too much' }],
    ['paid', { reference: 'wire 10' }],
  ] as const
  const waiting = (await give('buyer', 20_000)).json().id
  for (const party of [world.ada, world.bob]) {
    await world.appoint(party)
    for (const [step, body] of steps) {
      const reply = await party.call(`POST /api/admin/goodwill/${waiting}/${step}`, body)
      expect([step, ...codeOf(reply)]).toEqual([step, 403, 'not_impartial'])
    }
  }
  for (const [step, body] of steps) {
    const reply = await other.call(`POST /api/admin/goodwill/999999/${step}`, body)
    expect([step, ...codeOf(reply)]).toEqual([step, 404, 'goodwill_not_found'])
  }
})

test('the finance role can pay goodwill, but not grant it', async () => {
  const { world, give } = await openDeal()
  const finance = await world.signUp('Root', 'finance')
  expect((await give('buyer', 100, finance)).statusCode).toBe(403)
  const { id } = (await give('buyer', 100)).json()
  const paid = await finance.call(`POST /api/admin/goodwill/${id}/paid`, { reference: 'wire 10' })
  expect(paid.json()).toMatchObject({ id, paidReference: 'wire 10' })
})

test('database constraints refuse goodwill twice for an appeal, and an approval by the same admin', async () => {
  const { world, admin, paymentId, give } = await openDeal()
  const { ada, bob, sql, services } = world
  const { rows } = await sql.query(
    `with filed as (
       insert into dispute_cases (payment_id, opened_by, opened_at, ended_at, ending, ruled_by)
       values ($1, 'buyer', now(), now(), 'ruled', $2) returning id
     )
     insert into dispute_appeals (case_id, payment_id, appellant_id, reason)
     select id, $1, $3, 'It is blue' from filed returning id`,
    [paymentId, admin.id, ada.id],
  )
  const grant = () =>
    services.database.transact((tx) =>
      grantGoodwill(tx, {
        payment: { id: paymentId, buyerId: ada.id, sellerId: bob.id, currency: 'usd' },
        recipient: 'buyer',
        amountCents: 700,
        reason: 'Overturned',
        requestedBy: admin.id,
        appealId: rows[0].id,
      }),
    )
  expect(await grant()).toMatchObject({ status: 'done' })
  await expect(grant()).rejects.toThrow()
  expect(await world.balanceOf('platform:goodwill', paymentId)).toBe(-700)
  const { id } = (await give('buyer', 20_000)).json()
  const decide = 'update goodwill_payments set decided_by = requested_by, decided_at = now() where id = $1'
  await expect(sql.query(decide, [id])).rejects.toThrow('goodwill_payments_two_people')
})

describe('one admin alone', () => {
  test('cannot give 20 × 100.00 for a deal of 24.00, also not at once', { tags: ['proof'] }, async () => {
    const world = await newWorld()
    const admin = await world.signUp('Root', 'admin')
    const { paymentId } = await world.payIntoEscrow(2_400)
    const body = { paymentId, to: 'buyer', amount: 10_000, reason: 'The parcel was late' }
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => admin.call('POST /api/admin/goodwill', body)),
    )
    const given = replies.map((reply) => reply.json())
    expect(given.map(({ status }) => status).sort()).toEqual(['done', ...Array(19).fill('waiting')])
    for (const { id, status } of given) {
      const paid = await admin.call(`POST /api/admin/goodwill/${id}/paid`, { reference: 'wire 11' })
      const code = status === 'done' ? 'second_admin_required' : 'goodwill_not_owed'
      expect(codeOf(paid)).toEqual([409, code])
    }
    expect(await world.balanceOf('platform:goodwill', paymentId)).toBe(-10_000)
    await world.expectBooksRight()
  })

  test('gives up to the limit within 30 days: for a deal, to a person, and in total', async () => {
    const { world, admin, other, paymentId, give } = await openDeal()
    const third = await world.signUp('Root', 'admin')
    const { paymentId: another } = await world.payIntoEscrow()
    const { paymentId: ofOthers } = await (await newWorld()).payIntoEscrow()
    const statusOf = async (by: Person, deal: number, to: string, amount: number) => {
      const body = { paymentId: deal, to, amount, reason: 'Sorry' }
      return (await by.call('POST /api/admin/goodwill', body)).json().status
    }
    expect((await give('buyer', 6_000)).json().status).toBe('done')
    // The same deal, the same person and the same admin, each with other values for the rest.
    expect(await statusOf(other, paymentId, 'seller', 4_001)).toBe('waiting')
    expect(await statusOf(other, another, 'buyer', 4_001)).toBe('waiting')
    expect(await statusOf(admin, ofOthers, 'seller', 4_001)).toBe('waiting')
    expect(await statusOf(other, ofOthers, 'seller', 4_001)).toBe('done')
    expect(await statusOf(third, paymentId, 'seller', 4_000)).toBe('done')
    await world.sql.query("update goodwill_payments set created_at = now() - interval '31 days'")
    expect(await statusOf(admin, paymentId, 'buyer', 10_000)).toBe('done')
    await world.expectBooksRight()
  })

  test('cannot raise the limit first', async () => {
    const { world, admin, other, paymentId, give } = await openDeal()
    const raise = (by: Person, goodwillApprovalCents: number) =>
      by.call('PATCH /api/admin/settings', { goodwillApprovalCents })
    for (const cents of [10_001, 1_000_000, 1_000_000])
      expect(codeOf(await raise(admin, cents))).toEqual([409, 'second_admin_required'])
    expect(codeOf(await raise(other, 1_000_001))).toEqual([422, 'invalid'])
    const { id, status } = (await give('buyer', 1_000_000)).json()
    expect(status).toBe('waiting')
    const paid = await admin.call(`POST /api/admin/goodwill/${id}/paid`, { reference: 'wire 12' })
    expect(codeOf(paid)).toEqual([409, 'goodwill_not_owed'])
    expect(await world.balanceOf('platform:goodwill', paymentId)).toBe(0)
    await raise(admin, 10_000)
  })
})

test('a deal gets at most 10,000.00 of goodwill, also from two admins', async () => {
  const { world, other, paymentId, give } = await openDeal()
  const { id } = (await give('buyer', 999_900)).json()
  const tooMuch = await give('seller', 101)
  expect([...codeOf(tooMuch), tooMuch.json().issues[0].path]).toEqual([422, 'invalid', 'amount'])
  await other.call(`POST /api/admin/goodwill/${id}/approve`)
  expect((await give('seller', 101)).statusCode).toBe(422)
  expect((await give('seller', 100)).statusCode).toBe(201)
  const insert = `insert into goodwill_payments (payment_id, recipient, recipient_id, amount_cents, reason, status, requested_by)
    values ($1, 'seller', $2, 1, 'Sorry', 'waiting', $3)`
  await expect(world.sql.query(insert, [paymentId, world.bob.id, other.id])).rejects.toThrow(
    'too much goodwill',
  )
})

test('a retry with the same client id grants once', async () => {
  const { world, admin, paymentId } = await openDeal()
  const body = { paymentId, to: 'buyer', amount: 700, reason: 'Sorry', clientId: 'one-and-only' }
  const give = (changes: object = {}) => admin.call('POST /api/admin/goodwill', { ...body, ...changes })
  const replies = await Promise.all([give(), give(), give()])
  const [first] = replies.map((reply) => reply.json())
  expect(first).toEqual({ id: expect.any(Number), status: 'done' })
  expect(replies.map((reply) => [reply.statusCode, reply.json()])).toEqual(Array(3).fill([201, first]))
  expect(await world.balanceOf(`buyer:${world.ada.id}`)).toBe(700)
  const changed = await give({ amount: 701 })
  expect([...codeOf(changed), changed.json().issues[0].path]).toEqual([422, 'invalid', 'clientId'])
  expect((await give({ clientId: 'another-one' })).json().id).not.toBe(first.id)
  await world.expectBooksRight()
})

test('the database refuses that the same person grants goodwill and pays it, and a client id twice', async () => {
  const { world, admin, give } = await openDeal()
  const { id } = (await give('buyer', 700)).json()
  await give('buyer', 700)
  const mark = 'update goodwill_payments set client_id = $2 where requested_by = $1'
  await expect(world.sql.query(mark, [admin.id, 'same'])).rejects.toThrow('goodwill_payments_client_unique')
  const pay = "update goodwill_payments set paid_at = now(), paid_reference = 'x', paid_by = $2 where id = $1"
  await expect(world.sql.query(pay, [id, admin.id])).rejects.toThrow('goodwill_payments_paid_by_another')
})

test('the ledger check finds goodwill that is granted but not booked', async () => {
  const { world, admin, paymentId } = await openDeal()
  await world.sql.query(
    `insert into goodwill_payments (payment_id, recipient, recipient_id, amount_cents, reason, status, requested_by)
     values ($1, 'buyer', $2, 700, 'Sorry', 'done', $3)`,
    [paymentId, world.ada.id, admin.id],
  )
  const { problems } = await checkLedger(world.services.database.read, null)
  expect(problems.join('\n')).toContain(`payment ${paymentId} has 0 of goodwill booked and 700 granted`)
})
