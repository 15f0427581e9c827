import { SORTS, type Sort } from '@sought/contract/request-filters'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeSettings } from '../../../../testing/change-settings.ts'
import { shareWorld } from '../../../../testing/world.ts'
import { locateInTime } from '../../places/actions.ts'
import { locateRequests } from '../locate-requests.ts'
import { findOpenItems } from '../queries.ts'
import type { ItemFilter } from './item-filter.ts'

const world = shareWorld()

/** Title, minimum, maximum, location, latitude and longitude, picture, days since it was posted. */
type Draft = [
  title: string,
  min: number,
  max: number,
  location: string,
  point: string | null,
  image: boolean,
  age: number,
]

const drafts: Draft[] = [
  ['open', 700, 0, 'Anywhere', null, true, 9],
  ['cheap', 5, 20, 'Paris, France', '(2.3488,48.85341)', false, 50],
  ['middle', 50, 100, 'Versailles', '(2.1339,48.8036)', true, 20],
  ['dear', 900, 1500.5, 'Lyon', '(4.84671,45.74846)', false, 3],
  ['dearest', 4000, 9000, 'Paris, Texas', '(-95.55551,33.66094)', false, 1],
  ['far east', 10, 60, 'Taveuni', '(179.98,-16.9)', false, 2],
  ['far west', 10, 60, 'Vanua Balavu', '(-178.97,-17.2)', false, 2],
]

const pictures: Record<string, string> = { open: '/files/a.webp', middle: 'https://a.example/a.webp' }

beforeAll(async () => {
  const { sql } = world()
  await sql.query(`insert into users (id, email) values ('someone', 's@example.com')`)
  for (const [title, min, max, location, point, image, age] of drafts) {
    await sql.query(
      `insert into wanted_items (title, description, category, min_budget, max_budget, location, place, image_url,
         created_at, user_id)
       values ($1, 'walnut', 'Other', $2, $3, $4, $5::point, $6, now() - $7 * interval '1 day', 'someone')`,
      [title, min, max, location, point, image ? pictures[title] : null, age],
    )
  }
})

const ask = (query: string) => world().visitor(`GET /api/wanted-items?${query}`)

async function titles(query: string): Promise<string[]> {
  const reply = await ask(query)
  expect(reply.statusCode).toBe(200)
  return reply.json<{ title: string }[]>().map(({ title }) => title)
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

describe('filters', () => {
  test.each([
    ['minBudget=1500', ['dearest', 'dear', 'open']],
    ['minBudget=1500.51', ['dearest', 'open']],
    ['maxBudget=5', ['cheap', 'open']],
    ['maxBudget=4.99', ['open']],
    ['minBudget=15&maxBudget=55', ['far west', 'far east', 'middle', 'cheap', 'open']],
    ['near=48.85,2.35', ['middle', 'cheap']],
    ['near=48.85,2.35&radiusKm=10', ['cheap']],
    ['near=48.85,2.35&radiusKm=500', ['dear', 'middle', 'cheap']],
    ['near=-17,180&radiusKm=200', ['far west', 'far east']],
    ['near=-17,-179.9&radiusKm=200', ['far west', 'far east']],
    ['near=90,0&radiusKm=500', []],
    ['near=Paris', ['middle', 'cheap']],
    ['near=paris,+us', ['dearest']],
    ['near=Paris,+Texas,+United+States', ['dearest']],
    ['location=paris', ['dearest', 'cheap']],
    ['location=paris+texas', ['dearest']],
    ['location=walnut', []],
    ['hasImage=true', ['middle', 'open']],
    ['hasImage=true&maxBudget=5', ['open']],
    ['hasImage=false&minBudget=1500', ['dearest', 'dear']],
    ['since=9999-12-31T23:59:00-23:00', []],
    ['since=0000-01-01&hasImage=true', ['middle', 'open']],
    [`since=${daysAgo(2.5)}`, ['far west', 'far east', 'dearest']],
    ['search=walnut&minBudget=1500&near=33.6,-95.5', ['dearest']],
    ['search=wallnut&minBudget=1500', ['dearest', 'dear', 'open']],
    [
      'search=&category=&urgency=&minBudget=&maxBudget=&near=&radiusKm=&since=&hasImage=true&sort=',
      ['middle', 'open'],
    ],
  ])('%s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected)
    const count = await world().visitor(`GET /api/wanted-items/count?${query}`)
    expect(count.json()).toEqual({ count: expected.length, isMore: false })
  })

  const byBudget = ['dearest', 'dear', 'middle', 'far west', 'far east', 'cheap', 'open']
  const byExpiry = ['cheap', 'middle', 'open', 'dear', 'far east', 'far west', 'dearest']

  test.each([
    ['sort=newest', drafts.map(([title]) => title).reverse()],
    ['sort=budget', byBudget],
    ['sort=expiring', byExpiry],
    ['sort=budget&search=walnut', byBudget],
    ['sort=expiring&search=walnut', byExpiry],
    ['sort=budget&near=48.85,2.35&radiusKm=500', ['dear', 'middle', 'cheap']],
    ['sort=expiring&minBudget=1500', ['open', 'dear', 'dearest']],
  ])('%s lists every request once over all pages', async (query, expected) => {
    expect(await titles(query)).toEqual(expected)
    const paged: string[] = []
    let next: string | undefined = `/api/wanted-items?${query}&limit=2`
    while (next) {
      const reply = await world().visitor(`GET ${next}`)
      expect(reply.statusCode).toBe(200)
      paged.push(...reply.json<{ title: string }[]>().map(({ title }) => title))
      next = /<(.*)>/.exec(String(reply.headers.link ?? ''))?.[1]
    }
    expect(paged).toEqual(expected)
  })

  test.each([
    ['minBudget=20&maxBudget=10', 'minBudget', 'The minimum is above the maximum'],
    ['minBudget=-1', 'minBudget', 'Must be an amount between 0 and 20,000,000, with at most two decimals'],
    ['maxBudget=1.234', 'maxBudget', 'Must be an amount between 0 and 20,000,000, with at most two decimals'],
    [
      'maxBudget=20000001',
      'maxBudget',
      'Must be an amount between 0 and 20,000,000, with at most two decimals',
    ],
    ['radiusKm=0', 'radiusKm', 'Must be a whole number between 1 and 500'],
    ['radiusKm=501', 'radiusKm', 'Must be a whole number between 1 and 500'],
    ['near=91,0', 'near', 'The latitude or the longitude is out of range'],
    ['near=Xyzzyville', 'near', 'We do not know this place'],
    ['since=yesterday', 'since', 'Must be a date or a time, such as 2026-11-30 or 2026-11-30T12:00:00Z'],
    ['since=2026-02-30', 'since', 'Must be a date or a time, such as 2026-11-30 or 2026-11-30T12:00:00Z'],
    ['hasImage=maybe', 'hasImage', 'Must be true or false'],
    ['sort=price', 'sort', 'Must be newest, budget or expiring'],
    ['urgency=now', 'urgency', 'Must be low, medium or high'],
    ['cursor=0', 'cursor', 'Must be the cursor of a page'],
    ['sort=budget&cursor=7', 'cursor', 'Must be a cursor of a list with the same sort order'],
    ['cursor=12.5-7', 'cursor', 'Must be a cursor of a list with the same sort order'],
    ['currency=euro', 'currency', 'Must be the code of a currency, such as usd'],
    [
      'currency=idr&minBudget=10000000000',
      'minBudget',
      'Must be an amount between 0 and 9,999,999,999.99, with at most two decimals',
    ],
  ])('%s is refused', async (query, path, message) => {
    const reply = await ask(query)
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({ code: 'invalid', issues: [{ path, message }] })
  })
})

describe('in a market with several currencies', () => {
  beforeAll(async () => {
    const { services, sql } = world()
    await changeSettings(services, { currencies: ['usd', 'idr', 'eur'] })
    await sql.query(`
      insert into wanted_items (title, description, category, currency, min_budget, max_budget, location, user_id)
      values ('rice cooker', '-', 'Music', 'idr', 0, 900000, 'Jakarta', 'someone'),
        ('house', '-', 'Music', 'idr', 1000000000, 9000000000, 'Jakarta', 'someone'),
        ('villa', '-', 'Music', 'idr', 25000000, 0, 'Jakarta', 'someone')`)
  })
  afterAll(async () => {
    const { services, sql } = world()
    await sql.query(`delete from wanted_items where currency = 'idr'`)
    await changeSettings(services, { currencies: ['usd'] })
  })

  test.each([
    ['currency=idr', ['villa', 'house', 'rice cooker']],
    ['currency=idr&sort=budget', ['house', 'rice cooker', 'villa']],
    ['currency=idr&minBudget=1000000', ['villa', 'house']],
    ['currency=idr&minBudget=21000000', ['villa', 'house']],
    ['currency=idr&maxBudget=999999999', ['villa', 'rice cooker']],
    ['currency=idr&maxBudget=1000000000', ['villa', 'house', 'rice cooker']],
    ['currency=idr&search=house', ['house']],
    ['currency=eur', []],
    ['category=Music', ['villa', 'house', 'rice cooker']],
    // Without a currency, amounts are in the market's first one.
    ['minBudget=1500', ['dearest', 'dear', 'open']],
    ['sort=budget', ['dearest', 'dear', 'middle', 'far west', 'far east', 'cheap', 'open']],
  ])('%s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected)
    const count = await world().visitor(`GET /api/wanted-items/count?${query}`)
    expect(count.json()).toEqual({ count: expected.length, isMore: false })
  })
})

describe('places', () => {
  const names = async (search: string) => {
    const reply = await world().visitor(`GET /api/places?${new URLSearchParams({ search })}`)
    return reply.json<{ name: string }[]>().map(({ name }) => name)
  }

  test.each([
    ['pari', 'Paris, Île-de-France, France'],
    ['paris, t', 'Paris, Texas, United States'],
    ['München', 'Munich, Bavaria, Germany'],
    ['new york', 'New York City, New York, United States'],
    ['st louis', 'St. Louis, Missouri, United States'],
    ['sao pau', 'São Paulo, São Paulo, Brazil'],
    ['Москва', 'Moscow, Moscow, Russia'],
    ['東京', 'Tokyo, Tokyo, Japan'],
    ['lodz', 'Łódź, Łódź Voivodeship, Poland'],
    ['london, on', 'London, Ontario, Canada'],
    ['stratford upon', 'Stratford-upon-Avon, England, United Kingdom'],
    ['x', 'Xi’an, Shaanxi, China'],
  ])('%s suggests %s first, and at most eight', async (search, expected) => {
    const found = await names(search)
    expect(found[0]).toBe(expected)
    expect(found.length).toBeLessThanOrEqual(8)
  })

  test('a text that starts no place name has no suggestions', async () => {
    expect(await names('qqqqqq')).toEqual([])
  })

  test('a posted request is located at the place named in its location; other texts have no place', async () => {
    const { call } = await world().signUp('Poster')
    const post = async (location: string) => {
      const draft = { title: 'Chair', description: 'Oak', category: 'Other', location }
      const { id } = (await call('POST /api/wanted-items', draft)).json<{ id: number }>()
      const { rows } = await world().sql.query('select place from wanted_items where id = $1', [id])
      return { id, place: rows[0].place }
    }
    const { id, place } = await post('Shoreditch, London')
    expect(place).toEqual({ x: -0.12574, y: 51.50853 })
    expect((await post('Anywhere at all')).place).toBeNull()

    const edited = { title: 'Chair', description: 'Oak', category: 'Other', location: 'Lyon' }
    expect((await call(`PUT /api/wanted-items/${id}`, edited)).statusCode).toBe(200)
    expect(await titles('near=Lyon&radiusKm=20')).toEqual(['Chair', 'dear'])
  })

  test('posting a request waits only a limited time for the gazetteer', async () => {
    const later = { place: null, country: null, isLocated: false }
    const timeoutMs = 10
    expect(await locateInTime('Oslo', { timeoutMs, locate: () => new Promise(() => {}) })).toEqual(later)
    expect(await locateInTime('Oslo', { locate: () => Promise.reject(new Error('missing')) })).toEqual(later)
    expect(await locateInTime('Nowhere at all')).toEqual({ place: null, country: null, isLocated: true })
  })

  test('the sweep locates a request once if it was posted without the gazetteer', async () => {
    const { sql, services } = world()
    const { rows } = await sql.query(
      `insert into wanted_items (title, description, category, location, user_id)
       values ('Old', '-', 'Other', 'Bergen, Norway', 'someone') returning id`,
    )
    await locateRequests(services)
    expect(await titles('near=Bergen')).toEqual(['Old'])
    const left = await sql.query('select from wanted_items where not is_located and id = $1', [rows[0].id])
    expect(left.rowCount).toBe(0)
  })

  test('the sweep skips a request that is being edited', async () => {
    const { sql, services } = world()
    await sql.query(
      `insert into wanted_items (title, description, category, location, user_id)
       values ('Edited', '-', 'Other', 'Oslo', 'someone')`,
    )
    const editor = await sql.connect()
    try {
      await editor.query("begin; update wanted_items set location = 'Turin' where title = 'Edited'")
      await locateRequests(services)
      await editor.query('commit')
    } finally {
      editor.release()
    }
    await locateRequests(services)
    expect(await titles('near=Turin')).toEqual(['Edited'])
  })
})

describe('with thousands of requests', { tags: ['proof'] }, () => {
  interface Request {
    position: number
    title: string
    category: string
    urgency: string
    currency: string
    location: string
    min_budget: number
    max_budget: number
    place: { x: number; y: number } | null
    picture_url: string | null
    created_at: Date
    expires_at: Date
  }

  let requests: Request[]
  /** The time half a minute before the next request expires. */
  let now: Date

  beforeAll(async () => {
    const { sql } = world()
    // Colours depend on the budget and the age, so that words, filters and orders interact.
    await sql.query(`
      insert into wanted_items (id, title, description, category, urgency, currency, min_budget, max_budget, location, place,
        image_url, created_at, renewed_at, renewed_position, user_id)
      select n,
        'lot' || case when n % 7 < 4 then ' red' else ' blue' end || case when max % 3 = 0 then ' pale' else '' end
          || case when n < 14000 then ' old' else '' end || case when n % 600 = 0 then ' gilded' else '' end,
        '-', case when n % 40 = 0 then 'Music' else 'Other' end, (array['low', 'medium', 'high'])[1 + n * n % 3],
        case when n % 500 = 3 then 'kwd' when n % 11 = 0 then 'jpy' when n % 3 = 0 then 'eur' else 'usd' end,
        case when max = 0 then n % 300 else max * (n % 5) / 4 end, max, case when n % 10 < 8 then 'Lyon' else 'Oslo' end,
        case when n % 10 < 8 then point(4.8 + n % 90 / 100.0, 45.7) when n % 10 = 8 then point(10.75, 59.91) end,
        case when n % 4 = 0 then '/files/a.webp' end,
        moment - case when n % 9 = 0 then interval '20 days' else interval '0' end,
        case when n % 9 = 0 then moment end, case when n % 9 = 0 then n end, 'someone'
      from (
        select n, n * 7919 % 1000 * (n * 31 % 5) as max, now() - interval '61 days' * (16000 - n) / 5000 as moment
        from generate_series(11001, 16000) n
      ) numbered`)
    now = new Date()
    const { rows } = await sql.query<Request>(
      `select *, min_budget::float8, max_budget::float8 from wanted_items where status = 'open' and expires_at > $1`,
      [now],
    )
    requests = rows
  })

  const fits = (it: Request, { search, location, area, since, ...filter }: Partial<ItemFilter>) =>
    (search ?? '').split(' ').every((word) => it.title.includes(word)) &&
    it.location.toLowerCase().includes(location ?? '') &&
    [it.category, undefined].includes(filter.category) &&
    [it.urgency, undefined].includes(filter.urgency) &&
    [it.currency, undefined].includes(filter.currency) &&
    (filter.minBudget === undefined || it.max_budget >= filter.minBudget || it.max_budget === 0) &&
    (it.min_budget <= (filter.maxBudget ?? Number.POSITIVE_INFINITY) || it.max_budget === 0) &&
    (!area || (it.place !== null && kmBetween(it.place, area) <= area.radiusKm)) &&
    it.created_at >= new Date(since ?? 0) &&
    [it.picture_url !== null, undefined].includes(filter.hasImage)

  /** By the law of cosines. */
  function kmBetween(one: { x: number; y: number }, other: { latitude: number; longitude: number }): number {
    const [lat1, lat2, lon] = [one.y, other.latitude, one.x - other.longitude].map(
      (it) => (it * Math.PI) / 180,
    )
    if (lat1 === undefined || lat2 === undefined || lon === undefined)
      throw new Error('three numbers were given')
    const cosine = Math.sin(lat1) * Math.sin(lat2) + Math.cos(lat1) * Math.cos(lat2) * Math.cos(lon)
    return 6371 * Math.acos(Math.min(1, cosine))
  }

  const keys: Record<Sort, (it: Request) => number> = {
    newest: (it) => -it.position,
    budget: (it) => -it.max_budget,
    expiring: (it) => it.expires_at.getTime(),
  }

  const filters = fc.record(
    {
      search: fc.constantFrom('red', 'blue pale', 'red blue', 'old', 'old red pale', 'gilded', 'ale lot'),
      location: fc.constantFrom('lyon', 'oslo'),
      category: fc.constantFrom('Music', 'Other'),
      urgency: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
      currency: fc.constantFrom('usd' as const, 'eur' as const, 'jpy' as const, 'kwd' as const),
      minBudget: fc.constantFrom(1, 20, 149.99, 150, 1999, 3900),
      maxBudget: fc.constantFrom(0, 1, 20, 149.99, 150, 1999),
      area: fc.constantFrom(
        { latitude: 45.7, longitude: 4.8, radiusKm: 20 },
        { latitude: 45.7, longitude: 4.8, radiusKm: 500 },
        { latitude: 60, longitude: 11, radiusKm: 50 },
      ),
      since: fc.constantFrom(daysAgo(0.01), daysAgo(1.5), daysAgo(30), daysAgo(70)),
      hasImage: fc.boolean(),
    },
    { requiredKeys: [] },
  )

  test('every page of a list equals the result of checking each request', {
    timeout: 60_000,
  }, async () => {
    const { read } = world().services.database
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.constantFrom(...SORTS),
        fc.constantFrom(5, 50),
        async (filter, sort, limit) => {
          const expected = requests
            .filter((it) => fits(it, filter))
            .sort(
              (a, b) =>
                keys[sort](a) - keys[sort](b) || (a.position - b.position) * (sort === 'budget' ? -1 : 1),
            )
            .map(({ position }) => position)
          const found: number[] = []
          let after: ItemFilter['after']
          for (let page = 0; page < 4; page++) {
            const items = await findOpenItems(read, { ...filter, sort, limit, after, now })
            found.push(...items.map(({ position }) => position))
            const last = items.at(-1)
            if (!last || items.length < limit) break
            const key = {
              newest: undefined,
              budget: last.maxBudget,
              expiring: new Date(last.expiresAt).getTime(),
            }[sort]
            after = { key, position: last.position }
          }
          expect(found).toEqual(expected.slice(0, 4 * limit))
        },
      ),
      { numRuns: 40 },
    )
  })
})
