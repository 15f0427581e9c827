import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { removeOrphanedFiles } from '../jobs/remove-orphaned-files.ts'
import type { FileStorage } from '../providers/files/file-storage.ts'
import { uploadOf } from '../testing/multipart.ts'
import { addTraders } from '../testing/traders.ts'
import { openWorld, type World } from '../testing/world.ts'
import { findMissingFiles, findOrphans, removeOrphans } from './orphaned-files.ts'
import { ForeignStorage, OWNER_FILE } from './storage-owner.ts'
import { insertFile, removeUnlessSaved } from './stored-files.ts'

const DAY_MS = 24 * 3_600_000
const WEBP = { mimeType: 'image/webp', sizeBytes: 1 } as const
const nameOf = (letter: string, rest = '.webp') => letter.repeat(32) + rest

const picture = () =>
  sharp({ create: { width: 700, height: 500, channels: 3, background: '#284' } })
    .png()
    .toBuffer()

async function namesIn(storage: FileStorage): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of storage.list()) names.push(name)
  return names.sort()
}

const orphansOf = async ({ services: { database, fileStorage } }: World, now: Date) =>
  (await findOrphans(database, fileStorage, now)).orphans.map(({ name }) => name).sort()

const tomorrow = () => new Date(Date.now() + DAY_MS + 60_000)

test('files without a row are removed after a day, and no others', async () => {
  const world = await addTraders(await openWorld())
  const { ada, bob, given, services, sql } = world
  const { database, fileStorage, config } = services
  const upload = async (call: string, field: string) =>
    (await ada.call(call, undefined, uploadOf(field, await picture()))).json()
  const avatar = (await upload('POST /api/user/upload-avatar', 'avatar')).profileImageUrl
  const image = (await upload('POST /api/wanted-items/image', 'image')).imageUrl
  const photo = (await upload('POST /api/photos', 'photo')).url
  const files = [
    avatar,
    `${avatar}?size=64`,
    image,
    image.replace('.webp', '.320.avif'),
    photo,
    `${photo}?size=small`,
  ]
  const expectAllServed = async () => {
    for (const url of files) expect((await ada.call(`GET ${url}`)).statusCode, url).toBe(200)
  }
  await expectAllServed()

  // Rows that refer to a file which has no row in `files`.
  await sql.query('update users set profile_image_url = $1 where id = $2', [`/files/${nameOf('u')}`, bob.id])
  await sql.query(
    `insert into wanted_items (title, description, category, location, user_id, images)
     values ('Lamp', 'Green', 'Other', 'Ipoh', $1, $2)`,
    [
      bob.id,
      JSON.stringify([
        { url: `/files/${nameOf('w')}`, alt: '', pictureUrl: `/files/${nameOf('w')}`, width: 1, height: 1 },
      ]),
    ],
  )
  const { paymentId: disputeId } = await given.dispute()
  await sql.query(
    `insert into dispute_evidence (dispute_id, submitted_by, type, file_url) values ($1, $2, 'document', $3)`,
    [disputeId, ada.id, nameOf('e', '.pdf')],
  )
  const named = [nameOf('u'), nameOf('w'), nameOf('w', '.640.webp'), nameOf('e', '.pdf')]
  const orphans = [nameOf('x', '.320.avif'), nameOf('x'), nameOf('y', '.pdf'), nameOf('z', '.webp.part')]
  for (const name of [...named, ...orphans]) await fileStorage.write(name, Buffer.from('x'))
  await writeFile(join(config.dataDir, 'files', 'README'), 'not ours')

  expect(await orphansOf(world, new Date())).toEqual([])
  expect(await orphansOf(world, tomorrow())).toEqual(orphans)
  const before = await namesIn(fileStorage)

  world.advanceClock(DAY_MS + 60_000)
  await removeOrphanedFiles(services)
  expect(await namesIn(fileStorage)).toEqual(
    [...before.filter((name) => !orphans.includes(name)), OWNER_FILE].sort(),
  )
  await expectAllServed()

  expect(await findMissingFiles(database, fileStorage)).toEqual([])
  const [lost, damaged] = [image.replace('/files/', ''), avatar.replace('/files/', '')]
  await fileStorage.remove(lost)
  await fileStorage.write(damaged, Buffer.from('x'))
  const problems = await findMissingFiles(database, fileStorage)
  expect(problems).toHaveLength(2)
  expect(problems).toContain(`${lost} is missing`)
  expect(problems).toContainEqual(expect.stringMatching(`^${damaged} has 1 bytes instead of \\d+$`))
})

test('an upload in progress keeps its file, even if its row is saved late', async () => {
  const world = await openWorld()
  const { database, fileStorage } = world.services
  const { id: ownerId } = await world.signUp('Ada')
  const save = (id: string) =>
    database.transact((tx) => insertFile(tx, { ...WEBP, id, ownerId, kind: 'avatar' }))
  const [whileListing, beforeRemoval, never] = [nameOf('a'), nameOf('b'), nameOf('c')]
  for (const name of [whileListing, beforeRemoval, never]) await fileStorage.write(name, Buffer.from('x'))

  const slowStorage: FileStorage = {
    ...fileStorage,
    async *list() {
      yield* fileStorage.list()
      await save(whileListing)
    },
  }
  const { orphans } = await findOrphans(database, slowStorage, tomorrow())
  expect(orphans.map(({ name }) => name).sort()).toEqual([beforeRemoval, never])
  await save(beforeRemoval)
  expect(await removeOrphans(database, fileStorage, orphans)).toBe(1)
  expect(await namesIn(fileStorage)).toEqual([whileListing, beforeRemoval])
})

test('a lost connection removes no file, because its row may have been saved', async () => {
  const world = await openWorld()
  const { files, fileStorage } = world.services
  const store = async (error: Error) => {
    const name = await files.put(Buffer.from('x'), 'pdf')
    const failed = removeUnlessSaved(files, [name], () => Promise.reject(error))
    await expect(failed).rejects.toThrow(error)
    return name
  }
  const kept = await store(Object.assign(new Error('Connection terminated'), { code: '08006' }))
  await store(new Error('refused'))
  expect(await namesIn(fileStorage)).toEqual([kept])
})

test('the files of another deployment are never removed', async () => {
  const world = await openWorld()
  const { fileStorage } = world.services
  await fileStorage.write(OWNER_FILE, Buffer.from('another'))
  await fileStorage.write(nameOf('x'), Buffer.from('x'))
  world.advanceClock(2 * DAY_MS)
  await expect(removeOrphanedFiles(world.services)).rejects.toThrow(ForeignStorage)
  expect(await namesIn(fileStorage)).toEqual([OWNER_FILE, nameOf('x')])
})
