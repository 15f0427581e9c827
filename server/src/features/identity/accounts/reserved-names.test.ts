import { expect, test } from 'vitest'
import { openWorld } from '../../../testing/world.ts'
import { findOrCreateGoogleAccount } from './actions.ts'
import { isReservedName } from './reserved-names.ts'

const named = (name: string) => {
  const [firstName = '', ...others] = name.split(' ')
  return { firstName, lastName: others.join(' ') }
}

test.each([
  'Sought Support',
  'Sought Admin ✓',
  'sought support',
  'S0ught Helpdesk',
  'Sоught Support',
  'S\u200bought Support',
  'Søught ✔',
  'SoughtSupport Team',
  'Ada Lovelace ✓',
  'Ada ✅ Lovelace',
  'Customer Support',
  'Support Team',
  'Admin',
  'The Moderator',
  'Ｓｏｕｇｈｔ Help',
  'S o u g h t Support',
])('%s is reserved for the team', (name) => {
  expect(isReservedName(named(name), 'Sought')).toBe(true)
})

test.each([
  'Ada Tester',
  'Buyer One',
  'Grace Supporta',
  'Besought Miller',
  'Anna Moderatorowska',
  'Jo Trust',
  'Δημήτρης',
  '李 雷',
])('%s is a name of a person', (name) => {
  expect(isReservedName(named(name), 'Sought')).toBe(false)
})

test('nobody signs up or renames themselves as the team, except its members', async () => {
  const { visitor, signUp } = await openWorld()
  const form = { email: 'm@example.com', password: 'correct horse', firstName: 'Sought', lastName: 'Support' }
  const refused = await visitor('POST /api/auth/signup', form)
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'invalid'])
  expect(refused.json().issues[0].path).toBe('firstName')
  const ada = await signUp('Ada')
  const profile = { firstName: 'Sought', lastName: 'Admin ✓', email: ada.email }
  expect((await ada.call('PUT /api/user/profile', profile)).statusCode).toBe(422)
  const cyd = await signUp('Cyd', 'moderator')
  expect((await cyd.call('PUT /api/user/profile', { ...profile, email: cyd.email })).statusCode).toBe(200)
})

test('a Google user with such a name gets a neutral one', async () => {
  const { services } = await openWorld()
  const identity = {
    subject: 'google-1',
    email: 'support@example.com',
    emailVerified: true,
    firstName: 'Sought',
    lastName: 'Support',
  }
  const origin = { ip: '192.0.2.1', device: null }
  const user = await services.database.transact((tx) =>
    findOrCreateGoogleAccount(tx, identity, origin as never),
  )
  expect(user).toMatchObject({ firstName: 'Member', lastName: null })
})
