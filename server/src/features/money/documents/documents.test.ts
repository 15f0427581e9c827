import { describe, expect, onTestFinished, test } from 'vitest'
import { changeSettings } from '../../../testing/change-settings.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'

const HOUR_MS = 3_600_000

const open = shareMoneyWorld()

const NUMBER = /^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/

const receiptOf = (world: MoneyWorld, paymentId: number, by = world.ada) =>
  by.call(`GET /api/payments/${paymentId}/receipt`)

const thisMonth = ({ services }: MoneyWorld) => services.clock().toISOString().slice(0, 7)

/** Moves the clock to the first moment of the next month. */
async function endMonth(world: MoneyWorld): Promise<void> {
  const now = world.services.clock()
  const nextMonthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
  // Sessions would expire within a long month.
  await world.sql.query(`update sessions set expire = expire + interval '1 month'`)
  world.advanceClock(nextMonthMs - now.getTime())
}

async function becomeAdmin(world: MoneyWorld) {
  const admin = await world.signUp('Root', 'admin')
  return admin
}

async function confirm({ ada }: MoneyWorld, paymentId: number): Promise<void> {
  const reply = await ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  expect(reply.statusCode, reply.body).toBe(200)
}

async function rule(world: MoneyWorld, paymentId: number, ruling: object): Promise<void> {
  await world.ada.call(`POST /api/payments/${paymentId}/dispute`, {})
  const admin = await becomeAdmin(world)
  const reply = await admin.call(`POST /api/admin/disputes/${paymentId}/resolve`, ruling)
  expect(reply.statusCode, reply.body).toBe(200)
}

describe('a receipt', () => {
  test('shows what was paid, by whom and for what, and later how the price was divided', async () => {
    const world = await open()
    const { paymentId } = await world.given.heldPayment()
    const reply = await receiptOf(world, paymentId)
    expect(reply.statusCode, reply.body).toBe(200)
    const receipt = reply.json()
    expect(receipt).toEqual({
      number: expect.stringMatching(/^R-\d{4}-\d{6}$/),
      issuedAt: expect.any(String),
      issuer: { name: 'Sought', url: 'http://localhost:3000' },
      paymentId,
      transactionNumber: expect.stringMatching(NUMBER),
      itemTitle: 'Lamp',
      itemDescription: 'Green',
      buyerName: 'Ada Tester',
      sellerName: 'Bob Tester',
      currency: 'usd',
      status: 'held_in_escrow',
      paidAt: expect.any(String),
      price: 12_000,
      returns: [],
      returned: 0,
      total: 12_000,
      release: null,
    })
    await confirm(world, paymentId)
    expect((await receiptOf(world, paymentId)).json()).toEqual({
      ...receipt,
      status: 'completed',
      release: { at: expect.any(String), platformFee: 360, processingFee: 378, toSeller: 11_262 },
    })
  })

  test('lists a partial refund once the provider has made it', async () => {
    const world = await open()
    const { paymentId } = await world.payIntoEscrow(12_000)
    await rule(world, paymentId, { action: 'refund_partial', refundAmount: 3_000 })
    expect((await receiptOf(world, paymentId)).json()).toMatchObject({ returned: 0, total: 12_000 })
    await world.runJobs()
    expect((await receiptOf(world, paymentId)).json()).toMatchObject({
      status: 'resolved_partial',
      returns: [{ kind: 'refund', amount: 3_000 }],
      returned: 3_000,
      total: 9_000,
      release: { platformFee: 270, processingFee: 291, toSeller: 8_439 },
    })
  })

  test('does not exist for an unpaid payment, and only its buyer can read it', async () => {
    const world = await open()
    const { paymentId: unpaid } = await world.given.checkout({
      buyer: world.ada,
      seller: world.bob,
    })
    const { paymentId } = await world.given.heldPayment()
    const missing = await receiptOf(world, 2_000_000_000)
    expect(missing.statusCode).toBe(404)
    const stranger = await world.signUp('Mallory')
    const refused = [
      await receiptOf(world, unpaid),
      await receiptOf(world, paymentId, world.bob),
      await receiptOf(world, paymentId, stranger),
      await stranger.call(`GET /api/payments/${paymentId}/receipt/export`),
    ]
    for (const reply of refused) {
      expect(reply.statusCode).toBe(404)
      expect(reply.json()).toEqual(missing.json())
    }
    const { rowCount } = await world.sql.query('select from documents where payment_id = any($1)', [
      [unpaid, paymentId],
    ])
    expect(rowCount).toBe(0)
  })

  test('keeps its number, amounts and dates when the seller deletes their account', async () => {
    const world = await open()
    const { paymentId } = await world.payIntoEscrow()
    await rule(world, paymentId, { action: 'refund_full' })
    await world.runJobs()
    const before = (await receiptOf(world, paymentId)).json()
    expect(before).toMatchObject({ returned: 12_000, total: 0, release: null })
    const deleted = await world.bob.call('POST /api/user/delete-account', { password: 'correct horse' })
    expect(deleted.statusCode, deleted.body).toBe(200)
    expect((await receiptOf(world, paymentId)).json()).toEqual({ ...before, sellerName: 'Deleted user' })
  })

  test('is downloaded as CSV, without cells that are formulas', async () => {
    const world = await open()
    const { paymentId } = await world.payIntoEscrow(12_000, { request: { title: '=1+1' } })
    await rule(world, paymentId, { action: 'refund_partial', refundAmount: 3_000 })
    await world.runJobs()
    const { number, paidAt, transactionNumber } = (await receiptOf(world, paymentId)).json()
    const reply = await world.ada.call(`GET /api/payments/${paymentId}/receipt/export`)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="receipt-${number}.csv"`,
      'cache-control': 'private, no-store',
    })
    const date = paidAt.slice(0, 10)
    const start = (type: string) =>
      `"${number}","${date}","${type}","${paymentId}","'=1+1","Bob Tester","USD",`
    expect(reply.body.split('\r\n')).toEqual([
      '"Receipt","Date","Type","Payment","Item","Seller","Currency","Amount","Refund","Platform Fee","Processing Fee","To Seller","Transaction Number"',
      `${start('payment')}"120.00","","","","","${transactionNumber}"`,
      `${start('refund')}"","30.00","","","","${transactionNumber}"`,
      `${start('release')}"","","2.70","2.91","84.39","${transactionNumber}"`,
      '',
    ])
  })
})

describe('document numbers', () => {
  const lastSequence = async ({ sql }: MoneyWorld): Promise<number> => {
    const series = `R-${new Date().getUTCFullYear()}`
    const { rows } = await sql.query(
      'select coalesce(max(sequence), 0)::int as last from documents where series = $1',
      [series],
    )
    return rows[0].last
  }

  test('concurrent first requests get the same number, and numbers have no gaps', {
    tags: ['proof'],
  }, async () => {
    const world = await open()
    const last = await lastSequence(world)
    const payments = [
      (await world.given.heldPayment()).paymentId,
      (await world.given.heldPayment()).paymentId,
      (await world.given.heldPayment()).paymentId,
    ]
    const replies = await Promise.all(
      payments.flatMap((paymentId) => Array.from({ length: 6 }, () => receiptOf(world, paymentId))),
    )
    const numbers = Map.groupBy(
      replies.map((reply) => reply.json()),
      ({ paymentId }) => paymentId,
    )
    for (const receipts of numbers.values()) {
      expect(new Set(receipts.map(({ number }) => number)).size).toBe(1)
    }
    const year = new Date().getUTCFullYear()
    expect(new Set(replies.map((reply) => reply.json().number))).toEqual(
      new Set([1, 2, 3].map((step) => `R-${year}-${String(last + step).padStart(6, '0')}`)),
    )
  })

  test('a number is used again if its transaction failed', async () => {
    const world = await open()
    const last = await lastSequence(world)
    const { paymentId } = await world.given.heldPayment()
    const { issueDocument } = await import('./numbers.ts')
    const rolledBack = world.services.database.transact(async (tx) => {
      await issueDocument(tx, { paymentId })
      throw new Error('rolled back')
    })
    await expect(rolledBack).rejects.toThrow('rolled back')
    const { number } = (await receiptOf(world, paymentId)).json()
    expect(Number(number.split('-').at(-1))).toBe(last + 1)
  })

  test.each([
    ['a gap', `insert into documents (series, sequence, payment_id) values ('R-1999', 2, $1)`],
    ['a number below 1', `insert into documents (series, sequence, payment_id) values ('R-1999', 0, $1)`],
    [
      'a second number of a receipt',
      `insert into documents (series, sequence, payment_id) values ('R-1999', 1, $1), ('R-1999', 2, $1)`,
    ],
    [
      'a second number of a statement',
      `insert into documents (series, sequence, seller_id, month)
         select 'S-1999-01', sequence, seller_id, '1999-01' from payments, generate_series(1, 2) sequence
         where id = $1`,
    ],
    [
      'the same number twice',
      `insert into documents (series, sequence, seller_id, month)
         select 'S-1999-01', 1, party, '1999-01'
         from payments, lateral unnest(array[buyer_id, seller_id]) party where id = $1`,
    ],
    [
      'a series of another kind',
      `insert into documents (series, sequence, payment_id) values ('S-2026-10', 1, $1)`,
    ],
    ['no subject', `insert into documents (series, sequence) select 'S-2026-10', 1 where $1 > 0`],
    ['a change', `update documents set sequence = 9 where payment_id = $1`],
    ['a deletion', `delete from documents where payment_id = $1`],
  ])('the database refuses %s', async (_, statement) => {
    const world = await open()
    const { paymentId } = await world.given.heldPayment()
    await expect(world.sql.query(statement, [paymentId])).rejects.toThrow(/gap|documents/)
  })
})

describe('a statement', () => {
  /** A world whose clock the tests move to another month. */
  const openLater = shareMoneyWorld()

  test('is a draft during its month, and gets a permanent number once the month is over', async () => {
    const world = await openLater()
    const { paymentId } = await world.given.heldPayment()
    expect((await world.bob.call('GET /api/seller/statements')).json()).toEqual([])
    await confirm(world, paymentId)
    const month = thisMonth(world)
    expect((await world.bob.call('GET /api/seller/statements')).json()).toEqual([{ month, draft: true }])
    const draft = (await world.bob.call(`GET /api/seller/statements/${month}`)).json()
    const amounts = {
      amount: 12_000,
      refund: 0,
      platformFee: 360,
      processingFee: 378,
      payout: 0,
      balance: 11_262,
    }
    const sale = { kind: 'sale', paymentId, transactionNumber: expect.stringMatching(NUMBER) }
    const line = { ...sale, itemTitle: 'Lamp', buyerName: 'Ada Tester', payoutMethod: null }
    expect(draft).toEqual({
      month,
      number: null,
      issuedAt: null,
      issuer: { name: 'Sought', url: 'http://localhost:3000' },
      sellerName: 'Bob Tester',
      accounts: [
        {
          currency: 'usd',
          opening: 0,
          lines: [{ ...line, ...amounts, id: expect.any(Number), at: expect.any(String) }],
          totals: amounts,
          closing: 11_262,
        },
      ],
    })
    await endMonth(world)
    expect((await world.bob.call('GET /api/seller/statements')).json()).toEqual([{ month, draft: true }])
    world.advanceClock(HOUR_MS)
    expect((await world.bob.call('GET /api/seller/statements')).json()).toEqual([{ month, draft: false }])
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => world.bob.call(`GET /api/seller/statements/${month}`)),
    )
    for (const reply of replies) {
      expect(reply.json()).toEqual({
        ...draft,
        number: `S-${month}-000001`,
        issuedAt: expect.any(String),
      })
    }
  })

  test('carries the amount owed over to the next month, and agrees with the ledger', async () => {
    const world = await openLater()
    const [first, second] = [await world.payIntoEscrow(12_000), await world.payIntoEscrow(9_999)]
    await confirm(world, first.paymentId)
    await rule(world, second.paymentId, { action: 'split_difference' })
    const earlier = thisMonth(world)
    await endMonth(world)
    world.advanceClock(HOUR_MS)
    await world.connectBob()
    await world.runJobs('retry-payouts')
    const later = thisMonth(world)
    const statementOf = async (month: string) =>
      (await world.bob.call(`GET /api/seller/statements/${month}`)).json().accounts[0]
    expect(await statementOf(earlier)).toMatchObject({
      opening: 0,
      lines: [{ kind: 'sale' }, { kind: 'dispute_ruling', amount: 9_999, refund: 5_000 }],
      totals: { amount: 21_999, refund: 5_000, platformFee: 510, processingFee: 553, payout: 0 },
      closing: 15_936,
    })
    expect(await statementOf(later)).toMatchObject({
      opening: 15_936,
      lines: [
        { kind: 'payout', payoutMethod: 'transfer' },
        { kind: 'payout', payoutMethod: 'transfer' },
      ],
      totals: { amount: 0, payout: 15_936, balance: -15_936 },
      closing: 0,
    })
    expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(0)
    const csv = await world.bob.call(`GET /api/seller/statements/${earlier}/export`)
    expect(csv.headers['content-disposition']).toBe(
      `attachment; filename="statement-S-${earlier}-000001.csv"`,
    )
    const rows = csv.body.split('\r\n')
    expect(rows[0]).toBe(
      '"Statement","Date","Type","Payment","Item","Buyer","Currency","Amount","Refund","Platform Fee","Processing Fee","Payout","Payout Method","Balance","Transaction Number"',
    )
    expect(rows[2]).toMatch(
      /"sale",.*"Lamp","Ada Tester","USD","120.00","","3.60","3.78","","","112.62","[-0-9A-Z]{14}"$/,
    )
    expect(rows[4]).toMatch(/"closing_balance".*"159.36",""$/)
  })

  test('lists a fully refunded sale, from which the seller gets nothing', async () => {
    const world = await open()
    const { paymentId } = await world.given.heldPayment()
    await rule(world, paymentId, { action: 'refund_full' })
    const [{ month }] = (await world.bob.call('GET /api/seller/statements')).json()
    const { accounts } = (await world.bob.call(`GET /api/seller/statements/${month}`)).json()
    expect(accounts).toMatchObject([
      { lines: [{ kind: 'dispute_ruling', amount: 12_000, refund: 12_000, balance: 0 }], closing: 0 },
    ])
  })

  test('adds up after a refund in the dashboard and a chargeback that reversed a payout', {
    tags: ['proof'],
  }, async () => {
    const world = await open()
    await world.connectBob()
    const { paymentId } = await world.payIntoEscrow(12_000)
    const intent = (await world.ada.call(`GET /api/payments/${paymentId}`)).json().stripePaymentIntentId
    const returnsOf = async () => (await receiptOf(world, paymentId)).json().returns
    await world.stripe('POST', '/v1/refunds', { payment_intent: intent, amount: '2000' })
    await eventually(async () => expect(await returnsOf()).toMatchObject([{ kind: 'refund', amount: 2_000 }]))
    await confirm(world, paymentId)
    await world.runJobs()
    await world.press(`/sandbox/payments/${intent}/dispute`)
    await eventually(async () =>
      expect(await returnsOf()).toMatchObject([{ kind: 'refund' }, { kind: 'chargeback', amount: 10_000 }]),
    )
    const month = thisMonth(world)
    await eventually(async () => {
      await world.runJobs()
      const [account] = (await world.bob.call(`GET /api/seller/statements/${month}`)).json().accounts
      expect(account).toMatchObject({
        lines: [
          { kind: 'refund', amount: 2_000, refund: 2_000, balance: 0 },
          { kind: 'sale', amount: 10_000, platformFee: 300, processingFee: 320, balance: 9_380 },
          { kind: 'payout', payout: 9_380, balance: -9_380 },
          { kind: 'chargeback', refund: 9_380, payout: -9_380, balance: 0 },
        ],
        totals: { amount: 12_000, refund: 11_380, payout: 0 },
        closing: await world.balanceOf(`seller:${world.bob.id}`),
      })
    })
    expect((await receiptOf(world, paymentId)).json()).toMatchObject({ returned: 12_000, total: 0 })
  })

  test('has separate sums for each currency', async () => {
    const world = await open()
    const inDollars = await world.payIntoEscrow(12_000)
    await confirm(world, inDollars.paymentId)
    onTestFinished(() => changeSettings(world.services, { currencies: ['usd'] }))
    await changeSettings(world.services, { currencies: ['myr', 'usd'] })
    const inRinggit = await world.payIntoEscrow(5_000)
    await confirm(world, inRinggit.paymentId)
    expect((await receiptOf(world, inDollars.paymentId)).json()).toMatchObject({ currency: 'usd' })
    expect((await receiptOf(world, inRinggit.paymentId)).json()).toMatchObject({ currency: 'myr' })
    const { accounts } = (await world.bob.call(`GET /api/seller/statements/${thisMonth(world)}`)).json()
    expect(accounts).toMatchObject([
      { currency: 'myr', totals: { amount: 5_000, balance: 4_675 }, closing: 4_675 },
      { currency: 'usd', totals: { amount: 12_000, balance: 11_262 }, closing: 11_262 },
    ])
  })

  test('does not exist for a month without sales, and lists only the seller’s own sales', async () => {
    const world = await open()
    const { paymentId } = await world.given.heldPayment()
    await confirm(world, paymentId)
    const month = thisMonth(world)
    for (const reply of [
      await world.ada.call(`GET /api/seller/statements/${month}`),
      await world.ada.call(`GET /api/seller/statements/${month}/export`),
      await world.bob.call('GET /api/seller/statements/2019-01'),
    ]) {
      expect(reply.statusCode).toBe(404)
      expect(reply.json()).toMatchObject({ code: 'statement_not_found' })
    }
    expect((await world.ada.call('GET /api/seller/statements')).json()).toEqual([])
    expect((await world.bob.call('GET /api/seller/statements/2026-13')).statusCode).toBe(422)
  })

  test('is part of the personal data once it is issued, like receipts', async () => {
    const world = await openLater()
    const { paymentId } = await world.given.heldPayment()
    await confirm(world, paymentId)
    const month = thisMonth(world)
    const nothing = (await world.bob.call('GET /api/user/data')).json()
    expect(nothing).toMatchObject({ receipts: [], statements: [] })
    await endMonth(world)
    world.advanceClock(HOUR_MS)
    const statement = (await world.bob.call(`GET /api/seller/statements/${month}`)).json()
    const receipt = (await receiptOf(world, paymentId)).json()
    expect(await dataOf(world.bob)).toMatchObject({ receipts: [], statements: [statement] })
    expect(await dataOf(world.ada)).toMatchObject({ receipts: [receipt], statements: [] })
  })
})

const dataOf = async ({ call }: MoneyWorld['ada']) => (await call('GET /api/user/data')).json()
