import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type MoneyWorld, openMoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import type { Person } from '../../../testing/world.ts'
import { makeExport } from './make-export.ts'

const yearOf = ({ services }: MoneyWorld) => services.clock().getUTCFullYear()

async function create(world: MoneyWorld, admin: Person, kind: string, year = yearOf(world)): Promise<number> {
  const reply = await admin.call('POST /api/admin/exports', { kind, year })
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json().id
}

const stateOf = async (admin: Person, id: number) => (await admin.call(`GET /api/admin/exports/${id}`)).json()

/** One object per row, by column. The cells of these files contain no quotes. */
function parse(csv: string): Record<string, string>[] {
  const [columns = [], ...rows] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'))
  return rows.map((cells) => Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])))
}

async function download(world: MoneyWorld, admin: Person, kind: string) {
  const id = await create(world, admin, kind)
  await world.runJobs()
  const { status, progress, url } = await stateOf(admin, id)
  expect([status, progress]).toEqual(['done', 100])
  const file = await admin.call(`GET ${url}`)
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(file.headers['content-disposition']).toContain(`attachment; filename="${kind}-${yearOf(world)}.csv"`)
  return parse(file.body)
}

const cents = (amount: string | undefined) => Math.round(Number(amount) * 100)
const sumOf = (rows: Record<string, string>[], column: string) =>
  rows.reduce((sum, row) => sum + cents(row[column]), 0)

/** Creates a released deal, a refunded deal, a deal in escrow, and goodwill for both parties. */
async function trade(world: MoneyWorld, admin: Person) {
  await world.connectBob()
  const released = (await world.payIntoEscrow(12_000)).paymentId
  await world.ada.call(`POST /api/payments/${released}/confirm-delivery`)
  const refunded = (await world.payIntoEscrow(5_000)).paymentId
  await world.ada.call('POST /api/initiate-dispute', { paymentId: refunded, reason: 'It is blue' })
  await admin.call(`POST /api/admin/disputes/${refunded}/resolve`, {
    action: 'refund_partial',
    refundAmount: 1_000,
  })
  const held = (await world.payIntoEscrow(700)).paymentId
  await admin.call('POST /api/admin/goodwill', {
    paymentId: held,
    to: 'seller',
    amount: 900,
    reason: 'Sorry',
  })
  await world.runJobs()
  return { released, refunded, held }
}

describe('an export', () => {
  const newWorld = shareMoneyWorld()
  let market: MoneyWorld
  let admin: Person
  let deals: Awaited<ReturnType<typeof trade>>

  beforeAll(async () => {
    market = await newWorld()
    admin = await market.signUp('Root', 'admin')
    deals = await trade(market, admin)
  })

  test('of payments and fees agrees with the ledger to the cent', async () => {
    const world = market
    const ids = Object.values(deals)
    const rows = (await download(world, admin, 'payments')).filter((row) => ids.includes(Number(row.Payment)))
    expect(rows).toHaveLength(3)
    const booked = async (account: string) => {
      const sums = await Promise.all(ids.map((id) => world.balanceOf(account, id)))
      return sums.reduce((sum, it) => sum + it, 0)
    }
    expect(sumOf(rows, 'Amount')).toBe(17_700)
    expect(sumOf(rows, 'Returned')).toBe(1_000)
    expect(sumOf(rows, 'In Escrow')).toBe(700)
    expect(sumOf(rows, 'Goodwill')).toBe(900)
    expect(sumOf(rows, 'Platform Fee')).toBe(await booked('fees:platform'))
    expect(sumOf(rows, 'Processing Fee')).toBe(await booked('fees:processing'))
    expect(sumOf(rows, 'Provider Fee')).toBe(-(await booked('fees:provider')))
    // 120.00 less 3.60 and 3.78, and 40.00 less 1.20 and 1.46.
    expect(sumOf(rows, 'Paid Out')).toBe(11_262 + 3_734)

    const fees = (await download(world, admin, 'fees')).filter((row) => ids.includes(Number(row.Payment)))
    const ofAccount = (account: string) => fees.filter((row) => row.Account === account)
    expect(sumOf(ofAccount('fees:platform'), 'Amount')).toBe(360 + 120)
    expect(sumOf(ofAccount('fees:processing'), 'Amount')).toBe(378 + 146)
    expect(sumOf(fees, 'Amount')).toBe(
      (await booked('fees:platform')) + (await booked('fees:processing')) + (await booked('fees:provider')),
    )
  })

  test('of payouts has a seller’s sales by quarter and month, and agrees with the ledger', async () => {
    const world = market
    await world.bob.call('POST /api/seller/save-bank-account', {
      account_holder_name: '=Bob',
      country: 'US',
      routing_number: '110000000',
      account_number: '000987654321',
      account_type: 'checking',
    })
    const rows = await download(world, admin, 'payouts')
    const [row] = rows.filter((it) => it['Seller ID'] === world.bob.id)
    const month = world.services.clock().getUTCMonth()
    const name = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][month]
    const quarter = `Q${Math.floor(month / 3) + 1}`
    expect(row).toMatchObject({
      'Account Holder': "'=Bob",
      'Account Last Four': '4321',
      Country: 'US',
      Currency: 'USD',
      Transactions: '2',
      'Gross Amount': '160.00',
      Fees: '10.04',
      'Refunds and Chargebacks': '0.00',
      Goodwill: '9.00',
      'Paid Out': '149.96',
      'Change of Balance': '9.00',
      [`${quarter} Transactions`]: '2',
      [`${quarter} Gross Amount`]: '160.00',
      [`${quarter} Fees`]: '10.04',
      [`${name} Gross Amount`]: '160.00',
    })
    expect(JSON.stringify(rows)).not.toContain('000987654321')
    expect(cents(row?.['Change of Balance'])).toBe(await world.balanceOf(`seller:${world.bob.id}`))
  })

  test('has every row exactly once, with any batch size', async () => {
    const world = market
    const other = await newWorld()
    const { paymentId: sold } = await other.given.heldPayment()
    await other.ada.call(`POST /api/payments/${sold}/confirm-delivery`)
    for (const kind of ['payments', 'fees', 'payouts']) {
      const expected = await download(world, admin, kind)
      expect(expected.length).toBeGreaterThan(1)
      const id = await create(world, admin, kind)
      await makeExport(world.services, id, undefined, { rows: 2, sellers: 1 })
      const { url } = await stateOf(admin, id)
      expect(parse((await admin.call(`GET ${url}`)).body)).toEqual(expected)
    }
  })

  test('of a year without payments has only its header, and the admin is notified', async () => {
    const world = await newWorld()
    const admin = await world.signUp('Root', 'admin')
    const id = await create(world, admin, 'payments', 2021)
    expect(await stateOf(admin, id)).toMatchObject({ status: 'running', progress: 0, url: null })
    expect((await admin.call(`GET /api/admin/exports/${id}/file`)).json().code).toBe('export_not_ready')
    await world.runJobs()
    const { url } = await stateOf(admin, id)
    expect((await admin.call(`GET ${url}`)).body).toMatch(/^"Payment","Transaction Number",.*\r\n$/)
    const notes = (await admin.call('GET /api/notifications')).json()
    expect(notes[0]).toMatchObject({ kind: 'export_ready', title: 'Your export is ready' })
    const { rows } = await world.sql.query(
      "select action from audit_log where actor_id = $1 and action like 'export%' order by id",
      [admin.id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['export_created', 'export_downloaded'])
    expect((await world.ada.call(`GET ${url}`)).statusCode).toBe(403)
    expect((await admin.call('GET /api/admin/exports?limit=1')).json()).toMatchObject([{ id, year: 2021 }])
  })

  test('that two workers create concurrently is saved and announced once', async () => {
    const world = await newWorld()
    const admin = await world.signUp('Root', 'admin')
    const id = await create(world, admin, 'fees')
    await Promise.all([makeExport(world.services, id), makeExport(world.services, id)])
    await world.runJobs()
    expect((await stateOf(admin, id)).status).toBe('done')
    const { rows } = await world.sql.query(
      `select (select count(*)::int from files where kind = 'export' and owner_id = $1) as files,
         (select count(*)::int from notifications where user_id = $1 and kind = 'export_ready') as notes`,
      [admin.id],
    )
    expect(rows).toEqual([{ files: 1, notes: 1 }])
  })

  test('that a stopped worker left unfinished is completed by the next one', async () => {
    const world = market
    const id = await create(world, admin, 'payments')
    await expect(makeExport(world.services, id, AbortSignal.abort())).rejects.toThrow()
    expect((await stateOf(admin, id)).status).toBe('running')
    await world.runJobs()
    expect((await stateOf(admin, id)).status).toBe('done')
  })
})

test('an export that loses its connection is retried and not marked as failed', async () => {
  const world = await openMoneyWorld()
  const admin = await world.signUp('Root', 'admin')
  const id = await create(world, admin, 'fees')
  const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  vi.spyOn(world.services.files, 'putStream').mockRejectedValueOnce(lost)
  await expect(makeExport(world.services, id)).rejects.toThrow(lost)
  expect((await stateOf(admin, id)).status).toBe('running')
  await world.runJobs()
  expect((await stateOf(admin, id)).status).toBe('done')
})

test('an export that does not exist or has no file yet cannot be downloaded', async () => {
  const world = await openMoneyWorld()
  const admin = await world.signUp('Root', 'admin')
  const answerOf = async (call: string) => {
    const reply = await admin.call(call)
    return [reply.statusCode, reply.json().code]
  }
  for (const call of ['GET …', 'POST …/retry', 'GET …/file'])
    expect([call, ...(await answerOf(call.replace('…', '/api/admin/exports/999999')))]).toEqual([
      call,
      404,
      'export_not_found',
    ])
  const id = await create(world, admin, 'fees')
  expect(await answerOf(`GET /api/admin/exports/${id}/file`)).toEqual([409, 'export_not_ready'])
})

test('an export that fails can be tried again, and is deleted after 30 days with its file', async () => {
  const world = await openMoneyWorld()
  const { services } = world
  const admin = await world.signUp('Root', 'admin')
  const id = await create(world, admin, 'fees')
  const put = vi.spyOn(services.files, 'putStream').mockRejectedValueOnce(new Error('the disk is full'))
  await world.runJobs()
  expect(await stateOf(admin, id)).toMatchObject({ status: 'failed', url: null })
  const retry = () => admin.call(`POST /api/admin/exports/${id}/retry`)
  expect((await retry()).json()).toMatchObject({ status: 'running', progress: 0 })
  expect((await retry()).json().code).toBe('export_not_failed')
  const retried = "select details from audit_log where action = 'export_retried'"
  expect((await world.sql.query(retried)).rows).toEqual([{ details: { exportId: id } }])
  await world.runJobs()
  expect((await stateOf(admin, id)).status).toBe('done')
  const name = (await put.mock.results[1]?.value)?.name
  expect(await services.files.has(name)).toBe(true)
  world.advanceClock(31 * 86_400_000)
  await world.runJobs('tidy-up')
  expect((await world.sql.query('select id from export_jobs')).rows).toEqual([])
  expect(await services.files.has(name)).toBe(false)
})
