import { beforeAll, beforeEach, expect, test } from 'vitest'
import { shareWorld } from '../../../../testing/world.ts'
import type { ItemFilter } from './item-filter.ts'
import { findSimilarTerms, findTerms, MAX_WORDS } from './search-terms.ts'

const world = shareWorld()

beforeAll(() => world().sql.query(`insert into users (id, email) values ('someone', 's@example.com')`))
beforeEach(() => world().sql.query('delete from wanted_items'))

interface Draft {
  title: string
  minBudget?: number
  maxBudget?: number
  location?: string
  daysOld?: number
}

async function insertRequests(...drafts: Draft[]): Promise<void> {
  await world().sql.query(
    `insert into wanted_items (title, description, category, location, urgency, user_id,
       min_budget, max_budget, created_at)
     select title, '-', 'Other', coalesce(location, '-'), 'medium', 'someone',
       coalesce("minBudget", 0), coalesce("maxBudget", 0), $2::timestamptz - coalesce("daysOld", 0) * interval '1 day'
     from json_to_recordset($1) as draft (
       title text, location text, "minBudget" numeric, "maxBudget" numeric, "daysOld" integer)`,
    [JSON.stringify(drafts), world().services.clock()],
  )
}

const db = () => world().services.database.read

const asFilter = (filter: Partial<ItemFilter>): ItemFilter => ({
  limit: 10,
  now: world().services.clock(),
  ...filter,
})

const find = (filter: Partial<ItemFilter>) => findTerms(db(), asFilter(filter))

const positions = async () =>
  (await world().sql.query('select position::int from wanted_items order by id')).rows.map(
    ({ position }) => position,
  )

test('counting a term stops at the last request that can match', async () => {
  await insertRequests({ title: 'Chair' }, { title: 'Red lamp' }, { title: 'Table' }, { title: 'Blue lamp' })
  await world().sql.query('analyze wanted_items')
  const found = await find({ search: 'lamp' })
  expect(found.terms).toMatchObject([
    { kind: 'text', part: 'lamp', words: ['lamp'], listed: ['lamp'], entries: 2, sampled: 2 },
  ])
  expect(found.openCount).toBe(4)
  const [, oldest, , newest] = await positions()
  expect(found.span).toMatchObject({ after: { position: newest + 1 }, upTo: { position: oldest } })
  const upToNewest = await find({ search: 'lamp', upTo: { position: newest } })
  expect(upToNewest.terms).toMatchObject([{ entries: 1 }])
})

test('a word that no open request contains has no entries and no last request', async () => {
  await insertRequests({ title: 'Chair' })
  const found = await find({ search: 'lamp' })
  expect(found.terms).toMatchObject([{ entries: 0, sampled: 0 }])
  expect(found.span).toEqual({ after: undefined, upTo: undefined })
})

test('expired requests that are still listed are counted, except in the order of expiry', async () => {
  await insertRequests({ title: 'Lamp', daysOld: 61 }, { title: 'Lamp' })
  expect((await find({ search: 'lamp' })).terms).toMatchObject([{ entries: 2 }])
  expect((await find({ search: 'lamp', sort: 'expiring' })).terms).toMatchObject([{ entries: 1 }])
})

test('a term with too many words is assumed to match half of the sample', async () => {
  const words = Array.from({ length: MAX_WORDS + 1 }, (_, index) => ({ title: `stool${index}` }))
  await insertRequests(...words)
  expect((await find({ search: 'stool' })).terms).toEqual([
    {
      kind: 'text',
      part: 'stool',
      words: null,
      listed: null,
      entries: Number.POSITIVE_INFINITY,
      sampled: 200,
    },
  ])
})

test('in a list sorted by budget, the frequency of a budget filter is a fixed estimate', async () => {
  await insertRequests({ title: 'Lamp', minBudget: 10, maxBudget: 20 }, { title: 'Chair', maxBudget: 900 })
  const sampledFor = async (filter: Partial<ItemFilter>) => (await find(filter)).terms[0]?.sampled
  expect(await sampledFor({ minBudget: 500 })).toBe(1)
  expect(await sampledFor({ maxBudget: 5 })).toBe(1)
  expect(await sampledFor({ minBudget: 500, sort: 'budget' })).toBe(400)
  expect(await sampledFor({ maxBudget: 5, sort: 'budget' })).toBe(50)
  expect(await sampledFor({ search: 'lamp', sort: 'budget' })).toBe(1)
})

test('similar spellings are tried for the search text, but not for the location', async () => {
  await insertRequests({ title: 'Camera', location: 'Malmo' })
  const filter = asFilter({ search: 'camra', location: 'malma' })
  const { terms } = await findTerms(db(), filter)
  const similar = await findSimilarTerms(db(), terms, filter)
  expect(similar.terms).toMatchObject([
    { kind: 'text', part: 'camra', words: ['camera'], entries: 1 },
    { kind: 'location', part: 'malma', words: [], entries: 0 },
  ])
})
