import { beforeAll, describe, expect, test } from 'vitest'
import { shareWorld } from '../../testing/world.ts'
import { locateInTime } from '../places/actions.ts'
import { locateRequests } from './locate-requests.ts'

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

beforeAll(async () => {
  const { sql } = world()
  await sql.query(`insert into users (id, email) values ('someone', 's@example.com')`)
  for (const [title, min, max, location, point, image, age] of drafts) {
    await sql.query(
      `insert into wanted_items (title, description, category, min_budget, max_budget, location, place, image_url,
         created_at, user_id)
       values ($1, 'walnut', 'Other', $2, $3, $4, $5::point, $6, now() - $7 * interval '1 day', 'someone')`,
      [title, min, max, location, point, image ? '/files/a.webp' : null, age],
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
  ])('%s lists every request once, page by page', async (query, expected) => {
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
  ])('%s is refused', async (query, path, message) => {
    const reply = await ask(query)
    expect(reply.statusCode).toBe(422)
    expect(reply.json()).toMatchObject({ code: 'invalid', issues: [{ path, message }] })
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

  test('a text that starts no name suggests nothing', async () => {
    expect(await names('qqqqqq')).toEqual([])
  })

  test('a posted request is at the place that its location names, and free text is at none', async () => {
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

  test('a request does not wait long for a gazetteer that is not there', async () => {
    const later = { place: null, isLocated: false }
    const patienceMs = 10
    expect(await locateInTime('Oslo', { patienceMs, locate: () => new Promise(() => {}) })).toEqual(later)
    expect(await locateInTime('Oslo', { locate: () => Promise.reject(new Error('missing')) })).toEqual(later)
    expect(await locateInTime('Nowhere at all')).toEqual({ place: null, isLocated: true })
  })

  test('the sweep finds the places of older requests once', async () => {
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

  test('the sweep leaves out a request that is being edited', async () => {
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
