import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { momentOf, readText } from '../src/platform/text-rows.ts'
import { openDatabase } from './world.ts'

/** A pool of one, so that every statement goes through the same connection. */
async function openPool(): Promise<pg.Pool> {
  const pool = new pg.Pool({ connectionString: await openDatabase(), max: 1 })
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  return pool
}

describe('a statement that is kept under its name', () => {
  const divide = { name: 'divide', text: 'select 12 / $1::integer, null, $2' }

  test('is answered with text and nulls, row by row', async () => {
    const pool = await openPool()
    const text = "select n, nullif(n, 2), 'ä' || $1 from generate_series(1, 3) n"
    const rows = await readText(pool, { name: 'count', text, values: ["'; drop table users; -- 漢字 😀"] })
    expect(rows).toEqual([
      ['1', '1', "ä'; drop table users; -- 漢字 😀"],
      ['2', null, "ä'; drop table users; -- 漢字 😀"],
      ['3', '3', "ä'; drop table users; -- 漢字 😀"],
    ])
    expect(await readText(pool, { name: 'none', text: 'select 1 where false', values: [] })).toEqual([])
  })

  test('is read by PostgreSQL once for each connection', async () => {
    const pool = await openPool()
    for (const [by, twelfth] of [
      ['3', '4'],
      ['4', '3'],
      ['5', '2'],
    ] as const) {
      expect(await readText(pool, { ...divide, values: [by, 'x'] })).toEqual([[twelfth, null, 'x']])
    }
    const { rows } = await pool.query(
      'select name, generic_plans + custom_plans as runs from pg_prepared_statements',
    )
    expect(rows).toEqual([{ name: 'divide', runs: '3' }])
  })

  test('may fail, and be asked again', async () => {
    const pool = await openPool()
    await expect(readText(pool, { ...divide, values: ['0', 'x'] })).rejects.toMatchObject({ code: '22012' })
    expect(await readText(pool, { ...divide, values: ['6', 'x'] })).toEqual([['2', null, 'x']])
    const wrong = { name: 'wrong', text: 'select nothing', values: [] }
    await expect(readText(pool, wrong)).rejects.toMatchObject({ code: '42703' })
    await expect(readText(pool, wrong)).rejects.toMatchObject({ code: '42703' })
    expect(await readText(pool, { ...divide, values: ['6', 'x'] })).toEqual([['2', null, 'x']])
  })

  test('may lose its connection, and be asked again on another', async () => {
    const pool = await openPool()
    const end = { name: 'end', text: 'select pg_terminate_backend(pg_backend_pid())', values: [] }
    await expect(readText(pool, end)).rejects.toThrow(/terminat/)
    expect(await readText(pool, { ...divide, values: ['6', 'x'] })).toEqual([['2', null, 'x']])
  })
})

test.each([
  ['2026-02-03 04:05:06+00', '2026-02-03T04:05:06.000Z'],
  ['2026-02-03 04:05:06.1+00', '2026-02-03T04:05:06.100Z'],
  ['2026-02-03 04:05:06.07+00', '2026-02-03T04:05:06.070Z'],
  ['2026-02-03 04:05:06.123456+00', '2026-02-03T04:05:06.123Z'],
  ['2026-02-03 09:50:06.07+05:45', '2026-02-03T04:05:06.070Z'],
  ['2026-02-02 20:05:06-08', '2026-02-03T04:05:06.000Z'],
  ['12026-02-03 04:05:06+00', '+012026-02-03T04:05:06.000Z'],
])('PostgreSQL’s %s is %s', (text, moment) => {
  expect(momentOf(text)).toBe(moment)
})
