import pg from 'pg'
import { migrate } from '../server/src/database/migrate.ts'
import { createDatabase } from './create-database.ts'
import { formatMs, p50, type Row, report, timeBoth, timeMs } from './measure.ts'

/*
 * Whether partitions by day would pay off for emails, the table that grows fastest and expires first. Both tables
 * have the columns of `mails` and emails of thirty days. The partitioned one cannot have the unique keys, because
 * these would have to contain the day (ADR 89).
 */

const DAYS = 30
const MAILS_PER_DAY = 30_000
const USERS = 10_000
const WARM_UP = 50
const RUNS = 500
/** The clean-up deletes this many rows with one statement. */
const BATCH = 1_000
/** Partitions are worth it if deleting the emails of a day takes more than this share of the time to write them. */
const MAX_DELETE_SHARE = 0.5

const TABLES = `
  create table plain (like mails including defaults);
  create unique index on plain (id);
  create unique index on plain (notification_id);
  create index on plain (user_id, id);
  create index on plain (created_at);
  create table partitioned (like mails including defaults) partition by range (created_at);
  create index on partitioned (id);
  create index on partitioned (notification_id);
  create index on partitioned (user_id, id);`

const startOf = (day: number) => `timestamptz '2026-01-01' + interval '${day} days'`

const addPartition = (day: number) => `
  do $$ begin
    execute format('create table day_${day} partition of partitioned for values from (%L) to (%L)',
      ${startOf(day)}, ${startOf(day + 1)});
  end $$`

const addDay = (table: string, day: number) => `
  insert into ${table} (id, user_id, address, kind, notification_id, done_at, created_at)
  select id, 'user' || id % ${USERS}, 'user' || id % ${USERS} || '@example.com', 'message', id, at, at
  from generate_series(${day * MAILS_PER_DAY + 1}, ${(day + 1) * MAILS_PER_DAY}) id,
    lateral (select ${startOf(day)} + id % ${MAILS_PER_DAY} * interval '1 second' as at) time`

const DELETE_BATCH = `
  delete from plain where ctid = any(array(
    select ctid from plain where created_at < ${startOf(1)} order by created_at limit ${BATCH}))`

export async function comparePartitions(adminUrl: string): Promise<boolean> {
  const url = await createDatabase(adminUrl, 'sought_bench_partitions')
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await compare(client)
  } finally {
    await client.end()
  }
}

async function compare(client: pg.Client): Promise<boolean> {
  await client.query(TABLES)
  let statements = 0
  let writeMs = 0
  for (let day = 0; day < DAYS; day++) {
    await client.query(addPartition(day))
    writeMs = await timeMs(() => client.query(addDay('plain', day)))
    await client.query(addDay('partitioned', day))
  }
  await client.query('vacuum analyze plain')
  await client.query('vacuum analyze partitioned')

  const both = async (text: (table: string) => string, values: () => unknown[]) => {
    const run = (table: string) => {
      const name = `${table}${++statements}`
      return () => client.query({ name, text: text(table), values: values() })
    }
    return timeBoth(run('plain'), run('partitioned'), { warmUp: WARM_UP, runs: RUNS })
  }
  const anyId = () => [1 + Math.floor(Math.random() * DAYS * MAILS_PER_DAY)]
  const rows = [
    toRow('an email by its id', await both((table) => `select * from ${table} where id = $1`, anyId)),
    toRow(
      'the last emails of a user',
      await both(
        (table) => `select * from ${table} where user_id = $1 order by id desc limit 20`,
        () => [`user${Math.floor(Math.random() * USERS)}`],
      ),
    ),
    toRow(
      'marking an email as sent',
      await both((table) => `update ${table} set done_at = now() where id = $1`, anyId),
    ),
  ]

  const deleteMs = await timeMs(async () => {
    while ((await client.query(DELETE_BATCH)).rowCount);
  })
  const dropMs = await timeMs(() => client.query('drop table day_0'))
  const share = deleteMs / writeMs
  rows.push({
    cells: [
      'deleting a day, as a share of writing it in one statement',
      share.toFixed(2),
      (dropMs / writeMs).toFixed(2),
      '',
      `at most ${MAX_DELETE_SHARE}`,
    ],
    ok: share <= MAX_DELETE_SHARE,
  })
  return report(
    `${(DAYS * MAILS_PER_DAY).toLocaleString('en')} emails of ${DAYS} days in one table, and in a partition for each day`,
    ['', 'one table', 'partitions', 'ratio', 'limit'],
    rows,
  )
}

/** Fails if partitions have become the faster choice, so that ADR 89 is reconsidered. */
function toRow(title: string, [plain, partitioned]: [plain: number[], partitioned: number[]]): Row {
  const ratio = p50(partitioned) / p50(plain)
  return {
    cells: [title, formatMs(p50(plain)), formatMs(p50(partitioned)), ratio.toFixed(2), 'at least 1'],
    ok: ratio >= 1,
  }
}
