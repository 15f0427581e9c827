import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from './app.ts'
import { readConfig } from './core/config.ts'
import { createServices } from './create-services.ts'
import { StorageUnavailable } from './providers/files/file-storage.ts'
import { eventually } from './testing/eventually.ts'
import { openMoneyWorld } from './testing/money-world.ts'
import { uploadOf } from './testing/multipart.ts'
import { type S3Server, startS3Server } from './testing/s3-server.ts'
import { addTraders } from './testing/traders.ts'
import { openWorld, type Person, type World } from './testing/world.ts'

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(() => s3.close())

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh' }

const picture = (side = 40) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#284' } })
    .png()
    .toBuffer()

const form = (field: string, bytes: Uint8Array, fields: Record<string, string> = {}) =>
  uploadOf(field, bytes, { fields })

/** The names of the files in the bucket. */
async function namesIn({ services }: World): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of services.fileStorage.list()) names.push(name)
  return names.sort()
}

const rowsOf = async ({ sql }: World) => (await sql.query('select id from files')).rowCount

/** Another process of the same deployment, with its own disk. */
async function openSecondProcess({ services }: World) {
  const dataDir = await mkdtemp(join(tmpdir(), 'sought-test-'))
  const { databaseUrl = '' } = services.config
  const config = readConfig({ ...SECRETS, ...s3.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir })
  const log = pino({ level: 'silent' })
  const second = await createServices(config, databaseUrl, services.clock, log)
  const app = await buildApp(second, { ready: true }, log)
  onTestFinished(async () => {
    await second.events.stop()
    await second.sandbox?.close()
    await app.close()
    await second.database.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return (url: string, cookie = '') => app.inject({ url, headers: { cookie } })
}

const SECRETS = { SESSION_SECRET: 'the secret of both processes', DATA_KEY: 'the key of both processes' }

test('processes with separate disks serve each other’s uploads, and private ones only to their owners', {
  tags: ['proof'],
}, async () => {
  const world = await openWorld({ ...SECRETS, ...s3.env })
  const [ada, eve] = [await world.signUp('Ada'), await world.signUp('Eve')]
  const getFromSecond = await openSecondProcess(world)

  const avatar = await ada.call('POST /api/user/upload-avatar', undefined, form('avatar', await picture()))
  const { profileImageUrl } = avatar.json()
  const uploaded = await ada.call(
    'POST /api/wanted-items/image',
    undefined,
    form('image', await picture(700)),
  )
  const { imageUrl } = uploaded.json()
  for (const [url, type] of [
    [profileImageUrl, 'image/webp'],
    [`${profileImageUrl}?size=64`, 'image/webp'],
    [imageUrl, 'image/webp'],
    [imageUrl.replace('.webp', '.320.avif'), 'image/avif'],
  ]) {
    const reply = await getFromSecond(url)
    expect([url, reply.statusCode, reply.headers['content-type']]).toEqual([url, 200, type])
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await sharp(reply.rawPayload).metadata()).width).toBeGreaterThan(0)
  }

  const photo = (await ada.call('POST /api/photos', undefined, form('photo', await picture()))).json()
  const own = await getFromSecond(photo.url, ada.cookie)
  expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, max-age=3600, immutable'])
  expect((await getFromSecond(photo.url, eve.cookie)).statusCode).toBe(404)
  expect((await getFromSecond(photo.url)).statusCode).toBe(401)
})

test('without S3, uploads and files are unavailable, nothing is half stored, and the rest works', {
  tags: ['proof'],
}, async () => {
  const world = await openMoneyWorld({ env: s3.env })
  const { ada, bob, visitor } = world
  const image = await picture()
  const { paymentId: shipped } = await world.payIntoEscrow(12_000, {
    delivery: 'shipping',
    shipWithinDays: 4,
  })
  const { paymentId: disputed } = await world.payIntoEscrow()
  await ada.call('POST /api/initiate-dispute', { paymentId: disputed, reason: 'It is blue' })

  const uploads: [Person, string, ReturnType<typeof form>][] = [
    [ada, 'POST /api/user/upload-avatar', form('avatar', image)],
    [ada, 'POST /api/wanted-items/image', form('image', image)],
    [ada, 'POST /api/photos', form('photo', image)],
    [ada, `POST /api/disputes/${disputed}/upload-evidence`, form('file', image)],
    [bob, `POST /api/payments/${shipped}/ship`, form('photo', image, { carrier: 'dhl' })],
    [bob, `POST /api/payments/${shipped}/delivered`, form('proof', image)],
  ]
  const uploadAll = async (list: typeof uploads) => {
    const replies = []
    for (const [person, call, body] of list) replies.push(await person.call(call, undefined, body))
    return replies
  }
  const [avatar, request, photo, evidence] = await uploadAll(uploads.slice(0, 5))
  const item = await ada.call('POST /api/wanted-items', { ...lamp, imageUrl: request?.json().imageUrl })
  const preview = (await visitor(`GET /og/item/${item.json().id}-x.png`)).headers.location
  const files = [
    avatar?.json().profileImageUrl,
    request?.json().imageUrl.replace('.webp', '.320.avif'),
    photo?.json().url,
    `/api/disputes/${disputed}/evidence/${evidence?.json().id}`,
    `/api/payments/${shipped}/files/shipment-photo`,
  ]
  const before = { names: await namesIn(world), rows: await rowsOf(world) }

  await s3.kill()
  for (const reply of await uploadAll(uploads)) {
    expect([reply.statusCode, reply.json().code]).toEqual([503, 'unavailable'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  }
  for (const url of [...files, preview]) {
    const reply = await ada.call(`GET ${url}`)
    expect([url, reply.statusCode, reply.headers['cache-control']]).toEqual([url, 503, 'no-store'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  }
  expect((await visitor('GET /api/wanted-items')).statusCode).toBe(200)
  expect((await ada.call(`GET /api/payments/${shipped}`)).json().deliveredAt).toBeNull()

  await s3.start()
  expect({ names: await namesIn(world), rows: await rowsOf(world) }).toEqual(before)
  for (const url of [...files, preview]) expect((await ada.call(`GET ${url}`)).statusCode, url).toBe(200)
  for (const reply of await uploadAll(uploads)) expect(reply.statusCode, reply.body).toBeLessThan(300)
})

test('an S3 that does not answer holds no database connection and no lock', { tags: ['proof'] }, async () => {
  const silent = await openSilentServer()
  const world = await openWorld({ ...s3.env, S3_ENDPOINT: silent.url })
  const { ada, given, visitor, sql } = await addTraders(world)
  const name = `${'p'.repeat(32)}.webp`
  await sql.query(
    `with file as (
       insert into files (id, owner_id, kind, mime_type, size_bytes) values ($1, $2, 'photo', 'image/webp', 1)
     ) insert into photos (id, owner_id, file_id, width, height) values (1, $2, $1, 1, 1)`,
    [name, ada.id],
  )
  const { paymentId: disputed } = await given.dispute()
  // More requests than the database has connections.
  const replies = [
    ada.call(
      `POST /api/disputes/${disputed}/upload-evidence`,
      undefined,
      form('file', Buffer.from('%PDF-1.7\n%%EOF')),
    ),
    ...Array.from({ length: 30 }, () => ada.call('GET /api/photos/1')),
  ]
  await eventually(() => expect(silent.connections()).toBe(31))
  expect((await visitor('GET /api/wanted-items')).statusCode).toBe(200)
  expect((await sql.query('select from payments where id = $1 for update nowait', [disputed])).rowCount).toBe(
    1,
  )
  silent.close()
  for (const reply of await Promise.all(replies)) expect(reply.statusCode).toBe(503)
  expect((await sql.query('select from dispute_evidence')).rowCount).toBe(0)
})

/** Accepts connections but never answers, until it is closed. */
async function openSilentServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket.on('error', () => {})))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, connections: () => sockets.size, close }
}

test('a photo is stored in both sizes or not at all, and a failed removal of a file causes no error', {
  tags: ['proof'],
}, async () => {
  const world = await openWorld(s3.env)
  const { fileStorage } = world.services
  const ada = await world.signUp('Ada')
  const away = new StorageUnavailable(new Error('away'))
  const before = await namesIn(world)

  const { write } = fileStorage
  const writes = vi.spyOn(fileStorage, 'write').mockImplementationOnce(write).mockRejectedValueOnce(away)
  const photo = await ada.call('POST /api/photos', undefined, form('photo', await picture()))
  expect([photo.statusCode, writes.mock.calls.length]).toEqual([503, 2])
  expect([await namesIn(world), await rowsOf(world)]).toEqual([before, 0])

  const upload = async () =>
    ada.call('POST /api/user/upload-avatar', undefined, form('avatar', await picture()))
  const first = (await upload()).json().profileImageUrl
  vi.spyOn(fileStorage, 'remove').mockRejectedValue(away)
  const replaced = await upload()
  expect(replaced.statusCode).toBe(200)
  expect((await world.visitor(`GET ${replaced.json().profileImageUrl}`)).statusCode).toBe(200)
  expect((await world.visitor(`GET ${first}`)).statusCode).toBe(404)
})
