import sharp from 'sharp'
import { expect, test } from 'vitest'
import { renderPreview } from '../../../../files/images.ts'
import { shareWorld } from '../../../../testing/world.ts'
import { previewPath } from './link-preview.ts'

const market = shareWorld()
const MARKET = { name: 'Sought', accentColor: null }

const lamp = {
  title: 'A harbour lamp',
  description: 'Brass',
  category: 'Home & Garden',
  location: 'Lisbon',
  minBudget: 20,
  maxBudget: 45,
}

test('a request has a preview of 1200 × 630 pixels whose address changes with its content', async () => {
  const { signUp, visitor } = market()
  const { call } = await signUp('Ada')
  const item = (await call('POST /api/wanted-items', lamp)).json()
  const path = previewPath(item, MARKET)
  const reply = await visitor(`GET ${path}`)
  expect(reply.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(await sharp(reply.rawPayload).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  expect((await visitor(`GET ${path}`)).rawPayload.equals(reply.rawPayload)).toBe(true)

  const changed = (await call(`PUT /api/wanted-items/${item.id}`, { ...lamp, maxBudget: 60 })).json()
  expect(previewPath(changed, MARKET)).not.toBe(path)
  const old = await visitor(`GET ${path}`)
  expect([old.statusCode, old.headers.location]).toEqual([302, previewPath(changed, MARKET)])
  const redrawn = await visitor(`GET ${previewPath(changed, MARKET)}`)
  expect(redrawn.rawPayload.equals(reply.rawPayload)).toBe(false)
})

test('unknown requests and requests of deleted accounts have no preview', async () => {
  const { signUp, visitor, sql } = market()
  const { id: userId, call } = await signUp('Bob')
  const item = (await call('POST /api/wanted-items', lamp)).json()
  await sql.query('update users set deleted_at = now(), email = null where id = $1', [userId])
  for (const path of [
    previewPath(item, MARKET),
    previewPath({ ...item, id: 999_999 }, MARKET),
    '/og/item/x.png',
    '/og/item/1',
  ])
    expect((await visitor(`GET ${path}`)).statusCode, path).toBe(404)
})

test('the photo covers the right side of a preview, and any text can be drawn', {
  tags: ['proof'],
}, async () => {
  const red = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#d00' } })
    .webp()
    .toBuffer()
  const draw = async (title: string, photo: Buffer | null) => {
    const png = await renderPreview(
      { brand: 'Sought', accentColor: null, overline: ['Wanted', '东京', 'Łódź'], title, tag: 'Open budget' },
      photo,
    )
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number) => [...data.subarray((y * 1200 + x) * info.channels).subarray(0, 3)]
    return { png, at }
  }
  const { at } = await draw('A lamp', red)
  const [r = 0, g = 0, b = 0] = at(950, 300)
  expect(r > 180 && g < 40 && b < 40).toBe(true)
  const plain = await draw('A lamp', null)
  expect(plain.at(950, 300)).not.toEqual(at(950, 300))

  const drawn = await Promise.all(
    ['求购旧相机', '🙂', '<script>&"\'', 'x'.repeat(120), 'ﷺ\u202e\u0000 a'].map((title) =>
      draw(title, null),
    ),
  )
  expect(drawn[0]?.png.equals(drawn[1]?.png ?? Buffer.of())).toBe(true)
  expect(drawn[2]?.png.equals(drawn[1]?.png ?? Buffer.of())).toBe(false)
})
