import { type Database, openDatabase } from '../server/src/platform/database.ts'
import { migrate } from '../server/src/platform/migrate.ts'

const BATCH = 50_000

/**
 * Words with a known frequency, as SQL conditions on the number n of a request. The other words are built from
 * syllables of different frequency: 8,000 words, distributed like those of a natural language.
 */
const MARKERS = {
  walnut: 'roll(n, 1) < 0.3',
  brass: 'roll(n, 2) < 0.01',
  sextant: 'n % (total / 20) = 0',
  gramophone: 'n <= total / 2 and roll(n, 3) < 0.4',
  porcelain: 'n % 10 = 3 or n % (total / 10) = 0',
  bicycle: 'n % 10 = 7 or n % (total / 10) = 0',
  camera: 'roll(n, 4) < 0.02',
  cameras: 'roll(n, 5) < 0.01',
}

/** Pseudo-random but deterministic, so that every run has the same data. */
const FUNCTIONS = `
  create function roll(n integer, salt integer) returns double precision immutable language sql
    return (hashint8extended(n, salt) & 1048575) / 1048576.0;
  create function syllable(n integer, salt integer) returns text immutable language sql
    return substr('bakemiloturanesipoduvageficohujalerisozu', 1 + 2 * floor(20 * roll(n, salt) ^ 2)::integer, 2);
  create function made_up(n integer, salt integer) returns text immutable language sql
    return syllable(n, salt) || syllable(n, salt + 100) || syllable(n, salt + 200);`

const DROP_FUNCTIONS = 'drop function made_up, syllable, roll'

const sentence = (length: number, salt: number) =>
  Array.from({ length }, (_, at) => `made_up(n, ${salt + at})`).join(" || ' ' || ")

const markers = Object.entries(MARKERS).map(([word, when]) => `case when ${when} then ' ${word}' else '' end`)

const INSERT = `
  insert into wanted_items (title, description, category, location, min_budget, max_budget, urgency, user_id)
  select initcap(${sentence(3, 10)}), ${sentence(12, 20)} || ${markers.join(' || ')},
    (array['Electronics', 'Home & Garden', 'Automotive', 'Fashion', 'Sports', 'Music', 'Books & Media', 'Other'])
      [1 + floor(8 * roll(n, 6))],
    initcap(made_up(n % 300, 7)), 10, 200,
    case when roll(n, 8) < 0.1 then 'high' else 'medium' end, 'bench' || n % 100
  from (select n, $3::integer as total from generate_series($1::integer, $2::integer) n) numbered`

/** Fills the database with this many requests and logs the progress. */
export async function seedRequests(
  url: string,
  total: number,
  log: (line: string) => void,
): Promise<Database> {
  await migrate(url)
  const database = openDatabase(url, () => new Date(), console.error)
  const client = await database.pool.connect()
  const began = performance.now()
  try {
    await client.query('set statement_timeout = 0')
    await client.query(FUNCTIONS)
    await client.query(`insert into users (id, email, first_name, last_name)
      select 'bench' || n, 'bench' || n || '@example.com', 'Bench', 'Person ' || n from generate_series(0, 99) n`)
    for (let first = 1; first <= total; first += BATCH) {
      const last = Math.min(first + BATCH - 1, total)
      await client.query(INSERT, [first, last, total])
      log(`${last.toLocaleString('en')} requests after ${Math.round((performance.now() - began) / 1000)} s`)
    }
    await client.query(DROP_FUNCTIONS)
    await client.query('vacuum analyze')
  } finally {
    client.release(true)
  }
  return database
}
