import { expect, test } from 'vitest'
import { ADAS_ADDRESS } from '../../../market-builder/given.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, shareMoneyWorld } from '../../../testing/money-world.ts'
import { PASSWORD } from '../../../testing/world.ts'

const open = shareMoneyWorld()

const SHIPPING = { delivery: 'shipping', shipWithinDays: 4 } as const

/** What the provider knows about an object. */
async function readObject({ sql }: MoneyWorld, id: string | null) {
  const { rows } = await sql.query('select body from sandbox.objects where id = $1', [id])
  return rows[0]?.body
}

const intentOf = async (world: MoneyWorld, paymentId: number) => {
  const { rows } = await world.sql.query(
    'select stripe_payment_intent_id as id from payments where id = $1',
    [paymentId],
  )
  return readObject(world, rows[0].id)
}

const customerOf = async ({ sql, ada }: MoneyWorld): Promise<string | null> =>
  (await sql.query('select stripe_customer_id as id from users where id = $1', [ada.id])).rows[0].id

test('the provider learns what is bought, by which customer, and where it goes', async () => {
  const world = await open()
  const deal = await world.agree(12_000, SHIPPING)
  const { paymentId } = await world.start(deal)
  const { rows } = await world.sql.query(
    `select transaction_number as number, title from payments join wanted_items on wanted_items.id = wanted_item_id
     where payments.id = $1`,
    [paymentId],
  )
  const { number, title } = rows[0]
  const customer = await customerOf(world)
  expect(await intentOf(world, paymentId)).toMatchObject({
    description: `${title} (${number})`,
    statement_descriptor_suffix: expect.stringMatching(/^T?[0-9A-Z]{4}-[0-9A-Z]{4}$/),
    customer,
    receipt_email: world.ada.email,
    shipping: {
      name: ADAS_ADDRESS.name,
      address: { line1: ADAS_ADDRESS.line1, country: ADAS_ADDRESS.country },
    },
    metadata: { paymentId: String(paymentId), requestId: String(deal.itemId), offerId: String(deal.offerId) },
  })
  expect((await readObject(world, customer)).metadata).toMatchObject({ userId: world.ada.id })
  const other = await world.start(await world.agree())
  expect((await intentOf(world, other.paymentId)).customer).toBe(customer)
})

test('an address that changes before the payment, and a verified email, reach the provider', async () => {
  const world = await open()
  const deal = await world.agree(12_000, SHIPPING)
  const setVerified = (at: string) =>
    world.sql.query(`update users set email_verified_at = ${at} where id = $1`, [world.ada.id])
  await setVerified('null')
  const { paymentId, clientSecret } = await world.start(deal)
  expect((await intentOf(world, paymentId)).receipt_email).toBeNull()
  await setVerified('now()')
  const moved = { ...deal, deliveryAddress: { ...ADAS_ADDRESS, line1: '9 Other Road' } }
  expect((await world.start(moved)).clientSecret).toBe(clientSecret)
  const intent = await intentOf(world, paymentId)
  expect(intent.shipping.address.line1).toBe('9 Other Road')
  expect(intent.receipt_email).toBe(world.ada.email)
  await world.enterCard(clientSecret)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
})

test('two first checkouts of a buyer at the same time create one customer', async () => {
  const { ada, services } = await open()
  const [createdAt, create] = [new Date(), services.cards?.createCustomer]
  const ids = await Promise.all([1, 2].map(() => create?.({ id: ada.id, createdAt })))
  expect(ids[0]).toBe(ids[1])
  expect(ids[0]).toMatch(/^cus_/)
})

test('a customer that was deleted at the provider is replaced', async () => {
  const world = await open()
  await world.sql.query("update users set stripe_customer_id = 'cus_gone' where id = $1", [world.ada.id])
  const { paymentId } = await world.start(await world.agree())
  const customer = await customerOf(world)
  expect(customer).not.toBe('cus_gone')
  expect((await intentOf(world, paymentId)).customer).toBe(customer)
})

test('deleting an account deletes its customer at the provider', async () => {
  const world = await open()
  await world.start(await world.agree())
  const customer = await customerOf(world)
  expect(await readObject(world, customer)).toBeDefined()
  const deleted = await world.ada.call('POST /api/user/delete-account', { password: PASSWORD })
  expect(deleted.statusCode, deleted.body).toBe(200)
  await world.runJobs()
  expect(await readObject(world, customer)).toBeUndefined()
})
