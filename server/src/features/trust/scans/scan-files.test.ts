import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { findMissingFiles, findOrphans } from '../../../files/orphaned-files.ts'
import { createClamd } from '../../../providers/scanner/clamd.ts'
import { EICAR, openFakeClamd } from '../../../testing/fake-clamd.ts'
import { uploadOf } from '../../../testing/multipart.ts'
import { openWorld, type Person } from '../../../testing/world.ts'
import { readMarketFigures } from '../../site/market-queries.ts'
import { scanHeldFiles } from './scan-files.ts'

const picture = await sharp({ create: { width: 700, height: 700, channels: 3, background: '#284' } })
  .png()
  .toBuffer()
const infectedPicture = Buffer.concat([picture, Buffer.from(EICAR)])

async function openMarket() {
  const clamd = await openFakeClamd()
  const world = await openWorld({ CLAMD_HOST: clamd.host, RATE_LIMIT: 'off' })
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const upload = (call: string, field: string, bytes: Uint8Array, by: Person, name?: string) =>
    by.call(call, undefined, uploadOf(field, bytes, { ...(name && { name }) }))
  const filesOnDisk = async () => {
    const names = await readdir(join(world.services.config.dataDir, 'files')).catch(() => [])
    return names.filter((name) => name !== 'installation')
  }
  const audit = async () =>
    (
      await world.sql.query(
        "select actor_id, subject_id, details from audit_log where action = 'infected_file_deleted' order by id",
      )
    ).rows
  const sweep = () => scanHeldFiles(world.services)
  const { scanner, config, log } = world.services
  const { clamd: clamdAddress } = config
  if (!scanner || !clamdAddress) throw new Error('the scanner is not set')
  /** The routes and the files share the scanner. By default, it is asked again at once after it gave no answer. */
  const hurry = (limits: { deadlineMs?: number; pauseMs?: number } = { pauseMs: 0 }) =>
    Object.assign(scanner, createClamd({ ...clamdAddress, log, ...limits }))
  return { ...world, clamd, ada, bob, upload, filesOnDisk, audit, sweep, hurry }
}

test('infected uploads of every kind are refused, leave nothing behind, and are recorded', async () => {
  const { ada, bob, given, upload, filesOnDisk, audit, appoint, signUp } = await openMarket()
  const { paymentId } = await given.dispute({ buyer: ada, seller: bob })
  const before = await filesOnDisk()
  const admin = await signUp('Root')
  await appoint(admin)
  const uploads = [
    await upload('POST /api/wanted-items/image', 'image', infectedPicture, ada),
    await upload('POST /api/user/upload-avatar', 'avatar', infectedPicture, ada),
    await upload('POST /api/photos', 'photo', infectedPicture, ada),
    await upload(`POST /api/disputes/${paymentId}/upload-evidence`, 'file', Buffer.from(EICAR), ada, 'a.txt'),
    await upload('PUT /api/admin/settings/logo', 'logo', infectedPicture, admin),
  ]
  for (const reply of uploads)
    expect([reply.statusCode, reply.json()]).toEqual([
      422,
      {
        code: 'file_infected',
        message:
          'This file contains a virus and was deleted. Please check your device and choose another file.',
      },
    ])
  expect(await filesOnDisk()).toEqual(before)
  expect(await audit()).toEqual(
    [ada, ada, ada, ada, admin].map(({ id }) => ({
      actor_id: id,
      subject_id: id,
      details: { infection: 'Eicar-Test-Signature' },
    })),
  )
  const log = await admin.call('GET /api/admin/audit-log?action=infected_file_deleted')
  expect(log.json()).toHaveLength(5)
})

test('clean uploads are served at once', async () => {
  const { ada, upload, visitor, clamd } = await openMarket()
  const { imageUrl } = (await upload('POST /api/wanted-items/image', 'image', picture, ada)).json()
  expect(imageUrl).toMatch(/^\/files\/[\w-]{32}\.webp$/)
  // The upload, and what was made of it.
  expect(clamd.scanned).toBe(2)
  expect((await visitor(`GET ${imageUrl}`)).statusCode).toBe(200)
})

test.each(['hangs up', 'fails'] as const)(
  'if clamd %s, pictures are held back until a sweep has scanned them',
  async (mode) => {
    const { ada, bob, given, upload, visitor, clamd, sql, services, sweep, hurry } = await openMarket()
    hurry()
    clamd.mode = mode
    const { paymentId } = await given.dispute({ buyer: ada, seller: bob })
    const { imageUrl } = (await upload('POST /api/wanted-items/image', 'image', picture, ada)).json()
    const { profileImageUrl } = (await upload('POST /api/user/upload-avatar', 'avatar', picture, ada)).json()
    const { url: photo } = (await upload('POST /api/photos', 'photo', picture, ada)).json()
    const evidence = `/api/disputes/${paymentId}`
    const text = Buffer.from('It arrived broken.')
    const added = await upload(`POST ${evidence}/upload-evidence`, 'file', text, ada, 'a.txt')
    const files = [imageUrl, profileImageUrl, `${profileImageUrl}?size=64`, photo, `${photo}?size=small`]
    const paths = [
      ...files,
      imageUrl.replace('.webp', '.320.webp'),
      `${evidence}/evidence/${added.json().id}`,
    ]
    const statuses = () => Promise.all(paths.map(async (path) => (await ada.call(`GET ${path}`)).statusCode))
    const allHeld = paths.map(() => 409)
    expect(await statuses()).toEqual(allHeld)
    const refused = await visitor(`GET ${imageUrl}`)
    expect(refused.json().code).toBe('file_held')
    expect(refused.headers['cache-control']).toBe('no-store')

    await sweep()
    expect(await statuses()).toEqual(allHeld)
    const { rows } = await sql.query('select count(*)::int as held from files where held_at is not null')
    expect(rows).toEqual([{ held: 7 }])
    clamd.mode = 'scans'
    await sweep()
    expect(await statuses()).toEqual(paths.map(() => 200))
    const { database, fileStorage, clock } = services
    const tomorrow = new Date(clock().getTime() + 2 * 86_400_000)
    expect((await findOrphans(database, fileStorage, tomorrow)).orphans).toEqual([])
    expect(await findMissingFiles(database, fileStorage)).toEqual([])
  },
)

test('a held file with a virus is deleted, and its owner is told', async () => {
  const { ada, bob, given, upload, clamd, audit, sweep, hurry, services, sql, filesOnDisk } =
    await openMarket()
  hurry()
  clamd.mode = 'hangs up'
  const { paymentId } = await given.dispute({ buyer: ada, seller: bob })
  const before = await filesOnDisk()
  const path = `/api/disputes/${paymentId}`
  const added = await upload(`POST ${path}/upload-evidence`, 'file', Buffer.from(EICAR), ada, 'a.txt')
  expect(added.statusCode).toBe(201)
  clamd.mode = 'scans'
  await Promise.all([sweep(), sweep()])
  await sweep()
  expect(await filesOnDisk()).toEqual(before)
  const read = await bob.call(`GET ${path}/evidence/${added.json().id}`)
  expect([read.statusCode, read.json().code]).toEqual([409, 'file_held'])
  expect(await audit()).toEqual([
    { actor_id: null, subject_id: ada.id, details: { infection: 'Eicar-Test-Signature' } },
  ])
  const [told] = (await ada.call('GET /api/notifications')).json()
  expect(told).toMatchObject({ kind: 'moderation', title: 'A file of yours was deleted' })
  expect(await findMissingFiles(services.database, services.fileStorage)).toEqual([])
  const { rows } = await sql.query('select infection from files where infection is not null')
  expect(rows).toEqual([{ infection: 'Eicar-Test-Signature' }])
})

test('bytes of an infected file that a crash left behind are orphans', async () => {
  const { ada, upload, clamd, hurry, services, sql } = await openMarket()
  hurry()
  clamd.mode = 'hangs up'
  await upload('POST /api/wanted-items/image', 'image', picture, ada)
  await sql.query("update files set infection = 'Eicar' where held_at is not null")
  const tomorrow = new Date(services.clock().getTime() + 2 * 86_400_000)
  const { orphans } = await findOrphans(services.database, services.fileStorage, tomorrow)
  expect(orphans.map(({ name }) => name)).toEqual([expect.stringMatching(/^held-/)])
})

test('a scanner that does not answer in time is not asked again for a while', async () => {
  const { ada, upload, clamd, hurry } = await openMarket()
  hurry({ deadlineMs: 300, pauseMs: 60_000 })
  clamd.mode = 'is silent'
  await upload('POST /api/wanted-items/image', 'image', picture, ada)
  clamd.mode = 'scans'
  const reply = await upload('POST /api/wanted-items/image', 'image', picture, ada)
  expect(reply.json().imageUrl).toMatch(/^\/files\/held-/)
  expect(clamd.scanned).toBe(0)
})

test('files stay held back if the scanner is taken away', async () => {
  const { ada, upload, clamd, hurry, services, sweep, visitor } = await openMarket()
  hurry()
  clamd.mode = 'hangs up'
  const { imageUrl } = (await upload('POST /api/wanted-items/image', 'image', picture, ada)).json()
  services.scanner = null
  await sweep()
  expect((await visitor(`GET ${imageUrl}`)).statusCode).toBe(409)
})

test('the metrics say how long the oldest file has been held back', async () => {
  const { ada, upload, clamd, hurry, advanceClock, services, sweep } = await openMarket()
  const oldest = async () =>
    (await readMarketFigures(services.database.read, services.clock())).filesHeldOldestSeconds
  expect(await oldest()).toBe(0)
  hurry()
  clamd.mode = 'hangs up'
  await upload('POST /api/wanted-items/image', 'image', picture, ada)
  advanceClock(1_000_000)
  expect(Math.floor(await oldest())).toBe(1000)
  clamd.mode = 'scans'
  await sweep()
  expect(await oldest()).toBe(0)
})
