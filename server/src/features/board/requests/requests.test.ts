import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { purgeAbandonedFiles } from '../../../files/stored-files.ts'
import { siteOf } from '../../../pages/page-head.ts'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { type UploadOptions, uploadOf } from '../../../testing/multipart.ts'
import { pngBomb } from '../../../testing/png-bomb.ts'
import { openWorld, shareWorld, type World } from '../../../testing/world.ts'
import { itemPageHead } from './page-head.ts'

const lamp = {
  title: 'A green lamp',
  description: 'To match the pair of my grandmother’s.',
  category: 'Home & Garden',
  minBudget: 20,
  maxBudget: 45.5,
  location: 'Ipoh',
  urgency: 'high',
}

const shared = shareWorld()
const sharedForLists = shareWorld()

/** A world without requests. */
async function openEmptyMarket(): Promise<World> {
  await sharedForLists().sql.query('delete from wanted_items')
  return sharedForLists()
}

describe('posting', () => {
  test('a request is listed with its owner', async () => {
    const { signUp, visitor } = await openEmptyMarket()
    const ada = await signUp('Ada')
    const reply = await ada.call('POST /api/wanted-items', lamp)
    expect(reply.statusCode).toBe(201)
    expect(reply.json()).toMatchObject({
      ...lamp,
      imageUrl: null,
      status: 'open',
      userId: ada.id,
      user: { id: ada.id, name: 'Ada Tester', rating: 0, profileImageUrl: null },
    })
    expect((await visitor('GET /api/wanted-items')).json()).toEqual([reply.json()])
    expect((await visitor(`GET /api/wanted-items/${reply.json().id}`)).json()).toEqual(reply.json())
    expect((await ada.call('GET /api/user/wanted-items')).json()).toEqual([reply.json()])
    expect(reply.body).not.toContain('@example.com')
  })

  test('omitted fields get defaults, and a maximum of 0 means an open budget', async () => {
    const { signUp } = shared()
    const { call } = await signUp('Ada')
    const { urgency: _, minBudget: __, maxBudget: ___, ...least } = lamp
    const reply = await call('POST /api/wanted-items', { ...least, minBudget: 5 })
    expect(reply.json()).toMatchObject({ minBudget: 5, maxBudget: 0, urgency: 'medium' })
  })

  test('the owner is always the signed-in user, even if the body names another', async () => {
    const { signUp } = shared()
    const [ada, eve] = [await signUp('Ada'), await signUp('Eve')]
    const reply = await eve.call('POST /api/wanted-items', {
      ...lamp,
      userId: ada.id,
      id: 7777,
      status: 'closed',
    })
    expect(reply.json()).toMatchObject({ userId: eve.id, status: 'open' })
    expect(reply.json().id).not.toBe(7777)
  })

  describe('invalid fields are refused with their names', () => {
    const world = shareWorld()
    let poster: Awaited<ReturnType<World['signUp']>> | undefined
    test.each([
      ['title', ''],
      ['title', '   '],
      ['title', 'x'.repeat(121)],
      ['title', 5],
      ['title', 'nul \u0000'],
      ['title', 'half \ud800'],
      ['title', '\u200b\u202e\u3164'],
      ['description', ''],
      ['description', 'x'.repeat(5001)],
      ['category', ''],
      ['category', 'Weapons'],
      ['location', ''],
      ['location', 'x'.repeat(101)],
      ['urgency', 'now'],
      ['minBudget', -1],
      ['minBudget', 46],
      ['minBudget', '20'],
      ['minBudget', 1.005],
      ['minBudget', 1e-9],
      ['maxBudget', -1],
      ['maxBudget', 1e12],
      ['maxBudget', null],
      ['imageUrl', 'javascript:alert(1)'],
      ['imageUrl', 'data:text/html,x'],
      ['imageUrl', 'ftp://example.com/a.png'],
      ['imageUrl', '//example.com/a.png'],
      ['imageUrl', 'https://example.com/a b'],
      ['imageUrl', 'https://example.com/\u0000'],
      ['imageUrl', 'https://example.com/\ud800'],
    ])('%s: %j', async (field, value) => {
      poster ??= await world().signUp('Ada')
      const reply = await poster.call('POST /api/wanted-items', { ...lamp, [field]: value })
      expect(reply.statusCode).toBe(422)
      expect(reply.json().code).toBe('invalid')
      expect(reply.json().issues[0].path).toBe(field)
      expect((await world().sql.query('select 1 from wanted_items')).rowCount).toBe(0)
    })
  })

  test('HTML is stored and returned as text', async () => {
    const { signUp } = shared()
    const { call } = await signUp('Ada')
    const title = '<script>alert("1")</script> & more'
    expect((await call('POST /api/wanted-items', { ...lamp, title })).json().title).toBe(title)
  })

  test('a picture on another site is stored as a URL', async () => {
    const { signUp } = shared()
    const { call } = await signUp('Ada')
    const imageUrl = 'https://example.com/lamp.jpg'
    expect((await call('POST /api/wanted-items', { ...lamp, imageUrl })).json().imageUrl).toBe(imageUrl)
  })
})

test('the page of a request has metadata only under its canonical path', async () => {
  const { signUp, services } = shared()
  const { id } = (await (await signUp('Ada')).call('POST /api/wanted-items', lamp)).json()
  const headOf = (path: string) => itemPageHead(services.database.read, path, siteOf(services), new Date())
  expect(await headOf(`/item/${id}`)).toMatchObject({ title: 'Wanted: A green lamp' })
  for (const other of [`0x${id}`, `${id}.0`, `${id}e0`, `%20${id}`, `0${id}`, '2147483648', 'x']) {
    expect(await headOf(`/item/${other}`), other).toBe('missing')
  }
  expect(await headOf('/user/1')).toBe(null)
})

describe('the owner', () => {
  async function openPosted(world = shared()) {
    const [ada, eve] = [await world.signUp('Ada'), await world.signUp('Eve')]
    const { id } = (await ada.call('POST /api/wanted-items', lamp)).json()
    return { ...world, ada, eve, id }
  }

  test('can edit the request', async () => {
    const { ada, id } = await openPosted()
    const change = { ...lamp, title: 'Two green lamps', maxBudget: 90, imageUrl: '' }
    const reply = await ada.call(`PUT /api/wanted-items/${id}`, change)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ title: 'Two green lamps', maxBudget: 90, imageUrl: null })
    expect((await ada.call(`PUT /api/wanted-items/${id}`, { ...lamp, minBudget: 99 })).statusCode).toBe(422)
  })

  test('can close the request, which removes it from the list, and reopen it', async () => {
    const { ada, visitor, id } = await openPosted(await openEmptyMarket())
    expect((await ada.call(`POST /api/wanted-items/${id}/close`)).json().status).toBe('closed')
    expect((await visitor('GET /api/wanted-items')).json()).toEqual([])
    expect((await visitor(`GET /api/wanted-items/${id}`)).json().status).toBe('closed')
    expect((await ada.call(`POST /api/wanted-items/${id}/reopen`)).json().status).toBe('open')
    expect((await visitor('GET /api/wanted-items')).json()).toHaveLength(1)
  })

  test('is the only one who can change the request', async () => {
    const { eve, visitor, id } = await openPosted()
    for (const [call, body] of [
      [`PUT /api/wanted-items/${id}`, lamp],
      [`POST /api/wanted-items/${id}/close`],
      [`POST /api/wanted-items/${id}/reopen`],
    ] as const) {
      expect((await eve.call(call, body)).json().code).toBe('not_your_item')
      expect((await visitor(call, body)).statusCode).toBe(401)
      expect((await eve.call(call.replace(`/${id}`, '/999'), body)).statusCode).toBe(404)
    }
  })

  test('cannot change a fulfilled request', async () => {
    const { ada, sql, id } = await openPosted()
    await sql.query("update wanted_items set status = 'fulfilled' where id = $1", [id])
    for (const [call, body] of [
      [`PUT /api/wanted-items/${id}`, lamp],
      [`POST /api/wanted-items/${id}/close`],
      [`POST /api/wanted-items/${id}/reopen`],
    ] as const) {
      expect((await ada.call(call, body)).json().code).toBe('item_fulfilled')
    }
  })

  test('cannot change a request while it is being fulfilled', async () => {
    const { ada, sql, id } = await openPosted()
    const fulfilling = "update wanted_items set status = 'fulfilled' where id = $1"
    const closed = await actDuringChange(sql, [fulfilling, id], () =>
      ada.call(`POST /api/wanted-items/${id}/close`),
    )
    expect([closed.statusCode, closed.json().code]).toEqual([409, 'item_fulfilled'])
  })
})

describe('browsing', () => {
  test('returns each request once, newest first, while others post requests', async () => {
    const { signUp, visitor } = await openEmptyMarket()
    const { call } = await signUp('Ada')
    for (let number = 1; number <= 7; number++)
      await call('POST /api/wanted-items', { ...lamp, title: `${number}` })
    const seen: string[] = []
    let next: string | undefined = '/api/wanted-items?limit=3'
    while (next) {
      const page = await visitor(`GET ${next}`)
      seen.push(...page.json().map(({ title }: { title: string }) => title))
      await call('POST /api/wanted-items', { ...lamp, title: 'posted while paging' })
      next = /^<([^>]+)>; rel="next"$/.exec(String(page.headers.link))?.[1]
    }
    expect(seen).toEqual(['7', '6', '5', '4', '3', '2', '1'])
  })

  test.each([['UTC'], ['Asia/Kathmandu']])(
    'times, budgets and ratings are exact with the database time zone %s',
    async (zone) => {
      const { signUp, visitor, sql } = await openWorld()
      const { call } = await signUp('Ada')
      await call('POST /api/wanted-items', lamp)
      await sql.query(
        "update wanted_items set created_at = '2126-02-03 04:05:06.07Z', max_budget = 1234567.89",
      )
      await sql.query('update users set rating_sum = 13, rating_count = 3')
      await sql.query(`set timezone = '${zone}'`)
      const { rows } = await sql.query("select to_char(created_at, 'HH24:MI') as written from wanted_items")
      expect(rows).toEqual([{ written: zone === 'UTC' ? '04:05' : '09:50' }])
      const [item] = (await visitor('GET /api/wanted-items')).json()
      expect(item).toMatchObject({
        createdAt: '2126-02-03T04:05:06.070Z',
        minBudget: 20,
        maxBudget: 1234567.89,
        user: { rating: 4.333333333333333 },
      })
      expect((await visitor(`GET /api/wanted-items/${item.id}`)).json()).toEqual(item)
    },
  )

  test('filters by category and urgency, and can hide the user’s own requests', async () => {
    const { signUp, visitor } = await openEmptyMarket()
    const [ada, eve] = [await signUp('Ada'), await signUp('Eve')]
    await ada.call('POST /api/wanted-items', { ...lamp, title: 'lamp' })
    await eve.call('POST /api/wanted-items', { ...lamp, title: 'cello', category: 'Music', urgency: 'low' })
    const titles = async (caller: typeof visitor, query: string) =>
      (await caller(`GET /api/wanted-items?${query}`)).json().map(({ title }: { title: string }) => title)
    expect(await titles(visitor, 'category=Music')).toEqual(['cello'])
    expect(await titles(visitor, 'urgency=high')).toEqual(['lamp'])
    expect(await titles(visitor, 'category=Music&urgency=high')).toEqual([])
    expect(await titles(ada.call, 'mine=hide')).toEqual(['cello'])
    expect(await titles(visitor, 'mine=hide')).toEqual(['cello', 'lamp'])
  })

  test.each([
    'limit=0',
    'limit=101',
    'limit=many',
    'cursor=abc',
    'cursor=-1',
    'urgency=now',
    'search=%00',
    'mine=show',
  ])('refuses %s', async (query) => {
    const { visitor } = shared()
    const reply = await visitor(`GET /api/wanted-items?${query}`)
    expect(reply.statusCode).toBe(422)
    expect(reply.json().issues[0].path).toBe(query.split('=')[0])
  })

  test('lists the categories', async () => {
    const { visitor } = shared()
    expect((await visitor('GET /api/categories')).json()).toEqual([
      { name: 'Electronics' },
      { name: 'Home & Garden' },
      { name: 'Automotive' },
      { name: 'Fashion' },
      { name: 'Sports' },
      { name: 'Music' },
      { name: 'Books & Media' },
      { name: 'Other' },
    ])
  })
})

describe('pictures', () => {
  const form = (
    bytes: Uint8Array,
    { field = 'image', ...options }: UploadOptions & { field?: string } = {},
  ) => uploadOf(field, bytes, options)

  const drawn = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#286' } })

  async function openUploads() {
    const world = shared()
    const ada = await world.signUp('Ada')
    const upload = (parts: ReturnType<typeof form>) =>
      world.app.inject({
        method: 'POST',
        url: '/api/wanted-items/image',
        payload: parts.payload,
        headers: { ...parts.headers, cookie: ada.cookie },
      })
    const allOnDisk = () => readdir(join(world.services.config.dataDir, 'files')).catch((): string[] => [])
    const before = await allOnDisk()
    /** The files that were added since. */
    const onDisk = async () => (await allOnDisk()).filter((name) => !before.includes(name))
    const countFiles = async () =>
      (await world.sql.query('select from files where owner_id = $1', [ada.id])).rowCount
    return { ...world, ada, upload, onDisk, countFiles }
  }

  test('a picture is re-encoded: upright, without metadata, limited in size, with the right type', async () => {
    const { upload, visitor, ada } = await openUploads()
    const photo = await drawn(3000, 1500)
      .withExif({ IFD0: { Copyright: 'a secret place' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(photo.toString('latin1')).toContain('Exif')
    const reply = await upload(form(photo, { name: '../../etc/passwd', type: 'text/html' }))
    expect(reply.statusCode).toBe(201)
    const { imageUrl } = reply.json()
    expect(imageUrl).toMatch(/^\/files\/[\w-]{32}\.webp$/)
    const stored = await visitor(`GET ${imageUrl}`)
    expect(stored.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
    })
    const { format, width, height, exif } = await sharp(stored.rawPayload).metadata()
    expect({ format, width, height, exif }).toEqual({
      format: 'webp',
      width: 800,
      height: 1600,
      exif: undefined,
    })
    const posted = await ada.call('POST /api/wanted-items', { ...lamp, imageUrl })
    expect(posted.json().imageUrl).toBe(imageUrl)
  })

  test.each(['jpeg', 'png', 'webp', 'gif'] as const)('%s is accepted', async (format) => {
    const { upload } = await openUploads()
    expect((await upload(form(await drawn(20, 20).toFormat(format).toBuffer()))).statusCode).toBe(201)
  })

  test.each([
    ['HTML named .png', async () => Buffer.from('<html><script>alert(1)</script></html>')],
    [
      'an SVG',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    ],
    ['an empty file', async () => Buffer.alloc(0)],
    ['an empty PNG', async () => Buffer.from('89504e470d0a1a0a', 'hex')],
    ['a TIFF', () => drawn(20, 20).tiff().toBuffer()],
    ['a truncated JPEG', async () => (await drawn(600, 600).jpeg().toBuffer()).subarray(0, 700)],
    [
      'a decompression bomb',
      async () => pngBomb(),
      'This picture has more than 40 megapixels. Please make it smaller.',
    ],
  ])('%s is refused and nothing is stored', async (_, make, message?: string) => {
    const { upload, onDisk, countFiles } = await openUploads()
    const reply = await upload(form(await make()))
    expect(reply.statusCode).toBe(415)
    expect(reply.json()).toEqual({
      code: 'not_an_image',
      message: message ?? 'Please upload an image file (JPG, PNG, etc.)',
    })
    expect(await onDisk()).toEqual([])
    expect(await countFiles()).toBe(0)
  })

  test('a file one byte over 10 MB is refused', async () => {
    const { upload, onDisk } = await openUploads()
    const reply = await upload(form(Buffer.alloc(10 * 1024 * 1024 + 1)))
    expect(reply.statusCode).toBe(413)
    expect(reply.json().code).toBe('too_large')
    expect(await onDisk()).toEqual([])
  })

  test('a wrong field, a wrong content type and visitors are refused', async () => {
    const { upload, ada, app } = await openUploads()
    const png = await drawn(20, 20).png().toBuffer()
    const named = await upload(form(png, { field: 'file' }))
    expect(named.json()).toMatchObject({ code: 'invalid', issues: [{ path: 'image' }] })
    expect((await ada.call('POST /api/wanted-items/image', { image: 'x' })).statusCode).toBe(415)
    const visitor = await app.inject({ method: 'POST', url: '/api/wanted-items/image', ...form(png) })
    expect(visitor.statusCode).toBe(401)
    const elsewhere = await app.inject({ method: 'POST', url: '/api/auth/login', ...form(png) })
    expect(elsewhere.statusCode).toBe(415)
  })

  test('an interrupted upload stores nothing', async () => {
    const { app, ada, onDisk, countFiles } = await openUploads()
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const { payload, headers } = form(await drawn(900, 900).png().toBuffer())
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `POST /api/wanted-items/image HTTP/1.1\r\nhost: x\r\ncookie: ${ada.cookie}\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${payload.length}\r\n\r\n`,
        )
        socket.write(payload.subarray(0, payload.length / 2), () => socket.destroy())
      })
      socket.on('close', () => resolve())
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await onDisk()).toEqual([])
    expect(await countFiles()).toBe(0)
    expect((await app.inject('/healthz')).statusCode).toBe(200)
  })

  test('pictures of other users and unknown pictures are refused', async () => {
    const { upload, signUp } = await openUploads()
    const { imageUrl } = (await upload(form(await drawn(20, 20).png().toBuffer()))).json()
    const eve = await signUp('Eve')
    for (const address of [imageUrl, `/files/${'a'.repeat(32)}.webp`, '/files/x']) {
      const reply = await eve.call('POST /api/wanted-items', { ...lamp, imageUrl: address })
      expect(reply.json().code).toBe('image_not_found')
    }
  })

  test('an unused picture is removed after a day', async () => {
    const { upload, ada, services, onDisk } = await openUploads()
    const png = form(await drawn(20, 20).png().toBuffer())
    const [kept, left] = [(await upload(png)).json().imageUrl, (await upload(png)).json().imageUrl]
    await ada.call('POST /api/wanted-items', { ...lamp, imageUrl: kept })
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
    await purgeAbandonedFiles(services.database, services.files, inHours(23))
    expect(await onDisk()).toHaveLength(2)
    await purgeAbandonedFiles(services.database, services.files, inHours(25))
    expect(await onDisk()).toEqual([kept.replace('/files/', '')])
    expect(left).not.toBe(kept)
  })
})
