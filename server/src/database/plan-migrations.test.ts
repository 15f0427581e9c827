import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../testing/world.ts'
import { planMigrations } from './plan-migrations.ts'

test('pending migrations are named with the locks they take, and nothing is changed', async () => {
  const client = new pg.Client({ connectionString: await openDatabase() })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(
    `insert into users (id, email) select i, i || '@example.com' from generate_series(1, 2000) i`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = {
    '20261119120000_baseline.sql': 'create table applied_long_ago (id int);',
    '29990101000000_new.sql': `
      -- A comment; with a semicolon.
      create table pets (id int, owner text);
      create index pets_owner on pets (owner);
      create function count_pets() returns int language sql as $$ select 1; select 2 $$;
      alter table users add column pet text;
      alter table payments add constraint pets foreign key (id) references pets (id) not valid;
      create trigger count_pets after insert on users for each statement execute function f();`,
    '29990101000001_validate.sql': 'alter table users validate constraint pets;',
    '29990101000002_index.sql': 'create unique index concurrently users_pet on users (pet);',
  }
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql)

  const planned = await planMigrations(client, folder)
  expect(
    planned.map(({ name, steps }) => [name, steps.map(({ lock, table, blocks }) => [lock, table, blocks])]),
  ).toEqual([
    [
      '29990101000000_new.sql',
      [
        [null, null, 'nobody'],
        [null, null, 'nobody'],
        [null, null, 'nobody'],
        ['ACCESS EXCLUSIVE', 'users', 'everybody'],
        ['SHARE ROW EXCLUSIVE', 'payments', 'writes'],
        ['SHARE ROW EXCLUSIVE', 'users', 'writes'],
      ],
    ],
    ['29990101000001_validate.sql', [['SHARE UPDATE EXCLUSIVE', 'users', 'nobody']]],
    ['29990101000002_index.sql', [['SHARE UPDATE EXCLUSIVE', 'users', 'nobody']]],
  ])
  const [, validate, index] = planned.map(({ steps }) => steps[0])
  expect(validate?.readBytes).toBeGreaterThan(100_000)
  expect(index?.seconds).toBeGreaterThanOrEqual(validate?.seconds ?? 0)
  const { rows } = await client.query("select to_regclass('pets') as pets, to_regclass('users_pet') as index")
  expect(rows).toEqual([{ pets: null, index: null }])
})
