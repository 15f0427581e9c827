import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createKeys } from '../core/keys.ts'
import { waitUntilBlocked } from '../testing/blocked-statements.ts'
import { eventually } from '../testing/eventually.ts'
import { openDatabase } from '../testing/world.ts'
import { createKeyUse, useFirstKeys } from './key-use.ts'

const [OLD, NEW] = ['the old key of the tests', 'the new key of the tests']
const SESSION_SECRET = 'the session secret of the tests'

async function openMarket() {
  const pool = new pg.Pool({ connectionString: await openDatabase() })
  onTestFinished(() => pool.end())
  const secretsOf = (...dataKeys: string[]) => ({
    sessionKeys: createKeys([SESSION_SECRET]),
    dataKeys: createKeys(dataKeys),
  })
  return {
    pool,
    secretsOf,
    /** A process with this DATA_KEY. */
    async start(...dataKeys: string[]) {
      const secrets = secretsOf(...dataKeys)
      const use = createKeyUse(pool, secrets, { error: () => {}, warn: () => {} })
      onTestFinished(use.stop)
      await use.start()
      return { writing: secrets.dataKeys.writing, stop: use.stop }
    },
  }
}

test('a process without the key in use does not start, and is told which variable is wrong', async () => {
  const { start, pool, secretsOf } = await openMarket()
  const first = await start(OLD)
  await expect(start(NEW)).rejects.toThrow(
    'DATA_KEY: this database is used with another key. Set DATA_KEY to that key, or put that key after the new one, separated by a comma',
  )
  await first.stop()
  await expect(start(NEW)).rejects.toThrow(/^DATA_KEY: /)
  const secrets = { ...secretsOf(OLD), sessionKeys: createKeys(['another session secret']) }
  await expect(createKeyUse(pool, secrets, { error: () => {}, warn: () => {} }).start()).rejects.toThrow(
    /^SESSION_SECRET: /,
  )
  expect((await start(OLD)).writing()).toBe(OLD)
})

test('a new first key writes at once if no other process runs, and then the former one can be removed', async () => {
  const { start } = await openMarket()
  await (await start(OLD)).stop()
  const both = await start(NEW, OLD)
  expect(both.writing()).toBe(NEW)
  await both.stop()
  await expect(start(OLD)).rejects.toThrow(/^DATA_KEY: /)
  expect((await start(NEW)).writing()).toBe(NEW)
})

test('a new first key writes only when every running process has it as its first key', async () => {
  const { start } = await openMarket()
  const one = await start(OLD)
  const other = await start(OLD)
  await one.stop()
  const restarted = await start(NEW, OLD)
  const appended = await start(OLD, NEW)
  expect([restarted.writing(), appended.writing()]).toEqual([OLD, OLD])
  await appended.stop()
  expect(restarted.writing()).toBe(OLD)
  await other.stop()
  const last = await start(NEW, OLD)
  expect(last.writing()).toBe(NEW)
  await eventually(() => expect(restarted.writing()).toBe(NEW))
})

test('a process that starts while another one decides waits for the decision', async () => {
  const { start, pool } = await openMarket()
  await (await start(OLD)).stop()
  const deciding = await pool.connect()
  try {
    await deciding.query('begin')
    await deciding.query('select pg_advisory_xact_lock(7206835)')
    const starting = start(OLD).catch((error: Error) => error.message)
    await waitUntilBlocked(pool)
    await deciding.query("update key_checks set key_check = 'of another key' where name = 'DATA_KEY'")
    await deciding.query('commit')
    expect(await starting).toMatch(/^DATA_KEY: this database is used with another key/)
  } finally {
    deciding.release(true)
  }
})

test('a process that was killed is waited for only for a moment', async () => {
  const { start, pool } = await openMarket()
  await start(OLD)
  await pool.query("update running_processes set seen_at = now() - interval '16 seconds'")
  expect((await start(NEW, OLD)).writing()).toBe(NEW)
})

test('keys are rotated only when all running processes have them', { tags: ['proof'] }, async () => {
  const { start, pool, secretsOf } = await openMarket()
  const running = await start(OLD)
  await expect(useFirstKeys(pool, secretsOf(NEW, OLD))).rejects.toThrow(
    'Running processes have another first DATA_KEY. Restart all of them with the new list, then run this again.',
  )
  await running.stop()
  const secrets = secretsOf(NEW, OLD)
  await useFirstKeys(pool, secrets)
  expect(secrets.dataKeys.writing()).toBe(NEW)
})
