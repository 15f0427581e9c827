import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lintMigration } from '../testing/lint-migration.ts'
import { MIGRATIONS } from './migrate.ts'

const lint = (sql: string) => lintMigration({ sql, version: '1.10.0' })

test('migrations after the baseline do not stop a market in operation', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
  const [baseline, ...names] = (await readdir(MIGRATIONS)).sort()
  expect(baseline).toMatch(/_baseline\.sql$/)
  expect(names.length).toBeGreaterThan(0)
  for (const name of names) {
    const sql = await readFile(join(MIGRATIONS, name), 'utf8')
    expect(await lintMigration({ name: name.replace('.sql', ''), sql, version }), name).toEqual([])
  }
})

test('each migration has its own time in its name', async () => {
  const times = (await readdir(MIGRATIONS)).map((name) => name.match(/^(20\d{12})_\w+\.sql$/)?.[1])
  expect(times).not.toContain(undefined)
  expect(new Set(times).size).toBe(times.length)
})

test.each([
  ['alter table users add a text not null', 'is not null without a default'],
  ['alter table users add a uuid default gen_random_uuid()', 'the default of a may rewrite the table'],
  ['alter table users add a int generated always as (1) stored', 'computing a rewrites the table'],
  ['alter table users add a bigserial', 'computing a rewrites the table'],
  ['alter table users add a text unique', 'make a unique with a concurrent index'],
  ['alter table users add a int check (a > 0)', 'as not valid'],
  ['alter table users add a int references payments (id)', 'as not valid'],
  ['alter table users alter email set not null', 'only with a validated check users_email_not_null'],
  ['alter table users alter id type uuid', 'changing the type of id'],
  ['alter table users alter bio drop default', 'drops the default of bio'],
  ['alter table users drop column bio', 'drops bio while the previous release uses it'],
  ['-- unused since 1.10.0\nalter table users drop column bio', 'drops bio'],
  ['alter table users rename column bio to about', 'renames bio'],
  ['alter table users rename to people', 'renames the table'],
  ['alter table users add constraint positive check (rating > 0)', 'add positive as not valid'],
  ['alter table users add constraint one unique (bio)', 'an index that was built concurrently'],
  ['alter table users add a int; alter table users validate constraint c', 'in a migration of its own'],
  ['alter table users set unlogged', 'rewrites the table'],
  ['create index i on users (bio)', 'create the index concurrently'],
  ['create index concurrently i on users (bio); select 1', 'a migration of its own'],
  ['drop index i', 'drop the index concurrently'],
  ['drop table users', 'drops users'],
  ['drop function f()', 'drops f'],
  ["update users set bio = ''", 'in batches'],
  ['delete from users', 'in batches'],
  ['truncate users', 'waits for every reader'],
  ['lock table users', 'locks a whole table'],
  ['vacuum full users', 'vacuum'],
  ['reindex table users', 'locks the table'],
  ['do $$ begin end $$', 'cannot be checked'],
])('a migration is refused for a dangerous statement: %s', async (sql, problem) => {
  expect(await lint(sql)).toEqual([expect.stringContaining(problem)])
})

test.each([
  `create table things (id int primary key, name text not null); create index i on things (name);
   alter table things add constraint c check (id > 0)`,
  `alter table users add a text, add b boolean not null default false, add c text[] not null default '{}',
   add d timestamptz default now()`,
  'alter table users alter bio drop not null',
  'alter table users add constraint c check (rating > 0) not valid',
  'alter table users validate constraint c',
  'alter table users alter bio set not null; alter table users drop constraint users_bio_not_null',
  'alter table users add constraint one unique using index i',
  'create index concurrently i on users (bio)',
  'drop index concurrently i',
  '-- unused since 1.9.3\nalter table users drop column bio; drop table things',
  "update ledger_entries set currency = 'usd'",
  'update installation set demo = false; alter table installation add a int check (a > 0)',
  'create or replace function f() returns trigger language plpgsql as $$ begin end $$; create trigger t after insert on users for each row execute function f()',
])('a migration may contain: %s', async (sql) => {
  expect(await lint(sql)).toEqual([])
})
