import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { type UploadOptions, uploadOf } from '../../../testing/multipart.ts'
import { pngBomb } from '../../../testing/png-bomb.ts'
import { type Person, shareWorld } from '../../../testing/world.ts'

const drawn = (width: number, height: number, background = '#284') =>
  sharp({ create: { width, height, channels: 3, background } })

const form = (bytes: Uint8Array, { field = 'avatar', ...options }: UploadOptions & { field?: string } = {}) =>
  uploadOf(field, bytes, { name: 'me.png', ...options })

const shared = shareWorld()

/** Another Ada in the shared world. `onDisk` and `inTable` list the files that were added since. */
async function openAvatars() {
  const world = shared()
  const ada = await world.signUp('Ada')
  const folder = join(world.services.config.dataDir, 'files')
  const allOnDisk = async () => (await readdir(folder).catch(() => [] as string[])).sort()
  const allInTable = async () =>
    (await world.sql.query('select id from files order by id collate "C"')).rows.map(({ id }) => id as string)
  const before = new Set([...(await allOnDisk()), ...(await allInTable())])
  return {
    ...world,
    ada,
    upload: ({ payload, headers }: ReturnType<typeof form>, { cookie }: Person = ada) =>
      world.app.inject({
        method: 'POST',
        url: '/api/user/upload-avatar',
        payload,
        headers: { ...headers, cookie },
      }),
    onDisk: async () => (await allOnDisk()).filter((name) => !before.has(name)),
    inTable: async () => (await allInTable()).filter((name) => !before.has(name)),
  }
}

test('a picture is stored as four upright squares without metadata', async () => {
  const { upload, visitor, onDisk, inTable, ada } = await openAvatars()
  // Red on the left, blue on the right, with EXIF data that says the camera was rotated.
  const half = await drawn(300, 400, '#f00').png().toBuffer()
  const turned = await drawn(600, 400, '#00f')
    .composite([{ input: half, left: 0, top: 0 }])
    .withExif({ IFD0: { Copyright: 'Somebody’s own' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95 })
    .toBuffer()
  const reply = await upload(form(turned, { name: '../../evil.svg', type: 'image/svg+xml' }))
  expect(reply.statusCode).toBe(200)
  const { profileImageUrl } = reply.json()
  expect(profileImageUrl).toMatch(/^\/files\/[\w-]{32}\.webp$/)
  expect((await ada.call('GET /api/auth/user')).json().profileImageUrl).toBe(profileImageUrl)

  for (const [query, side] of [
    ['', 512],
    ['?size=512', 512],
    ['?size=256', 256],
    ['?size=128', 128],
    ['?size=64', 64],
    ['?size=65', 512],
    ['?size=64&size=128', 512],
    ['?size=../../x', 512],
  ] as const) {
    const served = await visitor(`GET ${profileImageUrl}${query}`)
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const { width, height, exif, format } = await sharp(served.rawPayload).metadata()
    expect({ width, height, exif, format }, query).toEqual({
      width: side,
      height: side,
      exif: undefined,
      format: 'webp',
    })
  }
  const small = await visitor(`GET ${profileImageUrl}?size=64`)
  const { data } = await sharp(small.rawPayload).raw().toBuffer({ resolveWithObject: true })
  // After rotation, the left side is on top.
  const [top, bottom] = [data.subarray(0, 3), data.subarray(-3)]
  expect(top[0]).toBeGreaterThan(200)
  expect(bottom[2]).toBeGreaterThan(200)
  expect(await onDisk()).toEqual(await inTable())
  expect(await onDisk()).toHaveLength(4)
})

test('a new avatar replaces the old one on disk and in the database', async () => {
  const { upload, visitor, onDisk, inTable } = await openAvatars()
  const first = (await upload(form(await drawn(700, 500).png().toBuffer()))).json().profileImageUrl
  const second = (await upload(form(await drawn(20, 20).gif().toBuffer()))).json().profileImageUrl
  expect(second).not.toBe(first)
  for (const size of ['', '?size=64']) {
    expect((await visitor(`GET ${first}${size}`)).statusCode).toBe(404)
    expect((await visitor(`GET ${second}${size}`)).statusCode).toBe(200)
  }
  expect(await onDisk()).toHaveLength(4)
  expect(await onDisk()).toEqual(await inTable())
})

test('several concurrent uploads leave one complete avatar', { tags: ['proof'] }, async () => {
  const { upload, visitor, onDisk, inTable, ada, sql } = await openAvatars()
  const png = await drawn(100, 100).png().toBuffer()
  // Locking the user makes all uploads wait at the same point.
  const holder = await sql.connect()
  await holder.query('begin')
  await holder.query('select from users where id = $1 for update', [ada.id])
  const uploads = Array.from({ length: 4 }, () => upload(form(png)))
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  await eventually(async () => expect((await sql.query(waiting)).rowCount).toBe(4))
  await holder.query('commit')
  holder.release()
  const replies = await Promise.all(uploads)
  expect(replies.map((reply) => reply.statusCode)).toEqual(Array(4).fill(200))
  const { profileImageUrl } = (await ada.call('GET /api/auth/user')).json()
  expect((await visitor(`GET ${profileImageUrl}?size=128`)).statusCode).toBe(200)
  expect(await onDisk()).toHaveLength(4)
  expect(await onDisk()).toEqual(await inTable())
})

describe('a hostile file', () => {
  const script = '<script>alert(1)</script>'

  test.each<[string, () => Promise<Buffer>]>([
    [
      'an SVG with a script',
      async () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`),
    ],
    ['HTML named .png', async () => Buffer.from(`<html>${script}</html>`)],
    ['a decompression bomb', async () => pngBomb()],
    ['a truncated JPEG', async () => (await drawn(600, 600).jpeg().toBuffer()).subarray(0, 700)],
    ['an empty PNG', async () => Buffer.from('89504e470d0a1a0a', 'hex')],
    ['an empty file', async () => Buffer.alloc(0)],
  ])('%s is refused and changes nothing', async (_, make) => {
    const { upload, onDisk, inTable, ada } = await openAvatars()
    const before = (await upload(form(await drawn(20, 20).png().toBuffer()))).json().profileImageUrl
    const files = await onDisk()
    const reply = await upload(form(await make()))
    expect(reply.statusCode).toBe(415)
    expect(reply.json().code).toBe('not_an_image')
    expect(await onDisk()).toEqual(files)
    expect(await inTable()).toEqual(files)
    expect((await ada.call('GET /api/auth/user')).json().profileImageUrl).toBe(before)
  })

  test('data hidden behind a picture is removed', async () => {
    const { upload, visitor } = await openAvatars()
    const picture = await drawn(80, 80).png().toBuffer()
    const { profileImageUrl } = (await upload(form(Buffer.concat([picture, Buffer.from(script)])))).json()
    for (const size of ['', '?size=64']) {
      const { rawPayload } = await visitor(`GET ${profileImageUrl}${size}`)
      expect(rawPayload.includes(script)).toBe(false)
    }
  })

  test('5 MB are accepted, one byte more is refused', async () => {
    const { upload, onDisk } = await openAvatars()
    const png = await drawn(40, 40).png().toBuffer()
    const padded = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)])
    const over = await upload(form(padded(5 * 1024 * 1024 + 1)))
    expect(over.statusCode).toBe(413)
    expect(over.json().code).toBe('too_large')
    expect(await onDisk()).toEqual([])
    expect((await upload(form(padded(5 * 1024 * 1024)))).statusCode).toBe(200)
  })

  test('an interrupted upload stores nothing', async () => {
    const { app, ada, onDisk, inTable } = await openAvatars()
    const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const { payload } = form(await drawn(400, 400).png().toBuffer())
    const socket = connect(Number(address.port), address.hostname)
    await new Promise<void>((resolve) => {
      socket.write(
        `POST /api/user/upload-avatar HTTP/1.1\r\nhost: ${address.host}\r\ncookie: ${ada.cookie}\r\n` +
          `content-type: multipart/form-data; boundary=edge\r\ncontent-length: ${payload.length}\r\n\r\n`,
      )
      socket.write(payload.subarray(0, payload.length - 200), () => resolve())
    })
    socket.destroy()
    await eventually(async () => {
      const connections = await new Promise<number>((resolve, reject) =>
        app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      )
      expect(connections).toBe(0)
    })
    expect(await onDisk()).toEqual([])
    expect(await inTable()).toEqual([])
    expect((await ada.call('GET /api/auth/user')).json().profileImageUrl).toBeNull()
  })
})

test('a wrong field, a wrong content type and visitors are refused', async () => {
  const { upload, ada, app } = await openAvatars()
  const png = await drawn(20, 20).png().toBuffer()
  const named = await upload(form(png, { field: 'image' }))
  expect(named.json()).toMatchObject({ code: 'invalid', issues: [{ path: 'avatar' }] })
  expect((await ada.call('POST /api/user/upload-avatar', { avatar: 'x' })).statusCode).toBe(415)
  const signedOut = await app.inject({ method: 'POST', url: '/api/user/upload-avatar', ...form(png) })
  expect(signedOut.statusCode).toBe(401)
})

test('additional form fields are ignored', async () => {
  const { upload, ada, signUp } = await openAvatars()
  const bob = await signUp('Bob')
  const fields = { id: bob.id, userId: bob.id, rating: bob.id, isAdmin: bob.id }
  const reply = await upload(form(await drawn(20, 20).png().toBuffer(), { fields }))
  expect(reply.json()).toMatchObject({ id: ada.id, rating: 0 })
  expect((await bob.call('GET /api/auth/user')).json().profileImageUrl).toBeNull()
  expect((await ada.call('GET /api/user/is-admin')).json()).toEqual({ isAdmin: false, role: null })
})
