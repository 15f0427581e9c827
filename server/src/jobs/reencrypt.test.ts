import { toSnakeCase } from 'drizzle-orm/casing'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { createEncryption } from '../core/encryption.ts'
import { createKeys } from '../core/keys.ts'
import type { Tx } from '../database/database.ts'
import { hasOtherPayoutMethods } from '../features/users/email-changes.ts'
import { ADAS_ADDRESS } from '../market-builder/given.ts'
import { openMoneyWorld } from '../testing/money-world.ts'
import { openWorld } from '../testing/world.ts'
import { countFormerSessions, reencrypt, sealedColumns } from './reencrypt.ts'

const [OLD, NEW] = ['the old key of the tests', 'the new key of the tests']
const BANK = {
  account_holder_name: 'Bob',
  country: 'US',
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
}

/** Everything that is encrypted, under the old key, made by the calls of the product. */
async function openFullMarket() {
  const it = await openMoneyWorld({ env: { DATA_KEY: OLD } })
  const sent = [
    await it.bob.call('POST /api/seller/save-bank-account', BANK),
    await it.bob.call('POST /api/user/totp'),
    await it.ada.call('PUT /api/user/delivery-address', ADAS_ADDRESS),
    await it.visitor('GET /api/push/key'),
  ]
  for (const reply of sent) expect(reply.statusCode, reply.body).toBeLessThan(300)
  const { paymentId } = await it.start(await it.agree(12_000, { delivery: 'shipping' }))
  const met = await it.start(await it.agree(9_000, { delivery: 'in_person' }))
  return { ...it, shipped: paymentId, met: met.paymentId }
}

/** The columns of the whole database that contain encrypted texts, and the texts. */
async function findSealed({ sql }: { sql: Awaited<ReturnType<typeof openWorld>>['sql'] }) {
  const { rows: columns } = await sql.query(`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type in ('text', 'jsonb')`)
  const found: [column: string, text: string][] = []
  for (const { table_name, column_name } of columns) {
    const { rows } = await sql.query(
      `select ${column_name}::text as text from ${table_name} where ${column_name}::text ~ '^v1:[\\w-]{38,}'`,
    )
    for (const { text } of rows) found.push([`${table_name}.${column_name}`, text])
  }
  return found
}

test('everything that is encrypted is encrypted again with the first key, and stays readable', async () => {
  const it = await openFullMarket()
  const { database, secrets } = it.services
  const before = await findSealed(it)
  const named = sealedColumns.map(
    ({ id, column }) => `${getTableConfig(id.table).name}.${toSnakeCase(column.name)}`,
  )
  expect(before.map(([column]) => column).toSorted()).toEqual(named.toSorted())

  // Written by version 0.2, without the id of a key.
  await it.sql.query(
    `update totp_factors set secret = split_part(secret, ':', 1) || ':' || split_part(secret, ':', 2)`,
  )
  await it.sql.query("update users set updated_at = '2026-01-01', created_at = '2026-01-01'")
  const rotated = { ...secrets, dataKeys: createKeys([NEW, OLD]) }
  const done = await reencrypt(database, rotated)
  expect(done).toEqual(
    [
      'bank details',
      'authenticator apps',
      'saved addresses',
      'addresses of deals',
      'handover codes',
      'keys for push notifications',
    ].map((what) => ({ what, changed: 1, unreadable: 0 })),
  )
  const keyId = await createEncryption(createKeys([NEW])).keyId()
  for (const [column, text] of await findSealed(it)) expect(text.split(':')[2], column).toBe(keyId)
  expect((await it.sql.query("select from users where updated_at <> '2026-01-01'")).rowCount).toBe(0)
  expect((await reencrypt(database, rotated)).every(({ changed }) => changed === 0)).toBe(true)

  const after = await openWorld({
    DATABASE_URL: it.services.config.databaseUrl ?? '',
    DATA_KEY: NEW,
    SESSION_SECRET: secrets.sessionKeys.writing(),
  })
  const read = async (cookie: string, url: string) =>
    (await after.app.inject({ url, headers: { cookie } })).json()
  expect(await read(it.bob.cookie, '/api/seller/bank-status')).toMatchObject({
    bankDetails: { account_holder_name: 'Bob', account_number_last4: '6789' },
  })
  expect(await read(it.ada.cookie, '/api/user/delivery-address')).toEqual({ deliveryAddress: ADAS_ADDRESS })
  expect(await read(it.ada.cookie, `/api/payments/${it.shipped}`)).toMatchObject({
    deliveryAddress: ADAS_ADDRESS,
  })
  const { rows } = await it.sql.query('select handover_code as sealed from payments where id = $1', [it.met])
  expect(await createEncryption(createKeys([NEW])).open(rows[0].sealed, `handover:${it.met}`)).toMatch(
    /^\d{6}$/,
  )
})

test('keyed hashes follow the key, so that the same account is still recognised', async () => {
  const it = await openFullMarket()
  const { database, secrets } = it.services
  await reencrypt(database, { ...secrets, dataKeys: createKeys([NEW, OLD]) })
  const { rows } = await it.sql.query(
    `select bank_account_hash, delivery_addresses.address_hash as saved, payments.address_hash as sent
     from users, delivery_addresses, payments where users.id = $1 and payments.id = $2`,
    [it.bob.id, it.shipped],
  )
  const encryption = createEncryption(createKeys([NEW]))
  expect(await encryption.isHashOf(rows[0].bank_account_hash, 'bank-account:US:021000021:000123456789')).toBe(
    true,
  )
  expect(rows[0].saved).toBe(rows[0].sent)
})

test('an undo link still knows that the bank details are the same', async () => {
  const it = await openFullMarket()
  const { database, secrets } = it.services
  await it.sql.query(
    `insert into email_changes (user_id, old_email, payout_methods_hash)
     select id, 'old@example.com', md5(concat_ws(':', stripe_connect_account_id, bank_account_details))
     from users where id = $1`,
    [it.bob.id],
  )
  await reencrypt(database, { ...secrets, dataKeys: createKeys([NEW, OLD]) })
  const { rows } = await it.sql.query('select payout_methods_hash as hash from email_changes')
  const change = { userId: it.bob.id, payoutMethodsHash: rows[0].hash }
  await database.transact(async (tx: Tx) => {
    expect(await hasOtherPayoutMethods(tx, change as Parameters<typeof hasOtherPayoutMethods>[1])).toBe(false)
  })
})

test('what no key can read is counted and left as it is', async () => {
  const it = await openFullMarket()
  const { database, secrets } = it.services
  const before = await findSealed(it)
  const done = await reencrypt(database, { ...secrets, dataKeys: createKeys([NEW]) })
  expect(done.map(({ changed, unreadable }) => [changed, unreadable])).toEqual(Array(6).fill([0, 1]))
  expect(await findSealed(it)).toEqual(before)
})

test('a session is signed again with the first key at its next visit, and the former key can be removed', async () => {
  const SESSION = ['the old session secret', 'the new session secret']
  const [oldKey = '', newKey = ''] = SESSION
  const before = await openWorld({ SESSION_SECRET: oldKey })
  const ada = await before.signUp('Ada')
  const DATABASE_URL = before.services.config.databaseUrl ?? ''
  const during = await openWorld({ DATABASE_URL, SESSION_SECRET: `${newKey},${oldKey}` })
  const { database, secrets, clock } = during.services
  expect(await countFormerSessions(database.read, secrets, clock())).toBe(1)
  const visit = (world: typeof during, cookie: string) =>
    world.app.inject({ url: '/api/auth/user', headers: { cookie } })
  const visited = await visit(during, ada.cookie)
  expect(visited.statusCode).toBe(200)
  const cookie = `sid=${encodeURIComponent(visited.cookies.find(({ name }) => name === 'sid')?.value ?? '')}`
  expect(await countFormerSessions(database.read, secrets, clock())).toBe(0)
  expect((await visit(during, cookie)).cookies).toEqual([])
  const after = await openWorld({ DATABASE_URL, SESSION_SECRET: newKey })
  expect((await visit(after, cookie)).statusCode).toBe(200)
  expect((await visit(after, ada.cookie)).statusCode).toBe(401)
})
