import { expect, onTestFinished, test } from 'vitest'
import { openDatabase as createDatabase } from '../testing/world.ts'
import { systemClock } from './clock.ts'
import { openDatabase } from './database.ts'

/** More than the pool has connections. */
const LOSSES = 25

test('connections that break when a transaction begins are returned to the pool', async () => {
  const url = await createDatabase()
  const database = openDatabase(url, systemClock, () => {})
  onTestFinished(() => database.close())
  let breaks = LOSSES
  // Simulates an immediate stop of PostgreSQL: the pool does not know yet that the connection is gone.
  database.pool.on('acquire', (client) => {
    if (breaks-- > 0) void (client as unknown as { end(): Promise<void> }).end().catch(() => {})
  })
  for (let loss = 0; loss < LOSSES; loss++) {
    await expect(database.transact((tx) => tx.execute('select 1'))).rejects.toThrow()
  }
  const { rows } = await database.transact((tx) => tx.execute('select 1 as one'))
  expect(rows).toEqual([{ one: 1 }])
})
