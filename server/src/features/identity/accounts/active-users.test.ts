import { expect, test } from 'vitest'
import { type Person, shareWorld } from '../../../testing/world.ts'
import { lockActiveUser, requireUnrestricted } from './active-users.ts'
import { passwordMatches } from './passwords.ts'
import { lockOwnAccount } from './profile.ts'
import { completeSignIn } from './sign-in.ts'

const world = shareWorld()

const check = (act: typeof lockActiveUser, { id }: Pick<Person, 'id'>) =>
  world().services.database.transact((tx) => act(tx, id))

const sanction = (column: 'restricted_until' | 'suspended_until', { id }: Person) =>
  world().sql.query(`update users set ${column} = now() + interval '1 day' where id = $1`, [id])

test('an account that is deleted in the meantime is signed out', async () => {
  const nobody = { id: 'nobody' }
  const signedOut = { code: 'signed_out' }
  await expect(check(lockActiveUser, nobody)).rejects.toMatchObject(signedOut)
  await expect(check(requireUnrestricted, nobody)).rejects.toMatchObject(signedOut)
  const lock = world().services.database.transact((tx) => lockOwnAccount(tx, nobody.id))
  await expect(lock).rejects.toMatchObject(signedOut)
})

test('only restricted and suspended users are refused', async () => {
  const [ada, bob, cal] = [
    await world().signUp('Ada'),
    await world().signUp('Bob'),
    await world().signUp('Cal'),
  ]
  await sanction('restricted_until', bob)
  await sanction('suspended_until', cal)
  await check(requireUnrestricted, ada)
  await expect(check(requireUnrestricted, bob)).rejects.toMatchObject({ code: 'restricted' })
  await expect(check(requireUnrestricted, cal)).rejects.toMatchObject({ code: 'suspended' })
})

test('a sign-in that no longer waits for a second factor cannot be completed', async () => {
  const { services, signUp } = world()
  const [dan, eve] = [await signUp('Dan'), await signUp('Eve')]
  const origin = { ip: '127.0.0.1', device: 'Unknown browser' }
  const complete = (id: string, pendingId: string | null) =>
    completeSignIn(
      services.database,
      {} as Parameters<typeof completeSignIn>[1],
      { id, origin },
      { code: '000000' },
      { begin: () => Promise.reject(new Error('signed in')), findPending: async () => pendingId },
    )
  for (const pendingId of [null, eve.id])
    await expect(complete(dan.id, pendingId)).rejects.toMatchObject({ code: 'sign_in_expired' })
  await expect(complete('nobody', 'nobody')).rejects.toMatchObject({ code: 'sign_in_expired' })
})

test('64 passwords are compared concurrently, and the next one is refused', { tags: ['proof'] }, async () => {
  const compared = await Promise.allSettled(Array.from({ length: 65 }, () => passwordMatches(null, 'wrong')))
  expect(compared.slice(0, 64)).toEqual(Array(64).fill({ status: 'fulfilled', value: false }))
  expect(compared[64]).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
  expect(await passwordMatches(null, 'wrong')).toBe(false)
})
