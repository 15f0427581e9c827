import { expect, test } from 'vitest'
import { openWorld, type Person, type World } from '../../../testing/world.ts'

const send = (person: Person, phone: string) => person.call('POST /api/user/phone/code', { phone })
const verify = (person: Person, code: string) => person.call('POST /api/user/phone/verify', { code })
const phoneOf = async (person: Person) => (await person.call('GET /api/user/phone')).json()

/** The code in the latest text message, as developers read it. */
async function latestCode({ visitor }: World): Promise<string> {
  const emails: { kind: string; text: string }[] = (await visitor('GET /api/dev/mails')).json()
  return emails.find(({ kind }) => kind === 'text_message')?.text.match(/^\d{6}/)?.[0] ?? ''
}

const otherThan = (code: string) => (code === '000000' ? '000001' : '000000')

test('a phone is verified with the code that was sent to it', async () => {
  const world = await openWorld()
  const ada = await world.signUp('Ada')
  expect(await phoneOf(ada)).toEqual({ phone: null, isVerified: false, isAvailable: true })
  for (const phone of ['0123456789', '+0 12', 'abc', '+60', ''])
    expect((await send(ada, phone)).statusCode).toBe(422)
  expect((await send(ada, '0060 (12) 345-6789')).json()).toEqual({ ok: true })
  const [sent] = (await world.visitor('GET /api/dev/mails')).json()
  expect(sent).toMatchObject({ kind: 'text_message', address: '+60123456789' })
  const stored = await world.sql.query('select * from phone_codes')
  const code = await latestCode(world)
  expect(JSON.stringify(stored.rows)).not.toContain(code)

  expect((await verify(ada, otherThan(code))).json().code).toBe('wrong_code')
  // Nobody else can use the code.
  const bob = await world.signUp('Bob')
  expect((await verify(bob, code)).json().code).toBe('wrong_code')
  const replies = await Promise.all([verify(ada, code), verify(ada, code)])
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403])
  expect(await phoneOf(ada)).toEqual({ phone: '+60123456789', isVerified: true, isAvailable: true })
  const { rows } = await world.sql.query("select actor_id from audit_log where action = 'phone_verified'")
  expect(rows).toEqual([{ actor_id: ada.id }])

  // A changed number is not verified, and changing it back does not help.
  const profile = { firstName: 'Ada', lastName: 'Tester', email: ada.email }
  await ada.call('PUT /api/user/profile', { ...profile, phone: '+60123456789' })
  expect(await phoneOf(ada)).toMatchObject({ isVerified: true })
  for (const phone of ['+60 199 999', '+60123456789']) {
    expect((await ada.call('PUT /api/user/profile', { ...profile, phone })).statusCode).toBe(200)
    expect(await phoneOf(ada)).toMatchObject({ phone, isVerified: false })
  }
})

test('only the last code works, for ten minutes and five attempts', async () => {
  const world = await openWorld()
  const ada = await world.signUp('Ada')
  await send(ada, '+60123456789')
  const first = await latestCode(world)
  await send(ada, '+60123456780')
  const second = await latestCode(world)
  if (first !== second) expect((await verify(ada, first)).statusCode).toBe(403)
  for (let attempt = 0; attempt < 5; attempt++) await verify(ada, otherThan(second))
  expect((await verify(ada, second)).json().code).toBe('wrong_code')

  await send(ada, '+60123456789')
  const third = await latestCode(world)
  world.advanceClock(10 * 60_000)
  expect((await verify(ada, third)).json().code).toBe('wrong_code')
  await send(ada, '+60123456789')
  expect((await verify(ada, await latestCode(world))).statusCode).toBe(200)

  const replies = []
  for (let round = 0; round < 3; round++) replies.push((await send(ada, '+60123456789')).statusCode)
  expect(replies).toContain(429)
})

test('the attempts of one user are not counted for another', async () => {
  const world = await openWorld()
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  await send(bob, '+60123456780')
  await send(ada, '+60123456789')
  const code = await latestCode(world)
  for (let attempt = 0; attempt < 5; attempt++) await verify(bob, otherThan(code))
  expect((await verify(ada, code)).statusCode).toBe(200)
})

test('without a provider, phone numbers cannot be verified in production', async () => {
  const secrets = { SESSION_SECRET: 'a secret of the tests', DATA_KEY: 'another secret of the tests' }
  const world = await openWorld({ NODE_ENV: 'production', ADMIN_SECOND_FACTOR: 'off', ...secrets })
  const ada = await world.signUp('Ada')
  expect((await ada.call('GET /api/user/phone')).json()).toMatchObject({ isAvailable: false })
  const refused = await ada.call('POST /api/user/phone/code', { phone: '+60123456789' })
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'phone_unavailable'])
})
