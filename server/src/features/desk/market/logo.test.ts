import sharp from 'sharp'
import { expect, test } from 'vitest'
import { findOrphans } from '../../../files/orphaned-files.ts'
import { purgeAbandonedFiles } from '../../../files/stored-files.ts'
import { uploadOf } from '../../../testing/multipart.ts'
import { openWorld } from '../../../testing/world.ts'
import { grantRole } from '../../identity/accounts/actions.ts'

const form = (bytes: Uint8Array) => uploadOf('logo', bytes)

const picture = () =>
  sharp({ create: { width: 1200, height: 300, channels: 4, background: '#28480080' } })
    .png()
    .toBuffer()

async function openMarket() {
  const world = await openWorld({ RATE_LIMIT: 'off' })
  const admin = await world.signUp('Root')
  await world.services.database.transact((tx) => grantRole(tx, admin.email, 'admin'))
  const upload = async (bytes: Uint8Array) =>
    admin.call('PUT /api/admin/settings/logo', undefined, form(bytes))
  return { ...world, admin, upload }
}

test('a logo is re-encoded and shown to everybody, and the history lists the change', async () => {
  const { admin, visitor, upload } = await openMarket()
  const reply = await upload(await picture())
  expect(reply.statusCode, reply.body).toBe(200)
  const { logoUrl } = reply.json()
  expect((await visitor('GET /api/config')).json().market.logoUrl).toBe(logoUrl)
  const served = await visitor(`GET ${logoUrl}`)
  expect([served.statusCode, served.headers['content-type']]).toEqual([200, 'image/webp'])
  const { width, height, hasAlpha } = await sharp(served.rawPayload).metadata()
  expect({ width, height, hasAlpha }).toEqual({ width: 512, height: 128, hasAlpha: true })

  const removed = await admin.call('DELETE /api/admin/settings/logo')
  expect(removed.json().logoUrl).toBeNull()
  await admin.call('DELETE /api/admin/settings/logo')
  const history = (await admin.call('GET /api/admin/settings/history')).json()
  expect(history.map(({ changes }: { changes: object }) => changes)).toEqual([
    [{ field: 'logoUrl', from: logoUrl, to: null }],
    [{ field: 'logoUrl', from: null, to: logoUrl }],
  ])
  const log = (await admin.call('GET /api/admin/audit-log?action=settings_changed')).json()
  expect(log.map(({ details }: { details: { fields: string } }) => details.fields)).toEqual([
    'logoUrl',
    'logoUrl',
  ])
})

test('a file that is not a picture or is too large is refused as a logo', async () => {
  const { admin, upload } = await openMarket()
  expect((await upload(Buffer.from('<svg onload="alert(1)"/>'))).statusCode).toBe(415)
  expect((await upload(Buffer.alloc(2 * 1024 * 1024 + 1))).statusCode).toBe(413)
  expect((await admin.call('GET /api/admin/settings')).json().logoUrl).toBeNull()
})

test('former logos are removed after a day, and the current one is kept', async () => {
  const { visitor, upload, services, sql } = await openMarket()
  const { database, files, fileStorage } = services
  const former = (await upload(await picture())).json().logoUrl
  const current = (await upload(await picture())).json().logoUrl
  const statuses = async () =>
    Promise.all([former, current].map(async (url) => (await visitor(`GET ${url}`)).statusCode))
  await purgeAbandonedFiles(database, files, services.clock())
  expect(await statuses()).toEqual([200, 200])
  const tomorrow = new Date(Date.now() + 25 * 3_600_000)
  await purgeAbandonedFiles(database, files, tomorrow)
  expect(await statuses()).toEqual([404, 200])

  // The file is kept even if its row is missing.
  await sql.query('delete from files')
  expect((await findOrphans(database, fileStorage, tomorrow)).orphans).toEqual([])
})
