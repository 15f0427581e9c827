import { expect, test } from 'vitest'
import { createEncryption, Unreadable } from '../../../core/encryption.ts'
import { createKeys } from '../../../core/keys.ts'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { shareWorld } from '../../../testing/world.ts'
import { openAddress, sealAddress } from './sealed-addresses.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })
const home = {
  name: 'Ada Tester',
  line1: 'Rosenweg 7',
  line2: '',
  city: 'Berlin',
  region: '',
  postalCode: '10115',
  country: 'DE',
}

test('an address can be saved, replaced and deleted, and only its owner sees it', async () => {
  const { signUp, visitor } = world()
  const [ada, bob] = [await signUp('Ada'), await signUp('Bob')]
  const read = async ({ call } = ada) => (await call('GET /api/user/delivery-address')).json()
  expect(await read()).toEqual({ deliveryAddress: null })

  const { line2: _, region: __, ...required } = home
  const saved = await ada.call('PUT /api/user/delivery-address', required)
  expect([saved.statusCode, saved.json()]).toEqual([200, { deliveryAddress: home }])
  expect(await read()).toEqual({ deliveryAddress: home })
  expect(await read(bob)).toEqual({ deliveryAddress: null })
  expect((await visitor('GET /api/user/delivery-address')).statusCode).toBe(401)

  const tokyo = { ...home, line1: '1-1 Chiyoda', city: '', region: 'Tokyo', country: 'JP' }
  await ada.call('PUT /api/user/delivery-address', { ...tokyo, postalCode: '1000001' })
  expect(await read()).toEqual({ deliveryAddress: { ...tokyo, postalCode: '100-0001' } })

  expect((await ada.call('DELETE /api/user/delivery-address')).json()).toEqual({ ok: true })
  expect(await read()).toEqual({ deliveryAddress: null })
  expect((await ada.call('DELETE /api/user/delivery-address')).statusCode).toBe(200)
})

test('an address that is incomplete for its country is refused and does not replace the saved one', async () => {
  const cid = await world().signUp('Cid')
  await cid.call('PUT /api/user/delivery-address', home)
  const refused = async (address: object) => {
    const reply = await cid.call('PUT /api/user/delivery-address', address)
    return [reply.statusCode, reply.json().issues]
  }
  expect(await refused({ ...home, postalCode: '1011' })).toEqual([
    422,
    [{ path: 'postalCode', message: 'This is not a valid postal code' }],
  ])
  expect(await refused({ ...home, city: '', postalCode: '' })).toEqual([
    422,
    [
      { path: 'postalCode', message: 'Postal code is required' },
      { path: 'city', message: 'City is required' },
    ],
  ])
  expect(await refused({ ...home, country: 'XX' })).toEqual([
    422,
    [{ path: 'country', message: 'Must be a two-letter country code' }],
  ])
  expect((await refused({ ...home, name: 'Ada\nTester' }))[0]).toBe(422)
  const { deliveryAddress } = (await cid.call('GET /api/user/delivery-address')).json()
  expect(deliveryAddress).toEqual(home)
})

test('the database contains only ciphertext, which can be decrypted for one user', async () => {
  const { signUp, sql } = world()
  const [dan, eve] = [await signUp('Dan'), await signUp('Eve')]
  await dan.call('PUT /api/user/delivery-address', home)
  const { rows } = await sql.query('select address from delivery_addresses where user_id = $1', [dan.id])
  expect(rows[0].address).toMatch(/^v1:[\w-]+:[\w-]{8}$/)
  // An address copied to another user's row cannot be decrypted.
  await sql.query('insert into delivery_addresses (user_id, address) values ($1, $2)', [
    eve.id,
    rows[0].address,
  ])
  expect((await eve.call('GET /api/user/delivery-address')).json()).toEqual({ deliveryAddress: null })
  await eve.call('PUT /api/user/delivery-address', { ...home, name: 'Eve' })
  expect((await eve.call('GET /api/user/delivery-address')).json()).toMatchObject({
    deliveryAddress: { name: 'Eve' },
  })
})

test('the encrypted address of a payment cannot be read for a user or another payment', async () => {
  const encryption = createEncryption(createKeys(['a key of at least 16 characters']))
  const sealed = await sealAddress(encryption, home, 'payment:7')
  expect(await openAddress(encryption, sealed, 'payment:7')).toEqual(home)
  await expect(openAddress(encryption, sealed, 'payment:8')).rejects.toThrow(Unreadable)
  await expect(openAddress(encryption, sealed, 'user:7')).rejects.toThrow(Unreadable)
})

test('deleting an account deletes its addresses', async () => {
  const { signUp, sql } = world()
  const fay = await signUp('Fay')
  const deletion = `with locked as (select id from users where id = $1 for update)
    update users set deleted_at = now(), email = null from locked where users.id = locked.id`
  const reply = await actDuringChange(sql, [deletion, fay.id], () =>
    fay.call('PUT /api/user/delivery-address', home),
  )
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'signed_out'])
  const { rowCount } = await sql.query('select from delivery_addresses where user_id = $1', [fay.id])
  expect(rowCount).toBe(0)
})
