import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { openFakePooler } from '../testing/fake-pooler.ts'
import { openDatabase as createDatabase } from '../testing/world.ts'
import { isUnavailable, openDatabase } from './database.ts'
import { createStatementNames } from './named-statements.ts'

/** One connection, so that all statements run on the same one. */
async function open(url: Promise<string> = createDatabase()) {
  const database = openDatabase(await url, systemClock, () => {}, { size: 1 })
  onTestFinished(() => database.close())
  const prepared = async () => {
    const { rows } = await database.pool.query('select statement from pg_prepared_statements')
    return rows.map(({ statement }) => statement)
  }
  return { ...database, prepared }
}

test('a statement with values is prepared from its third use on, inside and outside of transactions', async () => {
  const { read, transact, prepared } = await open()
  const add = (number: number) => sql`select ${number}::int + 1 as sum`
  await read.execute(add(1))
  await transact((tx) => tx.execute(add(2)))
  expect(await prepared()).toEqual([])
  expect((await read.execute(add(3))).rows).toEqual([{ sum: 4 }])
  expect(await prepared()).toEqual(['select $1::int + 1 as sum'])
  expect((await transact((tx) => tx.execute(add(4)))).rows).toEqual([{ sum: 5 }])
  expect((await read.execute(add(5))).rows).toEqual([{ sum: 6 }])
})

test('behind a pooler no statement is prepared', async () => {
  const { read, prepared } = await open(createDatabase().then(openFakePooler))
  for (let i = 0; i < 5; i++) await read.execute(sql`select ${i}::int + 2 as sum`)
  expect(await prepared()).toEqual([])
})

test('a failed statement works again with other values', async () => {
  const { read } = await open()
  const divide = (by: number) => read.execute(sql`select 6 / ${by}::int as result`)
  for (const _ of [1, 2, 3, 4]) await expect(divide(0)).rejects.toThrow()
  expect((await divide(2)).rows).toEqual([{ result: 3 }])
})

test('the connection is replaced after a migration has changed the type of a result', async () => {
  const { pool, transact } = await open()
  await pool.query('create table changing (id int)')
  const find = () => transact((tx) => tx.execute(sql`select * from changing where id > ${0}`))
  for (const _ of [1, 2, 3]) await find()
  await pool.query('alter table changing add name text')
  const error = await find().catch((reason) => reason)
  expect(isUnavailable(error)).toBe(true)
  expect((await find()).rows).toEqual([])
})

test('the number of named statements is limited, and commands such as LOCK are not named', () => {
  const nameOf = createStatementNames()
  const nameOfThirdUse = (text: string) => [nameOf(text), nameOf(text), nameOf(text)].at(-1)
  expect(nameOfThirdUse('select 1 where $1')).toBe('s0')
  expect(nameOfThirdUse('lock table $1')).toBeUndefined()
  const names = Array.from({ length: 1_100 }, (_, at) => nameOfThirdUse(`select ${at + 2} where $1`))
  expect(new Set(names.filter((name) => name !== undefined)).size).toBe(999)
  expect(nameOf('select 1 where $1')).toBe('s0')
})
