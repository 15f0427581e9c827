import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { shareWorld } from '../testing/world.ts'
import type { Db } from './database.ts'
import { prepareByFilter, prepareOnce } from './prepared.ts'
import { users } from './schema.ts'

const world = shareWorld()

test('a statement is built once for the pool and once for each connection, and reads what its transaction wrote', async () => {
  const { database } = world().services
  const ada = await world().signUp('Ada')
  const builtFor: Db[] = []
  const statement = prepareOnce((db) => {
    builtFor.push(db)
    return db
      .select({ name: users.firstName })
      .from(users)
      .where(eq(users.id, sql.placeholder('id')))
      .prepare('')
  })
  const nameOf = async (db: Db) => (await statement(db).execute({ id: ada.id })).map(({ name }) => name)
  const renamed = database.transact(async (tx) => {
    await tx.update(users).set({ firstName: 'Eve' }).where(eq(users.id, ada.id))
    expect(await nameOf(tx)).toEqual(['Eve'])
    expect(await nameOf(database.read)).toEqual(['Ada'])
    throw new Error('rolled back')
  })
  await expect(renamed).rejects.toThrow('rolled back')
  const connections = new Set<Db>()
  for (let round = 0; round < 3; round++)
    await database.transact(async (tx) => {
      connections.add(tx.connection)
      expect(await nameOf(tx)).toEqual(['Ada'])
    })
  expect(builtFor).toHaveLength(new Set(builtFor).size)
  expect(builtFor).toEqual(expect.arrayContaining([database.read, ...connections]))
})

test('a statement with optional filters is built once for each set of filters', async () => {
  const { read } = world().services.database
  const [ada, bob] = [await world().signUp('Ada'), await world().signUp('Bob')]
  let builds = 0
  const statement = prepareByFilter((db, has: (filter: 'id' | 'email') => boolean) => {
    builds++
    return db
      .select({ id: users.id })
      .from(users)
      .where(has('id') ? eq(users.id, sql.placeholder('id')) : eq(users.email, sql.placeholder('email')))
      .prepare('')
  })
  const find = async (filter: { id?: string; email?: string | undefined }) =>
    (await statement(read, filter).execute(filter)).map(({ id }) => id)
  expect(await find({ id: ada.id })).toEqual([ada.id])
  expect(await find({ id: bob.id, email: undefined })).toEqual([bob.id])
  expect(await find({ email: ada.email })).toEqual([ada.id])
  expect(await find({ email: bob.email })).toEqual([bob.id])
  expect(builds).toBe(2)
})
