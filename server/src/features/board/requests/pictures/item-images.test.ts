import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { DownloadFailed } from '../../../../files/download.ts'
import { purgeAbandonedFiles } from '../../../../files/stored-files.ts'
import { type Person, shareWorld } from '../../../../testing/world.ts'
import { fetchPictures } from './fetch-picture.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const shared = shareWorld()

const draw = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#284' } })
    .png()
    .toBuffer()

async function upload(person: Person, width = 40, height = 30): Promise<string> {
  const form = new FormData()
  form.append('image', new Blob([new Uint8Array(await draw(width, height))]), 'lamp.png')
  const { headers, body } = new Request('http://localhost', { method: 'POST', body: form })
  const payload = Buffer.from(await new Response(body).arrayBuffer())
  const reply = await person.call('POST /api/wanted-items/image', undefined, {
    headers: { 'content-type': headers.get('content-type') ?? '' },
    payload,
  })
  return reply.json().imageUrl
}

describe('the pictures of a request', () => {
  test('keep their order and alt texts, and lists show the first one', async () => {
    const { signUp, visitor } = shared()
    const ada = await signUp('Ada')
    const [one, two, three] = [await upload(ada), await upload(ada, 30, 40), await upload(ada)]
    const images = [
      { url: two, alt: 'The shade from below' },
      { url: one, alt: '' },
    ]
    const posted = await ada.call('POST /api/wanted-items', { ...lamp, images })
    expect(posted.json()).toMatchObject({
      images,
      imageUrl: two,
      pictureUrl: two,
      pictures: [
        { url: two, alt: 'The shade from below', width: 30, height: 40 },
        { url: one, alt: '', width: 40, height: 30 },
      ],
    })
    const { id } = posted.json()
    expect((await visitor('GET /api/wanted-items?limit=1')).json()).toEqual([posted.json()])
    expect((await visitor('GET /api/wanted-items?limit=1&search=lamp')).json()).toEqual([posted.json()])

    const edit = async (change: object) =>
      (await ada.call(`PUT /api/wanted-items/${id}`, { ...lamp, ...change })).json()
    const sorted = [{ url: three }, { url: one, alt: 'Its foot' }, { url: two }]
    expect((await edit({ images: sorted })).images).toEqual([
      { url: three, alt: '' },
      { url: one, alt: 'Its foot' },
      { url: two, alt: '' },
    ])
    // A client that knows only `imageUrl`.
    expect((await edit({ imageUrl: three })).images).toHaveLength(3)
    expect((await edit({ imageUrl: one })).images).toEqual([{ url: one, alt: '' }])
    expect(await edit({ imageUrl: '' })).toMatchObject({ images: [], pictures: [], imageUrl: null })
  })

  test('are limited to six, with alt texts of at most 200 characters, and cannot be uploads of others', async () => {
    const { signUp, sql } = shared()
    const [ada, eve] = [await signUp('Ada'), await signUp('Eve')]
    const url = await upload(ada)
    const post = async (person: Person, images: object[]) =>
      (await person.call('POST /api/wanted-items', { ...lamp, images })).statusCode
    expect(await post(ada, Array(6).fill({ url, alt: 'x'.repeat(200) }))).toBe(201)
    expect(await post(ada, Array(7).fill({ url }))).toBe(422)
    expect(await post(ada, [{ url, alt: 'x'.repeat(201) }])).toBe(422)
    expect(await post(ada, [{ url: 'javascript:alert(1)' }])).toBe(422)
    expect(await post(eve, [{ url }])).toBe(422)
    const set = (images: object[]) =>
      sql.query('update wanted_items set images = $1 where user_id = $2', [JSON.stringify(images), ada.id])
    await expect(set(Array(7).fill({ url, pictureUrl: url }))).rejects.toThrow('wanted_items_images')
    const elsewhere = [{ url, pictureUrl: 'https://elsewhere.example/a.png' }]
    await expect(set(elsewhere)).rejects.toThrow('wanted_items_image_copies')
  })

  test('stay in step with image_url when SQL changes one of them', async () => {
    const { signUp, sql, visitor } = shared()
    const ada = await signUp('Ada')
    const [one, two] = [await upload(ada), await upload(ada)]
    const elsewhere = 'https://pictures.example/lamp.png'
    const { rows } = await sql.query(
      `insert into wanted_items (title, description, category, location, user_id, image_url)
       values ('Lamp', 'Green', 'Other', 'Ipoh', $1, $2) returning id`,
      [ada.id, one],
    )
    const item = async () => (await visitor(`GET /api/wanted-items/${rows[0].id}`)).json()
    const set = async (column: 'images' | 'image_url', value: string | null) => {
      await sql.query(`update wanted_items set ${column} = $1 where id = $2`, [value, rows[0].id])
      return item()
    }
    const [first, second] = [
      { url: one, alt: '' },
      { url: two, alt: 'Its foot' },
    ]
    expect(await item()).toMatchObject({ images: [first], imageUrl: one, pictureUrl: one })

    const both = [
      { ...second, pictureUrl: two, width: 40, height: 30 },
      { ...first, pictureUrl: one, width: 40, height: 30 },
    ]
    const images = [second, first]
    expect(await set('images', JSON.stringify(both))).toMatchObject({
      images,
      imageUrl: two,
      pictureUrl: two,
    })
    expect(await set('image_url', elsewhere)).toMatchObject({
      images: [{ url: elsewhere, alt: '' }, first],
      imageUrl: elsewhere,
      pictureUrl: null,
    })
    expect(await set('image_url', null)).toMatchObject({ images: [], imageUrl: null, pictureUrl: null })
    expect(await set('image_url', two)).toMatchObject({ images: [{ url: two, alt: '' }], pictureUrl: two })
    expect(await set('images', '[]')).toMatchObject({ images: [], imageUrl: null, pictureUrl: null })
  })

  test('from other sites are copied one by one and shown together with uploads', async () => {
    const { signUp, services, visitor } = shared()
    const ada = await signUp('Ada')
    const uploaded = await upload(ada)
    const [broken, works] = ['https://pictures.example/broken.png', 'https://pictures.example/works.png']
    const images = [{ url: broken, alt: 'Broken' }, { url: works, alt: 'Works' }, { url: uploaded }]
    const { id } = (await ada.call('POST /api/wanted-items', { ...lamp, images })).json()
    const get = async (url: string) => {
      if (url === broken) throw new DownloadFailed('not reachable')
      return draw(2000, 1000)
    }
    await fetchPictures({ ...services, downloads: { get } }, id)
    const item = (await visitor(`GET /api/wanted-items/${id}`)).json()
    expect(item.images.map((image: { url: string }) => image.url)).toEqual([broken, works, uploaded])
    expect(item.pictures).toMatchObject([
      { url: expect.stringMatching(/^\/files\//), alt: 'Works', width: 1600, height: 800 },
      { url: uploaded },
    ])
    expect([item.imageUrl, item.pictureUrl]).toEqual([broken, null])
  })

  test('are served in several widths as AVIF and WebP, and these variants are removed together with the picture', async () => {
    const { signUp, visitor, services } = shared()
    const ada = await signUp('Ada')
    const url = await upload(ada, 1000, 500)
    const name = url.replace('/files/', '').replace('.webp', '')
    const read = async (variant: string) => {
      const { statusCode, headers, rawPayload } = await visitor(`GET /files/${name}.${variant}`)
      if (statusCode !== 200) return statusCode
      const { width, height } = await sharp(rawPayload).metadata()
      return [headers['content-type'], width, height, String(headers['cache-control']).includes('immutable')]
    }
    expect(await read('320.avif')).toEqual(['image/avif', 320, 160, true])
    expect(await read('320.avif')).toEqual(['image/avif', 320, 160, true])
    expect(await read('640.webp')).toEqual(['image/webp', 640, 320, true])
    expect(await read('1600.avif')).toEqual(['image/avif', 1000, 500, true])
    for (const unknown of ['321.avif', '320.png', '0320.avif', '320.avif.webp'])
      expect(await read(unknown)).toBe(404)
    const folder = join(services.config.dataDir, 'files')
    const kept = async () => (await readdir(folder)).filter((file) => file.startsWith(name)).length
    expect(await kept()).toBe(4)
    await purgeAbandonedFiles(services.database, services.files, new Date(Date.now() + 90_000_000))
    expect(await kept()).toBe(0)
    expect(await read('320.avif')).toBe(404)
  })
})
