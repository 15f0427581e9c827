import { type Database, openDatabase } from '../server/src/database/database.ts'
import { migrate } from '../server/src/database/migrate.ts'

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

/**
 * Where requests are, as SQL conditions like those of words. The other places are a thousand towns all over the
 * world, and the first ones have the most requests. The gazetteer does not know a tenth of the locations.
 */
export const PLACES = {
  'Port Stanley': { when: 'n % (total / 20) = 0', latitude: -51.7, longitude: -57.85 },
  Springfield: { when: 'roll(n, 44) < 0.1', latitude: 39.8, longitude: -89.64 },
  Avonlea: { when: 'roll(n, 44) < 0.11', latitude: 48.85, longitude: 2.35 },
}

type Place = (typeof PLACES)[keyof typeof PLACES]

const placeCase = (result: (name: string, place: Place) => string, otherwise: string) =>
  `case ${Object.entries(PLACES)
    .map(([name, place]) => `when ${place.when} then ${result(name, place)}`)
    .join(' ')} else ${otherwise} end`

/**
 * Posted in the order of their numbers within 61 days, so that the first have expired without a sweep. Every 20th
 * was posted earlier and renewed. 1% have an open budget, the others a maximum between 10 and 100,000.
 */
const INSERT = `
  insert into wanted_items (id, title, description, category, location, place, is_located, min_budget, max_budget,
    image_url, urgency, created_at, renewed_at, renewed_position, user_id)
  select n, initcap(${sentence(3, 10)}), ${sentence(12, 20)} || ${markers.join(' || ')},
    (array['Electronics', 'Home & Garden', 'Automotive', 'Fashion', 'Sports', 'Music', 'Books & Media', 'Other'])
      [1 + floor(8 * roll(n, 6))],
    ${placeCase((name) => `'${name}'`, 'initcap(made_up(town, 7))')},
    case when roll(n, 40) < 0.9 then ${placeCase(
      (_, { latitude, longitude }) => `point(${longitude}, ${latitude})`,
      'point(360 * roll(town, 41) - 180, 100 * roll(town, 42) - 40)',
    )} end, true,
    round(max_budget * (0.2 + 0.8 * roll(n, 49))), max_budget, case when roll(n, 43) < 0.4 then '/files/bench.webp' end,
    case when roll(n, 8) < 0.1 then 'high' when roll(n, 8) < 0.11 then 'low' else 'medium' end,
    case when is_renewed then moment - interval '59 days' * roll(n, 47) else moment end,
    case when is_renewed then moment end, case when is_renewed then n end, 'bench' || n % 100
  from (
    select n, $3::integer as total, floor(1000 * roll(n, 45) ^ 3)::integer as town,
      case when roll(n, 46) < 0.01 then 0 else round(10 * 10 ^ (4 * roll(n, 48))) end as max_budget,
      n % 20 = 7 as is_renewed, now() - interval '61 days' * ($3 - n) / $3 as moment
    from generate_series($1::integer, $2::integer) n
  ) numbered`

/** Indexes are created at the end, which takes a fraction of the time. */
const LIST_INDEXES = `
  select indexname, indexdef from pg_indexes
  where tablename in ('wanted_items', 'wanted_item_words') and indexname not in (select conname from pg_constraint)`

const INDEX_WORDS = `
  insert into search_words (word) select distinct word collate "C" from wanted_items, unnest(words) word;
  insert into wanted_item_words (word, position, max_budget, expires_at)
    select distinct word collate "C", position, max_budget, expires_at
    from wanted_items, unnest(words || marks) word order by 1, 2;
  alter table wanted_items enable trigger wanted_items_insert_words`

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
    await client.query(
      "set statement_timeout = 0; set maintenance_work_mem = '256MB'; set work_mem = '256MB'",
    )
    await client.query(FUNCTIONS)
    await client.query(`insert into users (id, email, first_name, last_name)
      select 'bench' || n, 'bench' || n || '@example.com', 'Bench', 'Person ' || n from generate_series(0, 99) n`)
    const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(LIST_INDEXES)
    await client.query(`drop index ${indexes.map(({ indexname }) => indexname).join(', ')}`)
    await client.query('alter table wanted_items disable trigger wanted_items_insert_words')
    for (let first = 1; first <= total; first += BATCH) {
      const last = Math.min(first + BATCH - 1, total)
      await client.query(INSERT, [first, last, total])
      log(`${last.toLocaleString('en')} requests after ${secondsSince(began)} s`)
    }
    await client.query(
      "select setval(pg_get_serial_sequence('wanted_items', 'id'), max(id)) from wanted_items",
    )
    await client.query(INDEX_WORDS)
    for (const { indexdef } of indexes) await client.query(indexdef)
    await client.query(DROP_FUNCTIONS)
    await client.query('vacuum analyze')
    log(`indexed after ${secondsSince(began)} s`)
  } finally {
    client.release(true)
  }
  return database
}

const secondsSince = (began: number) => Math.round((performance.now() - began) / 1000)
