import { expect, test, vi } from 'vitest'
import { openChargeback, payoutOf } from '../../../testing/chargebacks.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'

const bank = {
  account_holder_name: 'Bob Tester',
  country: 'US',
  routing_number: '021000021',
  account_number: '000123456789',
}

const open = shareMoneyWorld()

/** Bob has only bank details and is owed 112.62. */
async function openPayout() {
  const world = await open()
  const admin = await world.signUp('Root', 'admin')
  await world.bob.call('POST /api/seller/save-bank-account', bank)
  const { paymentId } = await world.payIntoEscrow()
  await world.ada.call(`POST /api/payments/${paymentId}/confirm-delivery`)
  await world.runJobs()
  const { rows } = await world.sql.query('select id from payouts where payment_id = $1', [paymentId])
  const act = async (what: string) => {
    const reply = await admin.call(`POST /api/admin/payouts/${rows[0].id}/${what}`, { reference: 'run 7' })
    return [reply.statusCode, reply.json().code]
  }
  return { world, paymentId, act }
}

/** Opens a chargeback whose events do not arrive before `act` has run. */
async function withSilentChargeback<Result>(
  world: MoneyWorld,
  paymentId: number,
  act: () => Promise<Result>,
): Promise<Result> {
  const { cards } = world.services
  if (!cards) throw new Error('no provider')
  const ignored = vi.spyOn(cards, 'readEvent').mockReturnValue(null)
  await openChargeback(world, paymentId)
  const result = await act()
  ignored.mockRestore()
  return result
}

test.each([
  ['won', 'owed'],
  ['lost', 'cancelled'],
] as const)(
  'a payout undone while a bank decides is kept back; if it is %s, it is %s',
  async (end, after) => {
    const { world, paymentId, act } = await openPayout()
    expect(await act('paid')).toEqual([200, undefined])
    const chargeback = await openChargeback(world, paymentId)
    await eventually(async () => {
      const { rows } = await world.sql.query('select bank_decides from payments where id = $1', [paymentId])
      expect(rows).toEqual([{ bank_decides: true }])
    })
    expect(await act('undo')).toEqual([200, undefined])
    expect((await payoutOf(world, paymentId)).status).toBe('frozen')
    expect(await act('bank-details')).toEqual([409, 'bank_decides'])
    expect(await act('paid')).toEqual([409, 'bank_decides'])
    await world.expectBooksRight()

    await world.press(`/sandbox/disputes/${chargeback}/${end}`)
    await eventually(async () => expect((await payoutOf(world, paymentId)).status).toBe(after))
    expect(await world.balanceOf(`seller:${world.bob.id}`)).toBe(end === 'won' ? 11_262 : 0)
    await world.expectBooksRight()
  },
)

test('the provider is asked before a bank account is looked up, and before a payout is marked as paid', async () => {
  const first = await openPayout()
  const lookUp = () => first.act('bank-details')
  expect(await withSilentChargeback(first.world, first.paymentId, lookUp)).toEqual([409, 'bank_decides'])

  const { world, paymentId, act } = await openPayout()
  expect(await act('bank-details')).toEqual([200, undefined])
  expect(await withSilentChargeback(world, paymentId, () => act('paid'))).toEqual([409, 'bank_decides'])
  expect((await payoutOf(world, paymentId)).status).toBe('frozen')
  await world.expectBooksRight()
})
