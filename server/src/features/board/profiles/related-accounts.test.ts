import { expect, test } from 'vitest'
import { asDevice } from '../../../http/session.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type MoneyWorld, openMoneyWorld } from '../../../testing/money-world.ts'
import { PASSWORD, type Person } from '../../../testing/world.ts'
import { rememberDevice } from '../../users/known-devices.ts'
import { findRelatedAccounts } from './related-accounts.ts'

const VISA = '4242424242424242'
const MASTERCARD = '5555555555554444'
const bank = {
  account_holder_name: 'Bob Tester',
  country: 'GB',
  sort_code: '20-00-00',
  account_number: '5577 9911',
}

async function related({ services }: MoneyWorld, { id }: Person) {
  const found = await findRelatedAccounts(services.database.read, id)
  return found.map(({ user, shares }) => [user.name, shares])
}

/** Another buyer pays Bob with this card. */
async function buy(world: MoneyWorld, buyer: Person, card: string): Promise<void> {
  const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 0 }
  const { id: wantedItemId } = (await buyer.call('POST /api/wanted-items', lamp)).json()
  const terms = { wantedItemId, receiverId: buyer.id, amount: 5_000 }
  const { id: offerId } = (await world.bob.call('POST /api/offers', terms)).json()
  await buyer.call(`PATCH /api/offers/${offerId}/accept`)
  const deal = { itemId: wantedItemId, offerId, amount: 5_000 }
  const started = await buyer.call('POST /api/create-escrow-payment', deal)
  expect(started.statusCode, started.body).toBe(200)
  const { clientSecret, paymentId } = started.json()
  expect((await world.enterCard(clientSecret, card)).status).toBe(200)
  await eventually(async () => expect(await world.statusOf(paymentId)).toBe('held_in_escrow'))
}

test('accounts that share a card, a bank account or a device are related', { tags: ['proof'] }, async () => {
  const world = await openMoneyWorld()
  const { ada, bob, services, sql } = world
  const [carl, dora, emil] = [
    await world.signUp('Carl'),
    await world.signUp('Dora'),
    await world.signUp('Emil'),
  ]

  await buy(world, ada, VISA)
  await buy(world, carl, VISA)
  await buy(world, dora, MASTERCARD)
  expect(await related(world, ada)).toEqual([['Carl Tester', ['card']]])
  expect(await related(world, carl)).toEqual([['Ada Tester', ['card']]])
  expect(await related(world, dora)).toEqual([])

  const save = (seller: Person, details: object) => seller.call('POST /api/seller/save-bank-account', details)
  await save(bob, bank)
  // The same account with another holder and spelling, in the generic fields of the form.
  const written = {
    account_holder_name: 'E',
    country: 'GB',
    routing_number: '200000',
    account_number: '55779911',
  }
  expect((await save(emil, written)).statusCode).toBe(200)
  await save(dora, { ...bank, account_number: '55779912' })
  expect(await related(world, bob)).toEqual([['Emil Tester', ['bank_account']]])

  const device = asDevice('same browser', 'Firefox on Linux')
  const others = [
    asDevice('same browser', 'Safari on macOS'),
    asDevice('another', 'Firefox on Linux'),
  ] as const
  await services.database.transact(async (tx) => {
    for (const { id } of [ada, carl, emil]) await rememberDevice(tx, id, device)
    await rememberDevice(tx, bob.id, others[0])
    await rememberDevice(tx, dora.id, others[1])
  })
  expect(await related(world, ada)).toEqual([
    ['Carl Tester', ['card', 'device']],
    ['Emil Tester', ['device']],
  ])
  expect(await related(world, bob)).toEqual([['Emil Tester', ['bank_account']]])

  // Deleted accounts are not related to anyone.
  expect((await emil.call('POST /api/user/delete-account', { password: PASSWORD })).statusCode).toBe(200)
  expect(await related(world, bob)).toEqual([])
  const { rows } = await sql.query('select bank_account_hash from users where id = $1', [emil.id])
  expect(rows).toEqual([{ bank_account_hash: null }])
})

test('accounts that have parcels sent to the same address are related', { tags: ['proof'] }, async () => {
  const world = await openMoneyWorld()
  const { ada, bob } = world
  await world.payIntoEscrow(5_000, { delivery: 'shipping', shipWithinDays: 3 })
  const address = {
    name: 'B. Tester',
    line1: 'ROSENWEG 7.',
    line2: '',
    city: 'Berlin-Mitte',
    region: '',
    postalCode: '10115',
    country: 'DE',
  }
  const save = (changes: object = {}) =>
    bob.call('PUT /api/user/delivery-address', { ...address, ...changes })
  expect((await save({ line1: 'Rosenweg 8' })).statusCode).toBe(200)
  expect(await related(world, ada)).toEqual([])
  await save()
  expect(await related(world, ada)).toEqual([['Bob Tester', ['address']]])
  expect(await related(world, bob)).toEqual([['Ada Tester', ['address']]])
  await world.sql.query('update payments set delivery_address = null, address_hash = null')
  expect(await related(world, bob)).toEqual([])
})

test('the provider decides whether payouts to an account are enabled', async () => {
  const world = await openMoneyWorld()
  const { bob, sql } = world
  const isEnabled = async () =>
    (await sql.query('select payouts_enabled from users where id = $1', [bob.id])).rows[0].payouts_enabled
  const accountId = await world.connectBob()
  // The server does not know of the connected account, so it asks when the seller does.
  expect(await isEnabled()).toBe(false)
  await bob.call('GET /api/seller/stripe-connect-status')
  expect(await isEnabled()).toBe(true)
  await sql.query('update users set payouts_enabled = false where id = $1', [bob.id])
  await world.stripe('POST', `/v1/accounts/${accountId}`, { 'metadata[note]': 'changed' })
  await eventually(async () => expect(await isEnabled()).toBe(true))
  await bob.call('POST /api/seller/reset-stripe-connect')
  expect(await isEnabled()).toBe(false)
})
