import { readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { purgeAbandonedFiles } from '../../../files/stored-files.ts'
import { COMMAND_LINE } from '../../../http/request-origin.ts'
import { actDuringChange } from '../../../testing/blocked-statements.ts'
import { uploadOf } from '../../../testing/multipart.ts'
import { openWorld, PASSWORD, type Person, shareWorld } from '../../../testing/world.ts'
import { findReadablePhoto } from './actions.ts'

const lamp = { title: 'Lamp', description: 'Green', category: 'Other', location: 'Ipoh', maxBudget: 50 }
const shared = shareWorld()

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#284' } })

/** Ada requests a lamp; Bob is the seller, Eve a stranger. */
async function openMarket() {
  const world = shared()
  const [ada, bob, eve] = [await world.signUp('Ada'), await world.signUp('Bob'), await world.signUp('Eve')]
  const { id: wantedItemId } = (await ada.call('POST /api/wanted-items', lamp)).json()
  const upload = async (who: Person = bob, bytes?: Buffer) =>
    who.call(
      'POST /api/photos',
      undefined,
      uploadOf('photo', bytes ?? (await drawn(90, 60).png().toBuffer())),
    )
  const uploaded = async (who?: Person): Promise<number> => (await upload(who)).json().id
  const message = (photoIds: unknown, more: object = {}) =>
    bob.call('POST /api/messages', { wantedItemId, receiverId: ada.id, photoIds, ...more })
  const offer = (photoIds: number[]) =>
    bob.call('POST /api/offers', { wantedItemId, receiverId: ada.id, amount: 4000, photoIds })
  return { ...world, ada, bob, eve, wantedItemId, upload, uploaded, message, offer }
}

describe('upload', () => {
  test('is refused while no file can be written, and the log says what to do', async () => {
    const lines: string[] = []
    const world = await openWorld({ LOG_LEVEL: 'error' }, (line) => lines.push(line))
    const [bob, folder] = [await world.signUp('Bob'), join(world.services.config.dataDir, 'files')]
    const upload = async () =>
      bob.call('POST /api/photos', undefined, uploadOf('photo', await drawn(90, 60).png().toBuffer()))
    // Nobody can create files there, not even root.
    await symlink('/sys/kernel', folder)
    const refused = await upload()
    expect([refused.statusCode, refused.json()]).toEqual([
      503,
      {
        code: 'storage_unavailable',
        message: 'Files cannot be saved at the moment. Please try again in a few minutes.',
      },
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(lines.join('')).toContain('free some space, or make it writable for the server')
    expect((await world.sql.query('select from files')).rowCount).toBe(0)
    await rm(folder)
    expect((await upload()).statusCode).toBe(201)
  })

  test('a photo is re-encoded upright without metadata, in two sizes, and visible to its owner only', async () => {
    const { ada, bob, visitor, upload, sql } = await openMarket()
    const turned = await drawn(2000, 1000)
      .withExif({ IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const reply = await upload(bob, turned)
    expect(reply.statusCode).toBe(201)
    const { id } = reply.json()
    expect(reply.json()).toEqual({ id, url: `/api/photos/${id}`, width: 800, height: 1600 })
    for (const [query, width, height] of [
      ['', 800, 1600],
      ['?size=small', 240, 480],
    ] as const) {
      const file = await bob.call(`GET /api/photos/${id}${query}`)
      expect(file.statusCode).toBe(200)
      expect(file.headers).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=3600, immutable',
        vary: 'cookie',
        'content-security-policy': "default-src 'none'; sandbox",
      })
      const {
        width: actualWidth,
        height: actualHeight,
        exif,
        format,
      } = await sharp(file.rawPayload).metadata()
      expect([actualWidth, actualHeight, exif, format]).toEqual([width, height, undefined, 'webp'])
    }
    expect((await ada.call(`GET /api/photos/${id}`)).json().code).toBe('photo_not_found')
    expect((await visitor(`GET /api/photos/${id}`)).statusCode).toBe(401)
    const { rows } = await sql.query('select file_id from photos where id = $1', [id])
    expect((await bob.call(`GET /files/${rows[0].file_id}`)).statusCode).toBe(404)
    expect((await bob.call(`GET /api/photos/${id}?size=huge`)).statusCode).toBe(422)
  })

  test('files of other types are refused and nothing is stored', async () => {
    const { bob, upload, services } = await openMarket()
    const onDisk = () => readdir(join(services.config.dataDir, 'files')).catch(() => [])
    const before = await onDisk()
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect((await upload(bob, svg)).json().code).toBe('not_an_image')
    expect((await upload(bob, Buffer.alloc(10 * 1024 * 1024 + 1))).statusCode).toBe(413)
    expect(await onDisk()).toEqual(before)
  })
})

describe('sending', () => {
  test('messages and offers show their photos in order, to both people and nobody else', async () => {
    const { ada, bob, eve, visitor, uploaded, message, offer, wantedItemId } = await openMarket()
    const [one, two, three, four] = [
      await uploaded(),
      await uploaded(),
      await uploaded(),
      await uploaded(ada),
    ]
    const sent = await message([two, one])
    expect(sent.statusCode).toBe(201)
    expect(sent.json()).toMatchObject({
      content: '',
      photos: [
        { id: two, url: `/api/photos/${two}`, width: 90, height: 60 },
        { id: one, url: `/api/photos/${one}`, width: 90, height: 60 },
      ],
    })
    const offered = (await offer([three])).json()
    expect(offered.photos).toMatchObject([{ id: three }])
    const countered = await ada.call(`POST /api/offers/${offered.id}/counter`, {
      amount: 3000,
      photoIds: [four],
    })
    expect(countered.json().photos).toMatchObject([{ id: four }])
    for (const person of [ada, bob]) {
      const [received] = (await person.call(`GET /api/messages?wantedItemId=${wantedItemId}`)).json()
      expect(received.photos.map(({ id }: { id: number }) => id)).toEqual([two, one])
      const offers = (await person.call(`GET /api/offers?wantedItemId=${wantedItemId}`)).json()
      expect(offers.map(({ photos }: { photos: { id: number }[] }) => photos.map(({ id }) => id))).toEqual([
        [four],
        [three],
      ])
      for (const id of [one, two, three, four])
        expect((await person.call(`GET /api/photos/${id}?size=small`)).statusCode).toBe(200)
    }
    const [conversation] = (await ada.call('GET /api/conversations')).json()
    expect(conversation.lastMessage).toMatchObject({ content: '', photoCount: 2 })
    for (const id of [one, three, four, 999_999]) {
      expect((await eve.call(`GET /api/photos/${id}`)).json().code).toBe('photo_not_found')
      expect((await visitor(`GET /api/photos/${id}`)).statusCode).toBe(401)
    }
  })

  test('photos of others, unknown, sent or duplicate photos and more than four are refused', async () => {
    const { ada, uploaded, message, offer, sql } = await openMarket()
    const [first, second] = [await uploaded(), await uploaded()]
    expect((await message([first])).statusCode).toBe(201)
    for (const photoIds of [[first], [second, 999_999], [await uploaded(ada)]])
      expect((await message(photoIds)).json().code).toBe('photo_not_available')
    expect((await offer([first])).json().code).toBe('photo_not_available')
    const issueOf = async (...args: Parameters<typeof message>) =>
      (await message(...args)).json().issues.map(({ path }: { path: string }) => path)
    expect(await issueOf([second, second])).toEqual(['photoIds'])
    expect(await issueOf([1, 2, 3, 4, 5])).toEqual(['photoIds'])
    expect(await issueOf([])).toEqual(['content'])
    expect(await issueOf([], { content: '\u200b' })).toEqual(['content'])
    expect(await issueOf([second], { content: '\u200b' })).toEqual(['content'])
    const { rows } = await sql.query('select position from photos where id = $1', [second])
    expect(rows).toEqual([{ position: null }])
  })

  test('only one of many concurrent sends of one photo succeeds', async () => {
    const { uploaded, message, offer } = await openMarket()
    const id = await uploaded()
    const replies = await Promise.all([
      ...Array.from({ length: 5 }, (_, index) => message([id], { content: `Number ${index}` })),
      offer([id]),
    ])
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1)
    expect(replies.filter((reply) => reply.json().code === 'photo_not_available')).toHaveLength(5)
  })

  test('a photo that is being sent with one message cannot be sent with another', async () => {
    const { uploaded, message, sql } = await openMarket()
    const { id: messageId } = (await message([], { content: 'Hello' })).json()
    const id = await uploaded()
    const reply = await actDuringChange(
      sql,
      ['update photos set message_id = $1, position = 0 where id = $2', messageId, id],
      () => message([id]),
    )
    expect(reply.json().code).toBe('photo_not_available')
  })

  test('a retry with the same client id returns the first message with its photos', async () => {
    const { uploaded, message } = await openMarket()
    const [id, other] = [await uploaded(), await uploaded()]
    const clientId = 'photo-mark-0001'
    const replies = await Promise.all(Array.from({ length: 5 }, () => message([id], { clientId })))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(201))
    expect(new Set(replies.map((reply) => reply.json().id)).size).toBe(1)
    expect(replies[4]?.json().photos).toMatchObject([{ id }])
    expect((await message([other], { clientId })).json().code).toBe('message_mark_used')
  })
})

describe('admins', () => {
  test('can open photos only in a dispute and with a required second factor, and each view is recorded', async () => {
    const { ada, bob, signUp, uploaded, message, offer, sql, services } = await openMarket()
    const root = await signUp('Root', 'admin')
    const [id, unsent] = [await uploaded(), await uploaded()]
    await message([id])
    const { id: offerId, wantedItemId } = (await offer([])).json()
    await ada.call(`PATCH /api/offers/${offerId}/accept`)
    const open = () => root.call(`GET /api/photos/${id}`)
    expect((await open()).statusCode).toBe(404)
    const { rows } = await sql.query(
      `insert into payments (wanted_item_id, buyer_id, seller_id, offer_id, amount, status, currency,
         escrow_hold_until, completed_at)
       values ($1, $2, $3, $4, 4000, 'completed', 'usd', now(), now()) returning id`,
      [wantedItemId, ada.id, bob.id, offerId],
    )
    expect((await open()).statusCode).toBe(404)
    // The buyer's bank took the payment back after a dispute.
    await sql.query("update payments set bank_ruling = 'resolved_buyer' where id = $1", [rows[0].id])
    const openWithSecondFactor = services.database.transact((tx) => {
      const config = { ...services.config, adminSecondFactor: true }
      return findReadablePhoto(tx, config, id, undefined, { ...root, origin: COMMAND_LINE })
    })
    await expect(openWithSecondFactor).rejects.toMatchObject({ code: 'second_factor_required' })
    expect((await open()).statusCode).toBe(200)
    expect((await root.call(`GET /api/photos/${unsent}`)).statusCode).toBe(404)
    const [entry] = (await root.call('GET /api/admin/audit-log?action=photo_viewed')).json()
    expect(entry).toMatchObject({
      actor: { id: root.id },
      subject: { id: bob.id },
      details: { paymentId: rows[0].id, photoId: id },
    })
    await ada.call(`GET /api/photos/${id}`)
    expect((await root.call('GET /api/admin/audit-log?action=photo_viewed')).json()).toHaveLength(1)
  })
})

describe('photos that are not in use', () => {
  test('are removed a day after the upload if they were not sent', async () => {
    const { bob, uploaded, message, services, sql } = await openMarket()
    const [sent, unsent] = [await uploaded(), await uploaded()]
    await message([sent])
    const { rows } = await sql.query('select file_id from photos where id = any($1)', [[sent, unsent]])
    const statuses = async () =>
      Promise.all([sent, unsent].map(async (id) => (await bob.call(`GET /api/photos/${id}`)).statusCode))
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
    await purgeAbandonedFiles(services.database, services.files, inHours(23))
    expect(await statuses()).toEqual([200, 200])
    await purgeAbandonedFiles(services.database, services.files, inHours(25))
    expect(await statuses()).toEqual([200, 404])
    const onDisk = await readdir(join(services.config.dataDir, 'files'))
    const left = rows.map(
      ({ file_id: name }) => onDisk.filter((it) => it.startsWith(name.slice(0, 32))).length,
    )
    expect(left.sort()).toEqual([0, 2])
  })

  test('are deleted together with the account if they were not sent; sent photos are kept', async () => {
    const { ada, bob, uploaded, message, sql } = await openMarket()
    const [sent, unsent] = [await uploaded(), await uploaded()]
    await message([sent])
    const exported = (await bob.call('GET /api/user/data')).json()
    expect(exported.messages[0].photos).toMatchObject([{ id: sent }])
    const deleted = await bob.call('POST /api/user/delete-account', { password: PASSWORD })
    expect(deleted.statusCode, deleted.body).toBe(200)
    expect((await ada.call(`GET /api/photos/${sent}`)).statusCode).toBe(200)
    const { rows } = await sql.query('select id from photos where id = any($1)', [[sent, unsent]])
    expect(rows).toEqual([{ id: sent }])
  })
})

test('database constraints refuse impossible states of photos', async () => {
  const { uploaded, message, offer, sql } = await openMarket()
  const [first, second] = [await uploaded(), await uploaded()]
  const { id: messageId } = (await message([first])).json()
  const { id: offerId } = (await offer([await uploaded()])).json()
  const refusal = (text: string, values: unknown[]) =>
    sql.query(text, values).then(
      () => null,
      (error) => error.constraint,
    )
  const set = (columns: string) => `update photos set ${columns} where id = $1`
  expect(await refusal(set('message_id = $2, position = 0'), [second, messageId])).toBe(
    'photos_message_unique',
  )
  expect(await refusal(set('message_id = $2, position = 4'), [second, messageId])).toBe('photos_position')
  expect(await refusal(set('message_id = $2'), [second, messageId])).toBe('photos_sent_once')
  expect(await refusal(set('offer_id = $2, position = 0'), [second, offerId])).toBe('photos_offer_unique')
  const [{ file_id: fileId }] = (await sql.query('select file_id from photos where id = $1', [first])).rows
  expect(await refusal(set('file_id = $2'), [second, fileId])).toBe('photos_file_unique')
  expect(await refusal(set('offer_id = $2'), [first, offerId])).toBe('photos_sent_once')
  expect(await refusal('update messages set photo_count = 0 where id = $1', [messageId])).toBe(
    'messages_content',
  )
  expect(
    await refusal('delete from files where id = (select file_id from photos where id = $1)', [first]),
  ).toBe('photos_file_id_files_id_fk')
})
