import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, shareWorld } from '../../../../testing/world.ts'

const world = shareWorld({ RATE_LIMIT: 'off' })

interface Draft {
  title: string
  description?: string
  category?: string
  status?: string
}

/** Inserts requests with plain SQL, the newest last, and returns their ids by title. */
async function insertRequests(owner: { id: string }, ...drafts: Draft[]): Promise<Record<string, number>> {
  const { rows } = await world().sql.query(
    `insert into wanted_items (title, description, category, location, status, user_id)
     select title, coalesce(description, '-'), coalesce(category, 'Other'), '-', coalesce(status, 'open'), $2
     from json_to_recordset($1) as draft (title text, description text, category text, status text)
     returning id, title`,
    [JSON.stringify(drafts), owner.id],
  )
  return Object.fromEntries(rows.map(({ id, title }) => [title, id]))
}

const expire = (title: string) =>
  world().sql.query("update wanted_items set expires_at = now() - interval '1 second' where title = $1", [
    title,
  ])

const titlesOf = (reply: { json: () => { title: string }[] }) => reply.json().map(({ title }) => title)

describe('the keywords and categories of a seller', () => {
  test('are saved without duplicates, and shown to the seller and on the public profile', async () => {
    const { signUp, visitor } = world()
    const ada = await signUp('Ada')
    expect((await ada.call('GET /api/auth/user')).json().selling).toEqual({ keywords: [], categories: [] })
    const reply = await ada.call('PUT /api/user/selling', {
      keywords: [' brass lamp ', 'Radio', 'radio'],
      categories: ['Music', 'Electronics', 'Music'],
    })
    const saved = { keywords: ['brass lamp', 'radio'], categories: ['Music', 'Electronics'] }
    expect([reply.statusCode, reply.json()]).toEqual([200, saved])
    expect((await ada.call('GET /api/auth/user')).json().selling).toEqual(saved)
    expect((await ada.call('GET /api/user/data')).json().profile.selling).toEqual(saved)
    expect((await visitor(`GET /api/users/${ada.id}`)).json().selling).toEqual(saved)
    const save = async (body: object) => (await ada.call('PUT /api/user/selling', body)).json()
    expect(await save({ keywords: ['lamp'] })).toEqual({ keywords: ['lamp'], categories: [] })
    expect(await save({ categories: ['Music'] })).toEqual({ keywords: [], categories: ['Music'] })
    expect(await save({ keywords: [], categories: [] })).toEqual({ keywords: [], categories: [] })
  })

  test.each([
    ['a keyword of one character', { keywords: ['a'], categories: [] }],
    ['a keyword of 41 characters', { keywords: ['a'.repeat(41)], categories: [] }],
    ['a keyword without letters and digits', { keywords: ['!?'], categories: [] }],
    ['21 keywords', { keywords: Array.from({ length: 21 }, (_, at) => `lamp ${at}`), categories: [] }],
    ['an unknown category', { keywords: [], categories: ['Boats'] }],
  ])('are refused with %s', async (_, body) => {
    const { call } = await world().signUp('Bea')
    expect((await call('PUT /api/user/selling', body)).statusCode).toBe(422)
  })
})

describe('matches', () => {
  let seller: Person
  let ids: Record<string, number>

  beforeAll(async () => {
    const { signUp } = world()
    seller = await signUp('Sol')
    const buyer = await signUp('Bob')
    ids = await insertRequests(
      buyer,
      { title: 'Théremin', category: 'Music' },
      { title: 'Sundial', description: 'of green slate' },
      { title: 'Two sundials' },
      { title: 'Slate tiles' },
      { title: 'Closed sundial of slate', status: 'closed' },
      { title: 'xyloglyph' },
      { title: 'Expired sundial' },
    )
    await expire('Expired sundial')
    await insertRequests(seller, { title: 'My own sundial of slate', category: 'Music' })
  })

  const matches = async (keywords: string[], categories: string[] = [], query = '') => {
    await seller.call('PUT /api/user/selling', { keywords, categories })
    return seller.call(`GET /api/user/matches${query}`)
  }

  test('are open requests of others that have all words of a keyword or a category, newest first', async () => {
    expect(titlesOf(await matches(['slate SUNDIAL']))).toEqual(['Sundial'])
    expect(titlesOf(await matches(['sundial']))).toEqual(['Two sundials', 'Sundial'])
    expect(titlesOf(await matches(['theremin', 'xylogly']))).toEqual(['xyloglyph', 'Théremin'])
    expect(titlesOf(await matches(['xy']))).toEqual(['xyloglyph'])
    expect(titlesOf(await matches([], ['Music']))).toEqual(['Théremin'])
    expect(titlesOf(await matches(['sundial', 'slate'], ['Music']))).toEqual([
      'Slate tiles',
      'Two sundials',
      'Sundial',
      'Théremin',
    ])
  })

  test('are empty for words that nobody uses, and for users who sell nothing', async () => {
    expect(titlesOf(await matches(['qqqqqq', 'sundial qqqqqq']))).toEqual([])
    expect(titlesOf(await matches([]))).toEqual([])
  })

  test('are read page by page', async () => {
    const first = await matches(['sundial', 'slate'], [], '?limit=2')
    expect(titlesOf(first)).toEqual(['Slate tiles', 'Two sundials'])
    expect(first.headers.link).toBe(`</api/user/matches?limit=2&cursor=${ids['Two sundials']}>; rel="next"`)
    const next = await seller.call(`GET /api/user/matches?limit=2&cursor=${ids['Two sundials']}`)
    expect(titlesOf(next)).toEqual(['Sundial'])
  })

  test('include words that begin with a keyword, even if it begins more than 64 words', async () => {
    const buyer = await world().signUp('Cid')
    const many = Array.from({ length: 65 }, (_, at) => `zqword${at}`).join(' ')
    await insertRequests(buyer, { title: 'Many words', description: many }, { title: 'zqlast marimbula' })
    expect(titlesOf(await matches(['zq']))).toEqual(['zqlast marimbula', 'Many words'])
    expect(titlesOf(await matches(['zq marimbula']))).toEqual(['zqlast marimbula'])
  })
})

describe('similar requests', () => {
  let buyer: Person
  let ids: Record<string, number>

  beforeAll(async () => {
    buyer = await world().signUp('Dan')
    ids = await insertRequests(
      buyer,
      { title: 'An astrolabe for the wall', category: 'Books & Media', status: 'fulfilled' },
      { title: 'Atlas', category: 'Books & Media' },
      { title: 'Astrolabe', category: 'Sports' },
      { title: 'Brass astrolabe', category: 'Books & Media' },
      { title: 'Closed astrolabe', category: 'Books & Media', status: 'closed' },
      { title: 'Something for the garden', category: 'Fashion' },
      { title: 'Ophicleide', category: 'Automotive' },
      { title: 'Expired astrolabe' },
    )
    await expire('Expired astrolabe')
  })

  const similar = (title: string, call = world().visitor) =>
    call(`GET /api/wanted-items/${ids[title]}/similar`)

  test('share words of the title or the category, most similar first', async () => {
    expect(titlesOf(await similar('An astrolabe for the wall'))).toEqual([
      'Brass astrolabe',
      'Astrolabe',
      'Atlas',
    ])
  })

  test('do not include the request itself or requests of the viewer', async () => {
    expect(titlesOf(await similar('Brass astrolabe'))).toEqual(['Astrolabe', 'Atlas'])
    expect(titlesOf(await similar('Brass astrolabe', buyer.call))).toEqual([])
    expect(titlesOf(await similar('Ophicleide'))).toEqual([])
  })

  test('are at most six', async () => {
    await insertRequests(buyer, ...Array.from({ length: 7 }, (_, at) => ({ title: `Ophicleide ${at}` })))
    expect(titlesOf(await similar('Ophicleide'))).toEqual([6, 5, 4, 3, 2, 1].map((at) => `Ophicleide ${at}`))
  })

  test('are refused for an unknown request', async () => {
    const reply = await world().visitor('GET /api/wanted-items/2147483647/similar')
    expect([reply.statusCode, reply.json().code]).toEqual([404, 'item_not_found'])
  })
})

describe('recently viewed requests', () => {
  test('keep their order; deleted ones are left out', async () => {
    const { signUp, visitor, sql } = world()
    const [eve, fay] = [await signUp('Eve'), await signUp('Fay')]
    const { Harp = 0, Lyre = 0 } = await insertRequests(
      eve,
      { title: 'Harp', status: 'closed' },
      { title: 'Lyre' },
    )
    const { Lute = 0 } = await insertRequests(fay, { title: 'Lute' })
    await sql.query('update users set deleted_at = now() where id = $1', [fay.id])
    const reply = await visitor(`GET /api/wanted-items/by-id?ids=${[Lyre, Lute, 2_147_483_647, Harp, Lyre]}`)
    expect(reply.json()).toMatchObject([
      { title: 'Lyre', status: 'open' },
      { title: 'Harp', status: 'closed' },
    ])
  })

  test.each(['', 'a', '1,', '0', '-1', Array.from({ length: 13 }, (_, at) => at + 1).join(',')])(
    'are refused for ids=%s',
    async (ids) => {
      expect((await world().visitor(`GET /api/wanted-items/by-id?ids=${ids}`)).statusCode).toBe(422)
    },
  )
})
