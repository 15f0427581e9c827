import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { batchReads } from './batched-reads.ts'

/** Reads numbers as texts, and records which ones were read together. */
function openReads() {
  const read: number[][] = []
  let error: Error | null = null
  const ask = batchReads<number, string>(async (_db, keys) => {
    read.push(keys)
    if (error) throw error
    return new Map(keys.filter((key) => key < 100).map((key) => [key, `row ${key}`]))
  })
  return { read, ask, fail: (with_: Error | null) => (error = with_) }
}

const openPool = () => drizzle(new pg.Pool())

test('keys that are requested at the same time are read by one statement, each once', async () => {
  const { read, ask } = openReads()
  const db = openPool()
  expect(await Promise.all([ask(db, 1), ask(db, 2), ask(db, 1), ask(db, 100)])).toEqual([
    'row 1',
    'row 2',
    'row 1',
    undefined,
  ])
  expect(read).toEqual([[1, 2, 100]])
})

test('a later read and a read of another database use their own statements', async () => {
  const { read, ask } = openReads()
  const [db, other] = [openPool(), openPool()]
  await ask(db, 1)
  await Promise.all([ask(db, 1), ask(other, 1)])
  expect(read).toEqual([[1], [1], [1]])
})

test('a failed read fails for all callers that share it, and the next read succeeds', async () => {
  const { ask, fail } = openReads()
  const db = openPool()
  fail(new Error('lost'))
  const asked = [ask(db, 1), ask(db, 2)]
  for (const one of asked) await expect(one).rejects.toThrow('lost')
  fail(null)
  expect(await ask(db, 1)).toBe('row 1')
})
