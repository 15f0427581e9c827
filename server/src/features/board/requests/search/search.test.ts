import { beforeAll, describe, expect, test } from 'vitest'
import { openWorld, shareWorld, type World } from '../../../../testing/world.ts'

interface Draft {
  title: string
  description?: string
  category?: string
  location?: string
  urgency?: string
  status?: string
  userId?: string
}

/** Inserts requests with plain SQL, the newest last. */
async function insertRequests({ sql }: World, ...drafts: Draft[]): Promise<number[]> {
  await sql.query(`insert into users (id, email) values ('someone', 's@example.com') on conflict do nothing`)
  const { rows } = await sql.query(
    `insert into wanted_items (title, description, category, location, urgency, status, user_id)
     select title, coalesce(description, '-'), coalesce(category, 'Other'), coalesce(location, '-'),
       coalesce(urgency, 'medium'), coalesce(status, 'open'), coalesce("userId", 'someone')
     from json_to_recordset($1) as draft (
       title text, description text, category text, location text, urgency text, status text, "userId" text)
     returning id`,
    [JSON.stringify(drafts)],
  )
  return rows.map(({ id }) => id)
}

async function list({ visitor }: World, query: Record<string, string | number>, call = visitor) {
  const reply = await call(`GET /api/wanted-items?${new URLSearchParams(asText(query))}`)
  expect(reply.statusCode).toBe(200)
  return reply.json<{ id: number; title: string }[]>()
}

function asText(query: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]))
}

async function titles(world: World, search: string, query: Record<string, string | number> = {}) {
  return (await list(world, { search, ...query })).map(({ title }) => title)
}

describe('a search', () => {
  const world = shareWorld()

  beforeAll(async () => {
    await insertRequests(
      world(),
      { title: 'Camera', description: 'Vintage, with a lens', category: 'Electronics', location: 'Zürich' },
      {
        title: 'Camera bag',
        description: 'Leather',
        category: 'Fashion',
        location: 'Paris',
        urgency: 'high',
      },
      { title: 'Café table', description: 'Round', category: 'Home & Garden', location: 'Malmo' },
      { title: 'Cotton shirt', description: '100% cotton', category: 'Fashion', location: 'Porto' },
      { title: 'Cotton thread', description: '100 metres', category: 'Other', location: 'Porto' },
      { title: 'Monitor 27"', description: "O'Brien's old one", category: 'Electronics', location: 'Cork' },
      { title: 'snake_case mug', description: 'For a friend', category: 'Other', location: 'Oslo' },
      {
        title: '中古カメラを探しています',
        description: '二手相机',
        category: 'Electronics',
        location: '東京',
      },
      { title: 'Велосипед', description: 'Красный', category: 'Sports', location: 'София' },
      { title: '자전거', description: '빨간색', category: 'Sports', location: '서울' },
      { title: 'Party 🎉 lights', description: 'Any', category: 'Other', location: 'Ghent' },
      {
        title: 'Straße map',
        description: 'Æsop and smørrebrød',
        category: 'Books & Media',
        location: 'Łódź',
      },
      { title: 'TV', description: 'OLED', category: 'Electronics', location: 'Bath' },
      { title: 'Closed camera', description: 'Gone', status: 'closed' },
      { title: 'Fulfilled camera', description: 'Had', status: 'fulfilled' },
    )
  })

  test.each([
    ['finds a word of the title', 'monitor', ['Monitor 27"']],
    ['finds a word of the description', 'vintage', ['Camera']],
    ['finds a word of the category', 'garden', ['Café table']],
    ['finds a word of the location', 'oslo', ['snake_case mug']],
    ['finds words of several fields, in any order', 'electronics zurich lens', ['Camera']],
    ['ignores upper and lower case', 'LENS vInTaGe', ['Camera']],
    ['lists only open requests, newest first', 'camera', ['Camera bag', 'Camera']],
    ['requires every word', 'camera leather', ['Camera bag']],
    ['finds nothing if every request lacks a word', 'camera porto', []],
    ['finds an accented word without its accent', 'cafe', ['Café table']],
    ['finds a word without accents by an accented one', 'Malmö', ['Café table']],
    ['accepts an accent as a separate character', 'cafe\u0301', ['Café table']],
    ['finds special letters by their plain form', 'strasse aesop smorrebrod lodz', ['Straße map']],
    ['finds the beginning of a word', 'camer', ['Camera bag', 'Camera']],
    ['finds the end of a word', 'mera', ['Camera bag', 'Camera']],
    ['finds the middle of a word', 'hirt', ['Cotton shirt']],
    ['finds two letters at the beginning of a word', 'tv', ['TV']],
    ['finds one letter at the beginning of a word', 'm porto', ['Cotton thread']],
    ['finds nothing by a letter that begins no word', 'q porto', []],
    ['finds a word with swapped letters', 'camrea', ['Camera bag', 'Camera']],
    ['finds a word with a missing letter', 'camra', ['Camera bag', 'Camera']],
    ['finds a word with an added letter', 'cammera', ['Camera bag', 'Camera']],
    ['finds a word with a wrong first letter', 'xamera', ['Camera bag', 'Camera']],
    ['finds a short word with a typo', 'shrit', ['Cotton shirt']],
    ['allows a typo in one of several words', 'camrea zurich', ['Camera']],
    ['allows a typo in each of several words', 'camrea zurcih', ['Camera']],
    ['allows a typo in another alphabet', 'велосипде', ['Велосипед']],
    ['finds nothing for a word that is similar to none', 'qwertyuiop', []],
    ['does not try similar spellings of a number', '101', []],
    ['ignores upper and lower case in another alphabet', 'КРАСНЫЙ', ['Велосипед']],
    ['finds a part of a Korean word', '자전', ['자전거']],
    ['finds characters within a sentence without spaces', 'カメラ', ['中古カメラを探しています']],
    ['finds two characters within a text without spaces', '相机', ['中古カメラを探しています']],
    ['finds an emoji', '🎉', ['Party 🎉 lights']],
    ['finds a number with a percent sign', '100%', ['Cotton shirt']],
    ['finds % as text', '%', ['Cotton shirt']],
    ['does not treat % between letters as a wildcard', 'c%a', []],
    ['finds _ as text', '_', ['snake_case mug']],
    ['does not treat _ as a wildcard', 'cam_ra', []],
    ['finds a number with a double quote', '27"', ['Monitor 27"']],
    ['finds a double quote without other characters', '"', ['Monitor 27"']],
    ['finds a name with an apostrophe', "o'brien", ['Monitor 27"']],
    ['finds quoted words', '"camera bag"', ['Camera bag']],
    ['ignores a comma between words', 'camera, bag', ['Camera bag']],
    ['finds nothing for a backslash', '\\', []],
    ['treats SQL as text', "'; drop table wanted_items; --", []],
    ['treats an SQL condition as text', "' or 1=1 --", []],
    ['ignores operators of query languages', 'camera & !bag | (leather:*)', ['Camera bag']],
    ['does not find urgent requests by the internal mark “!!”', '!! bag', ['Camera bag']],
    ['finds nothing for a very long word', 'x'.repeat(200), []],
    ['ignores words above the maximum number', `camera ${'vintage '.repeat(20)}`, ['Camera']],
  ])('%s', async (_, search, expected) => {
    expect(await titles(world(), search)).toEqual(expected)
  })

  test.each(['', '   ', '...', '?!', ' , ; '])('%j counts as no search', async (search) => {
    expect(await titles(world(), search, { limit: 1 })).toEqual(['TV'])
  })

  test('can be combined with category and urgency', async () => {
    expect(await titles(world(), 'camera', { category: 'Electronics' })).toEqual(['Camera'])
    expect(await titles(world(), 'camera', { urgency: 'high' })).toEqual(['Camera bag'])
    expect(await titles(world(), 'camera', { urgency: 'medium' })).toEqual(['Camera'])
    expect(await titles(world(), 'camera', { category: 'Fashion', urgency: 'high' })).toEqual(['Camera bag'])
    expect(await titles(world(), 'camera', { category: 'Electronics', urgency: 'high' })).toEqual([])
    expect(await titles(world(), 'camrea', { category: 'Electronics' })).toEqual(['Camera'])
    expect(await titles(world(), 'camera', { category: 'electronics' })).toEqual([])
    expect(await titles(world(), 'camera', { category: 'No such' })).toEqual([])
  })

  test('tries similar spellings only if nothing matches exactly', async () => {
    const ids = await insertRequests(world(), { title: 'Work boots' })
    expect(await titles(world(), 'work')).toEqual(['Work boots'])
    expect(await titles(world(), 'cork')).toEqual(['Monitor 27"'])
    expect(await titles(world(), 'dork')).toEqual(['Work boots', 'Monitor 27"'])
    await world().sql.query('delete from wanted_items where id = any($1)', [ids])
  })

  test('treats * between letters as text, not as a wildcard', async () => {
    const ids = await insertRequests(world(), { title: 'Rare camera' }, { title: 'Mug that says ca*ra' })
    expect(await titles(world(), 'ca*ra')).toEqual(['Mug that says ca*ra'])
    expect(await titles(world(), 'ca**ra')).toEqual(['Mug that says ca*ra'])
    expect(await titles(world(), 'rare * camera')).toEqual(['Rare camera'])
    await world().sql.query('delete from wanted_items where id = any($1)', [ids])
  })

  test('does not continue with similar spellings after its last page', async () => {
    const [cord] = await insertRequests(world(), { title: 'Cord' })
    expect(await titles(world(), 'cord', { cursor: Number(cord) })).toEqual([])
    await world().sql.query('delete from wanted_items where id = $1', [cord])
  })
})

const shared = shareWorld()

async function openEmptyMarket(): Promise<World> {
  await shared().sql.query('delete from wanted_items')
  return shared()
}

test('hides the user’s own requests if asked to', async () => {
  const world = await openEmptyMarket()
  const [ann, bob] = [await world.signUp('Ann'), await world.signUp('Bob')]
  await insertRequests(world, { title: 'Drum', userId: ann.id }, { title: 'Drum kit', userId: bob.id })
  const found = await list(world, { search: 'drum', mine: 'hide' }, ann.call)
  expect(found.map(({ title }) => title)).toEqual(['Drum kit'])
  expect(await titles(world, 'drum', { mine: 'hide' })).toEqual(['Drum kit', 'Drum'])
})

describe('the search index is updated', () => {
  test('when a request is edited', async () => {
    const world = await openEmptyMarket()
    await insertRequests(world, { title: 'Guitar', description: 'Acoustic' }, { title: 'Amplifier' })
    await world.sql.query("update wanted_items set title = 'Violin' where title = 'Guitar'")
    expect(await titles(world, 'guitar')).toEqual([])
    expect(await titles(world, 'violin')).toEqual(['Violin'])
    expect(await titles(world, 'acoustic')).toEqual(['Violin'])
  })

  test('when a request is closed, reopened and fulfilled', async () => {
    const world = await openEmptyMarket()
    await insertRequests(world, { title: 'Guitar' })
    const become = (status: string) => world.sql.query('update wanted_items set status = $1', [status])
    await become('closed')
    expect(await titles(world, 'guitar')).toEqual([])
    await become('open')
    expect(await titles(world, 'guitar')).toEqual(['Guitar'])
    await become('fulfilled')
    expect(await titles(world, 'guitar')).toEqual([])
  })

  test('when a request is closed, edited and reopened', async () => {
    const world = await openEmptyMarket()
    await insertRequests(world, { title: 'Guitar', status: 'closed' })
    await world.sql.query("update wanted_items set title = 'Cello'")
    await world.sql.query("update wanted_items set status = 'open', urgency = 'high'")
    expect(await titles(world, 'guitar')).toEqual([])
    expect(await titles(world, 'cello', { urgency: 'high' })).toEqual(['Cello'])
  })

  test('when a request is deleted', async () => {
    const world = await openWorld()
    await insertRequests(world, { title: 'Guitar' }, { title: 'Drum' })
    await world.sql.query("delete from wanted_items where title = 'Guitar'")
    expect(await titles(world, 'guitar')).toEqual([])
    expect(await titles(world, 'drum')).toEqual(['Drum'])
    const entries = await world.sql.query('select distinct position from wanted_item_words')
    expect(entries.rows).toEqual([{ position: 2 }])
  })

  test('for a long text without spaces', async () => {
    const world = await openEmptyMarket()
    await insertRequests(world, { title: 'Essay', description: 'lorem'.repeat(1000) })
    expect(await titles(world, 'lorem')).toEqual(['Essay'])
  })

  test('when one statement inserts or changes thousands of requests', { tags: ['proof'] }, async () => {
    const world = await openWorld()
    await insertRequests(world)
    await world.sql.query(`
      insert into wanted_items (title, description, category, location, user_id)
      select 'Lot ' || n, case when n % 100 = 0 then 'brass' else 'steel' end, 'Other', 'Here', 'someone'
      from generate_series(1, 5000) n`)
    expect(await titles(world, 'brass', { limit: 2 })).toEqual(['Lot 5000', 'Lot 4900'])
    expect(await titles(world, '1234')).toEqual(['Lot 1234'])
    await world.sql.query("update wanted_items set status = 'closed' where id % 2 = 0")
    expect(await titles(world, 'brass', { limit: 2 })).toEqual([])
  })
})

describe('with thousands of requests', () => {
  const world = shareWorld()

  beforeAll(async () => {
    await insertRequests(world())
    // Odd requests are red, even ones are blue, and a new one and two old ones are both. Every number is a word.
    await world().sql.query(`
      insert into wanted_items (title, description, category, location, urgency, user_id)
      select 'Lot ' || n || case when n % 2 = 0 then ' blue' else ' red' end,
        case when n in (7, 77, 3977) then 'red and blue' else 'plain' end,
        case when n <= 300 then 'Music' else 'Other' end, 'Here', case when n < 10 then 'high' else 'low' end, 'someone'
      from generate_series(1, 4000) n`)
  })

  const ids = async (search: string, query: Record<string, string | number> = {}) =>
    (await list(world(), { search, ...query })).map(({ id }) => id)

  test('a search finds the few requests that contain two common words', async () => {
    expect(await ids('red blue')).toEqual([3977, 77, 7])
    expect(await ids('red blue', { cursor: 77 })).toEqual([7])
    expect(await ids('red blue', { cursor: 7 })).toEqual([])
  })

  test('a search finds a common word in a rare category, and old urgent requests', async () => {
    expect(await ids('red', { category: 'Music', limit: 2 })).toEqual([299, 297])
    expect(await ids('red', { urgency: 'high', limit: 2 })).toEqual([9, 7])
    expect(await ids('plain', { urgency: 'high', category: 'Music', limit: 2 })).toEqual([9, 8])
  })

  test('a search finds parts that occur in very many words', async () => {
    expect(await ids('lot 1', { limit: 3 })).toEqual([1999, 1998, 1997])
    expect(await ids('0', { limit: 3 })).toEqual([])
    expect(await ids('red 1', { limit: 3, cursor: 1000 })).toEqual([199, 197, 195])
    expect(await ids('1', { limit: 3, urgency: 'high' })).toEqual([1])
  })

  // Punctuation does not change the result, but needs more than one statement.
  test.each([
    'red',
    're',
    'lot red',
    'RED  lot red',
    'red 1999',
    'red blue',
    're pla 77',
    'lot 1',
    'lot violin',
  ])('a search for %j finds the same in one statement as in several', async (search) => {
    const pages: Record<string, number>[] = [{}, { limit: 5 }, { limit: 2, cursor: 78 }, { cursor: 3 }]
    for (const page of pages)
      expect(await ids(search, page)).toEqual(await ids(search.replaceAll(' ', ', ').concat('.'), page))
  })

  test('paging returns every request once while others post and close requests', async () => {
    const met: number[] = []
    for (let cursor: number | undefined; ; cursor = met.at(-1)) {
      const page = await ids('red', { limit: 100, ...(cursor && { cursor }) })
      met.push(...page)
      if (page.length < 100) break
      await insertRequests(world(), { title: 'A new red one' }, { title: 'Closed red one', status: 'closed' })
    }
    const odd = Array.from({ length: 2000 }, (_, n) => 3999 - 2 * n)
    expect(met).toEqual(odd)
  })

  test('the next page is in the Link header', async () => {
    const reply = await world().visitor('GET /api/wanted-items?search=red%20blue&limit=1')
    expect(reply.headers.link).toBe('</api/wanted-items?search=red%20blue&limit=1&cursor=3977>; rel="next"')
  })
})

test('concurrent posts can add the same new words', async () => {
  const world = await openEmptyMarket()
  await insertRequests(world)
  const words = ['aardvark', 'bobolink', 'capybara', 'dugong', 'echidna', 'fossa']
  const posts = Array.from({ length: 40 }, (_, n) => ({
    title: n % 2 ? words.join(' ') : words.toReversed().join(' '),
  }))
  await Promise.all(posts.map((post) => insertRequests(world, post)))
  expect(await titles(world, 'dugong fossa')).toHaveLength(40)
})

test('a post does not wait for an uncommitted post with the same words', async () => {
  const world = await openEmptyMarket()
  await insertRequests(world)
  const slow = await world.sql.connect()
  try {
    await slow.query('begin')
    await slow.query(`insert into wanted_items (title, description, category, location, user_id)
      values ('Okapi', '-', 'Other', '-', 'someone')`)
    await insertRequests(world, { title: 'Okapi statue' })
    expect(await titles(world, 'okapi')).toEqual(['Okapi statue'])
    await slow.query('commit')
    expect(await titles(world, 'okapi')).toEqual(['Okapi statue', 'Okapi'])
  } finally {
    slow.release()
  }
})
