import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { waitUntilBlocked } from '../testing/blocked-statements.ts'
import { openDatabase } from '../testing/world.ts'
import { applyMigrations } from './apply-migrations.ts'

async function writeMigrations(...migrations: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await Promise.all(migrations.map((text, at) => writeFile(join(folder, `${at + 1}_step.sql`), text)))
  return folder
}

async function openEmpty() {
  const sql = new pg.Pool({ connectionString: await openDatabase({ migrated: false }) })
  onTestFinished(() => sql.end())
  const client = new pg.Client(sql.options.connectionString)
  await client.connect()
  onTestFinished(() => client.end())
  return { sql, client }
}

const CREATE = 'create table things (id int); insert into things values (1), (1)'

test('a migration that waits for a table lock lets other statements pass and is retried', async () => {
  const { sql, client } = await openEmpty()
  await applyMigrations(client, await writeMigrations(CREATE))
  const reader = await sql.connect()
  await reader.query('begin; select from things')
  const folder = await writeMigrations(CREATE, 'alter table things add name text; select 1')
  const migrated = applyMigrations(client, folder, { lockTimeoutMs: 500 })
  await waitUntilBlocked(sql)
  // This statement is queued after the migration, so it would otherwise wait for the reader too.
  expect((await sql.query('select from things')).rowCount).toBe(2)
  await reader.query('commit')
  reader.release()
  await migrated
  await applyMigrations(client, folder)
  expect((await sql.query('select name from things')).rowCount).toBe(2)
})

test('a migration that never gets its table lock fails after the last attempt', {
  tags: ['proof'],
}, async () => {
  const { sql, client } = await openEmpty()
  await applyMigrations(client, await writeMigrations(CREATE))
  const reader = await sql.connect()
  await reader.query('begin; select from things')
  const folder = await writeMigrations(CREATE, 'alter table things add name text')
  const migrated = applyMigrations(client, folder, { lockTimeoutMs: 50, lockAttempts: 2 })
  await expect(migrated).rejects.toMatchObject({ code: '55P03' })
  await reader.query('commit')
  reader.release()
})

test('a failed migration changes nothing, and earlier ones stay applied', async () => {
  const { client } = await openEmpty()
  const folder = await writeMigrations(CREATE, 'alter table things add name text; select nonsense')
  await expect(applyMigrations(client, folder)).rejects.toThrow('nonsense')
  expect((await client.query('select * from things')).fields.map(({ name }) => name)).toEqual(['id'])
})

test('indexes are built concurrently, also after a failed build', async () => {
  const { client } = await openEmpty()
  const folder = await writeMigrations(CREATE, 'create unique index concurrently things_id on things (id)')
  await expect(applyMigrations(client, folder)).rejects.toThrow('could not create unique index')
  await client.query('delete from things')
  await applyMigrations(client, folder)
  const { rows } = await client.query(
    `select indisvalid from pg_index where indexrelid = 'things_id'::regclass`,
  )
  expect(rows).toEqual([{ indisvalid: true }])
})

test('a migration that is missing below the newest one is applied', async () => {
  const { client } = await openEmpty()
  const folder = await writeMigrations(
    CREATE,
    'alter table things add name text',
    'alter table things add price int',
  )
  await rename(join(folder, '2_step.sql'), join(folder, '2_step.later'))
  await applyMigrations(client, folder)
  await rename(join(folder, '2_step.later'), join(folder, '2_step.sql'))
  await applyMigrations(client, folder)
  await applyMigrations(client, folder)
  expect((await client.query('select * from things')).fields.map(({ name }) => name)).toEqual([
    'id',
    'price',
    'name',
  ])
  const { rows } = await client.query(
    'select created_at::int as number from drizzle.__drizzle_migrations order by id',
  )
  expect(rows.map(({ number }) => number)).toEqual([1, 3, 2])
})
