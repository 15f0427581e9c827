// @module-tag proof
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from './database.ts'

function open(limits?: Parameters<typeof openDatabase>[3]) {
  const url = new URL(inject('postgresUrl'))
  // Not the default database: the server's tests copy it, and PostgreSQL cannot copy one that has connections.
  url.pathname = '/template1'
  const database = openDatabase(
    url.href,
    () => new Date(),
    () => {},
    limits,
  )
  onTestFinished(database.close)
  return database
}

const sleep = (seconds: number) => `select pg_sleep(${seconds})`

test('a statement that exceeds the limit is cancelled', async () => {
  const { transact, read } = open({ statementTimeoutMs: 50 })
  await expect(transact((tx) => tx.query(sleep(60)))).rejects.toMatchObject({ code: '57014' })
  expect(await read().query('select 1 as one')).toEqual([{ one: 1 }])
})

test('a transaction waits no longer than the limit for a connection', async () => {
  const { transact } = open({ connectTimeoutMs: 500 })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const all = Array.from({ length: 8 }, () => transact(() => released))
  await expect(transact(async () => {})).rejects.toThrow('timeout exceeded when trying to connect')
  release()
  await Promise.all(all)
})
