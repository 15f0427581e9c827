import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { refuse } from '../../../../core/errors.ts'
import { DownloadFailed } from '../../../../files/download.ts'
import { purgeAbandonedFiles } from '../../../../files/stored-files.ts'
import { siteOf } from '../../../../pages/page-head.ts'
import { openWorld, PASSWORD, shareWorld } from '../../../../testing/world.ts'
import { itemPageHead } from '../page-head.ts'
import { fetchDuePictures, fetchPictures } from './fetch-picture.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const IMAGE_URL = 'https://pictures.example/lamp.jpg'
const MINUTE_MS = 60_000
const shared = shareWorld()

const jpeg = () =>
  sharp({ create: { width: 2000, height: 1000, channels: 3, background: '#284' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer()

/** Ada has posted a request with a picture from another site, which replies with `get`. */
async function openRequest(world = shared()) {
  const ada = await world.signUp('Ada')
  const get = vi.fn(async (_url: string) => jpeg())
  const services = { ...world.services, downloads: { get } }
  const { id } = (await ada.call('POST /api/wanted-items', { ...lamp, imageUrl: IMAGE_URL })).json()
  const read = async () => (await world.visitor(`GET /api/wanted-items/${id}`)).json()
  const edit = (imageUrl: string) => ada.call(`PUT /api/wanted-items/${id}`, { ...lamp, imageUrl })
  return { ...world, services, ada, id, get, read, edit }
}

test('the picture is copied by a job, re-encoded and shown instead of the address', async () => {
  const { services, id, get, read, visitor, sql } = await openRequest()
  expect(await read()).toMatchObject({ imageUrl: IMAGE_URL, pictureUrl: null })
  const { rows } = await sql.query('select task_identifier, key from graphile_worker.jobs where key = $1', [
    `fetch-picture:${id}`,
  ])
  expect(rows).toMatchObject([{ task_identifier: 'fetch-picture' }])
  await fetchPictures(services, id)
  const { imageUrl, pictureUrl } = await read()
  expect(imageUrl).toBe(IMAGE_URL)
  expect(pictureUrl).toMatch(/^\/files\/[\w-]{32}\.webp$/)
  const { width, height, exif, format } = await sharp(
    (await visitor(`GET ${pictureUrl}`)).rawPayload,
  ).metadata()
  expect([width, height, exif, format]).toEqual([1600, 800, undefined, 'webp'])
  const [listed] = (await visitor('GET /api/wanted-items?limit=1')).json()
  expect(listed).toMatchObject({ id, imageUrl: IMAGE_URL, pictureUrl })
  const site = { ...siteOf(services), publicUrl: 'https://sought.example' }
  expect(await itemPageHead(services.database.read, `/item/${id}`, site, new Date())).toMatchObject({
    data: { image: `https://sought.example${pictureUrl}` },
  })
  await fetchPictures(services, id)
  expect(get.mock.calls).toEqual([[IMAGE_URL, 10 * 1024 * 1024]])
})

test('a failed download leaves no picture, and the sweep retries four times with growing delays', async () => {
  const { services, id, get, read, advanceClock } = await openRequest(await openWorld())
  get.mockRejectedValueOnce(new DownloadFailed('not reachable'))
  get.mockResolvedValue(Buffer.from('<html>not a picture</html>'))
  await fetchPictures(services, id)
  await fetchDuePictures(services)
  expect(get).toHaveBeenCalledTimes(1)
  for (const [attempt, minutes] of [2, 8, 32, 128].entries()) {
    advanceClock(minutes * MINUTE_MS - 1000)
    await fetchDuePictures(services)
    expect(get).toHaveBeenCalledTimes(attempt + 1)
    advanceClock(1000)
    await fetchDuePictures(services)
    expect(get).toHaveBeenCalledTimes(attempt + 2)
  }
  advanceClock(1000 * MINUTE_MS)
  await fetchDuePictures(services)
  expect(get).toHaveBeenCalledTimes(5)
  expect(await read()).toMatchObject({ imageUrl: IMAGE_URL, pictureUrl: null })
})

test('an unexpected error fails the job instead of counting as a failed download', async () => {
  const { services, id, get } = await openRequest()
  get.mockRejectedValueOnce(new TypeError('a bug'))
  await expect(fetchPictures(services, id)).rejects.toThrow('a bug')
})

test('pictures without a job are fetched, and uploads are not', { tags: ['proof'] }, async () => {
  const world = await openWorld()
  const { services, ada, get } = await openRequest(world)
  get.mockRejectedValueOnce(new DownloadFailed('not reachable'))
  await fetchDuePictures(services)
  const insert = `insert into wanted_items (title, description, category, location, user_id, images)
    values ('Old', 'Old', 'Other', 'Ipoh', $1, jsonb_build_array(jsonb_build_object('url', $2::text, 'pictureUrl', $3::text)))`
  const uploaded = `/files/${'a'.repeat(32)}.webp`
  await world.sql.query(insert, [ada.id, 'http://old.example/lamp.png', null])
  await world.sql.query(insert, [ada.id, uploaded, uploaded])
  await fetchDuePictures(services)
  expect(get.mock.calls.map(([url]) => url)).toEqual([IMAGE_URL, 'http://old.example/lamp.png'])
})

test('editing the address fetches the new picture, and the old copy is removed', async () => {
  const { services, id, read, edit, visitor, get } = await openRequest()
  await fetchPictures(services, id)
  const { pictureUrl: first } = await read()
  await edit(IMAGE_URL)
  expect(await read()).toMatchObject({ pictureUrl: first })
  await edit('https://pictures.example/other.jpg')
  expect(await read()).toMatchObject({ imageUrl: 'https://pictures.example/other.jpg', pictureUrl: null })
  await fetchPictures(services, id)
  const { pictureUrl: second } = await read()
  expect(get.mock.lastCall?.[0]).toBe('https://pictures.example/other.jpg')
  await purgeAbandonedFiles(services.database, services.files, new Date(Date.now() + 25 * 60 * MINUTE_MS))
  expect((await visitor(`GET ${first}`)).statusCode).toBe(404)
  expect((await visitor(`GET ${second}`)).statusCode).toBe(200)
  await edit('')
  expect(await read()).toMatchObject({ imageUrl: null, pictureUrl: null })
})

test('a picture that was changed or removed during the download is not saved', {
  tags: ['proof'],
}, async () => {
  const { services, ada, id, read, edit, get, sql } = await openRequest()
  const owned = async () => (await sql.query('select from files where owner_id = $1', [ada.id])).rowCount
  get.mockImplementationOnce(async () => {
    await edit('https://pictures.example/other.jpg')
    return jpeg()
  })
  await fetchPictures(services, id)
  expect(await read()).toMatchObject({ pictureUrl: null })
  get.mockImplementationOnce(async () => {
    await ada.call('POST /api/user/delete-account', { password: PASSWORD })
    return jpeg()
  })
  await fetchPictures(services, id)
  const { rows } = await sql.query('select image_url, picture_url from wanted_items where id = $1', [id])
  expect(rows).toEqual([{ image_url: null, picture_url: null }])
  expect(await owned()).toBe(0)
})

test('the address of a picture cannot be used to reach our own server', async () => {
  const { ada, services, read, sql } = await openRequest()
  const imageUrl = 'http://127.0.0.1:80/lamp.jpg'
  const { id } = (await ada.call('POST /api/wanted-items', { ...lamp, imageUrl })).json()
  await fetchPictures({ ...services, downloads: shared().services.downloads }, id)
  const { rows } = await sql.query('select picture_url, picture_attempts from wanted_items where id = $1', [
    id,
  ])
  expect(rows).toEqual([{ picture_url: null, picture_attempts: 1 }])
  expect((await read()).pictureUrl).toBeNull()
})

test('an account is limited to sixty picture downloads an hour', async () => {
  const { services, id, get } = await openRequest()
  const count = vi.fn().mockRejectedValue(refuse('too_many'))
  const limits = { ...services.limits, pictureFetchesByAccount: { ...services.limits.dataByAccount, count } }
  await fetchPictures({ ...services, limits }, id)
  expect(get).not.toHaveBeenCalled()
})

test('a worker that is stopped fetches no further pictures', async () => {
  const { ada, services, id, get, read } = await openRequest()
  const images = ['one', 'two', 'three'].map((name) => ({ url: `https://pictures.example/${name}.jpg` }))
  await ada.call(`PUT /api/wanted-items/${id}`, { ...lamp, images })
  const worker = new AbortController()
  get.mockImplementationOnce(async () => {
    worker.abort()
    return jpeg()
  })
  await fetchPictures(services, id, worker.signal)
  expect(get).toHaveBeenCalledTimes(1)
  expect((await read()).pictures).toHaveLength(1)
})
