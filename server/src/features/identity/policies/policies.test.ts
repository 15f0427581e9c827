import { expect, test } from 'vitest'
import { openWorld, PASSWORD } from '../../../testing/world.ts'
import { notifyOfPolicies } from './notify-of-policies.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Music', location: 'Ipoh', maxBudget: 50 }
const HOUR_MS = 3_600_000

async function openMarket() {
  const world = await openWorld()
  const admin = await world.signUp('Admin', 'admin')
  return { ...world, admin }
}

test('a version comes into force at its time, and earlier versions are kept', async () => {
  const { admin, visitor, advanceClock, services } = await openMarket()
  const read = async () => (await visitor('GET /api/policies/refund_policy')).json()
  expect(await read()).toEqual({ policy: 'refund_policy', version: 0, effectiveFrom: null, text: null })
  const publish = (body: object) => admin.call('POST /api/admin/policies/refund_policy', body)
  expect((await publish({ text: 'First' })).statusCode).toBe(201)
  const effectiveFrom = new Date(services.clock().getTime() + HOUR_MS).toISOString()
  expect((await publish({ text: 'Second', effectiveFrom })).json()).toMatchObject({
    version: 2,
    effectiveFrom,
  })
  expect(await read()).toMatchObject({ version: 1, text: 'First' })
  advanceClock(HOUR_MS)
  expect(await read()).toMatchObject({ version: 2, text: 'Second' })
  const refused = await publish({ text: 'Late', effectiveFrom })
  expect(refused.json().issues).toEqual([{ path: 'effectiveFrom', message: 'Must not be in the past' }])
  expect((await publish({ text: ' ' })).statusCode).toBe(422)
  const versions = (await admin.call('GET /api/admin/policies')).json()
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1])
})

test('concurrent versions get different numbers', async () => {
  const { admin } = await openMarket()
  const publish = () => admin.call('POST /api/admin/policies/privacy_policy', { text: 'Privacy' })
  const replies = await Promise.all([publish(), publish(), publish()])
  expect(replies.map((reply) => reply.json().version).toSorted()).toEqual([1, 2, 3])
})

test('new terms must be accepted before posting, and signing up accepts them', async () => {
  const { admin, visitor, signUp } = await openMarket()
  const ada = await signUp('Ada')
  expect((await ada.call('POST /api/wanted-items', lamp)).statusCode).toBe(201)
  const listToAccept = async () => (await ada.call('GET /api/user/policies')).json()
  expect(await listToAccept()).toEqual([])
  await admin.call('POST /api/admin/policies/terms_of_service', { text: '# Terms' })
  await admin.call('POST /api/admin/policies/refund_policy', { text: '# Refunds' })
  expect(await listToAccept()).toMatchObject([{ policy: 'terms_of_service', version: 1 }])
  const refused = await ada.call('POST /api/wanted-items', lamp)
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'policy_not_accepted'])
  const accept = (version: number) =>
    ada.call('POST /api/user/policies/accept', { policy: 'terms_of_service', version })
  expect((await accept(2)).json().code).toBe('policy_not_in_force')
  expect([(await accept(1)).statusCode, (await accept(1)).statusCode]).toEqual([200, 200])
  expect((await ada.call('POST /api/wanted-items', lamp)).statusCode).toBe(201)
  expect(await listToAccept()).toEqual([])
  const data = (await ada.call('GET /api/user/data')).json()
  expect(data.policyConsents).toMatchObject([{ policy: 'terms_of_service', version: 1 }])

  const form = { email: 'new@example.com', password: PASSWORD, firstName: 'New', lastName: 'User' }
  const signedUp = await visitor('POST /api/auth/signup', form)
  const cookie = `sid=${signedUp.cookies.find(({ name }) => name === 'sid')?.value}`
  const posted = await visitor('POST /api/wanted-items', lamp, { headers: { cookie } })
  expect(posted.statusCode).toBe(201)
})

test('the config lists the policies with the operator’s own text, immediately after publishing', async () => {
  const { admin, visitor } = await openMarket()
  const policies = async () => (await visitor('GET /api/config')).json().market.policies
  expect(await policies()).toEqual([])
  await admin.call('POST /api/admin/policies/refund_policy', { text: 'Refunds' })
  expect(await policies()).toEqual([{ policy: 'refund_policy', version: 1 }])
})

test('users are notified once when a version is scheduled, and if they have not accepted it, when it is in force', async () => {
  const { admin, signUp, services, sql, advanceClock } = await openMarket()
  const ada = await signUp('Ada')
  const bob = await signUp('Bob')
  await sql.query(`insert into users (id, email, first_name, last_name)
    select 'z' || number, number || '@many.example', 'Many', 'People' from generate_series(1, 250) as number`)
  const effectiveFrom = new Date(services.clock().getTime() + HOUR_MS).toISOString()
  await admin.call('POST /api/admin/policies/terms_of_service', { text: 'Terms', effectiveFrom })
  await admin.call('POST /api/admin/policies/refund_policy', { text: 'Refunds' })
  const count = async (event: string) => {
    const { rows } = await sql.query(
      `select count(*)::int as all, count(distinct user_id)::int as users from notifications
       where kind = 'policy_changed' and key like $1 || ':%'`,
      [event],
    )
    return rows[0]
  }
  await Promise.all([notifyOfPolicies(services), notifyOfPolicies(services)])
  await notifyOfPolicies(services)
  // Ada, Bob, the admin and 250 others.
  expect(await count('terms_scheduled')).toEqual({ all: 253, users: 253 })
  expect(await count('terms_changed')).toEqual({ all: 0, users: 0 })
  const dates = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  expect((await ada.call('GET /api/notifications')).json()).toMatchObject([
    {
      kind: 'policy_changed',
      title: `Our Terms of Service change on ${dates.format(new Date(effectiveFrom))}`,
      path: '/terms-of-service',
    },
  ])
  advanceClock(HOUR_MS)
  await bob.call('POST /api/user/policies/accept', { policy: 'terms_of_service', version: 1 })
  await Promise.all([notifyOfPolicies(services), notifyOfPolicies(services)])
  await notifyOfPolicies(services)
  // 252 users: Ada, the admin and 250 others.
  expect(await count('terms_changed')).toEqual({ all: 252, users: 252 })
  expect(await count('terms_scheduled')).toEqual({ all: 253, users: 253 })
  const [latest] = (await ada.call('GET /api/notifications')).json()
  expect(latest).toMatchObject({
    kind: 'policy_changed',
    title: 'Our Terms of Service have changed',
    path: '/terms-of-service',
  })
  expect((await bob.call('GET /api/notifications')).json()).toHaveLength(1)
})

test('a version that was replaced by a newer one is not announced', { tags: ['proof'] }, async () => {
  const { admin, signUp, services } = await openMarket()
  const ada = await signUp('Ada')
  await admin.call('POST /api/admin/policies/privacy_policy', { text: 'First' })
  await admin.call('POST /api/admin/policies/privacy_policy', { text: 'Second' })
  await notifyOfPolicies(services)
  const notes = (await ada.call('GET /api/notifications')).json()
  expect(notes.map(({ title }: { title: string }) => title)).toEqual(['Our Privacy Policy has changed'])
  for (const days of [10, 20]) {
    const effectiveFrom = new Date(services.clock().getTime() + days * 24 * HOUR_MS).toISOString()
    await admin.call('POST /api/admin/policies/privacy_policy', { text: `In ${days} days`, effectiveFrom })
  }
  await notifyOfPolicies(services)
  expect((await ada.call('GET /api/notifications')).json()).toHaveLength(2)
})
