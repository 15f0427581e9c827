import { createLog } from '@sought/server/core/log'
import { createClamd } from '@sought/server/providers/scanner/clamd'
import { EICAR } from '@sought/server/testing/fake-clamd'
import { uploadOf } from '@sought/server/testing/multipart'
import { openWorld } from '@sought/server/testing/world'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startClamd } from './clamd.ts'

/** Installing the package may take this long. */
const INSTALL_MS = 600_000

let clamd: Awaited<ReturnType<typeof startClamd>> | undefined

beforeAll(async () => {
  clamd = await startClamd()
}, INSTALL_MS)
afterAll(() => clamd?.stop())

function running() {
  if (!clamd) throw new Error('clamd runs only while tests do')
  return clamd
}

const scanner = () => createClamd({ ...running(), log: createLog({ level: 'silent' }), pauseMs: 0 })
const MEGABYTE = 1024 * 1024

test('clamd finds the test file of EICAR, also within other bytes', async () => {
  const eicar = Buffer.from(EICAR)
  const found = { infection: 'Eicar-Test-Signature.UNOFFICIAL' }
  expect(await scanner().scan(eicar)).toEqual(found)
  expect(await scanner().scan(Buffer.concat([Buffer.alloc(9 * MEGABYTE, 'a'), eicar]))).toEqual(found)
  expect(await scanner().scan(Buffer.from('no virus'))).toBe('clean')
  expect(await scanner().scan(Buffer.alloc(0))).toBe('clean')
  expect(await scanner().scan(Buffer.alloc(10 * MEGABYTE, 'a'))).toBe('clean')
})

test('what exceeds the limit of clamd is unknown', async () => {
  expect(await scanner().scan(Buffer.alloc(21 * MEGABYTE, 'a'))).toBe('unknown')
})

test('many scans at once are all answered', async () => {
  const verdicts = await Promise.all(
    Array.from({ length: 40 }, (_, index) => scanner().scan(Buffer.from(index % 2 ? EICAR : 'clean'))),
  )
  expect(verdicts.filter((it) => it === 'clean')).toHaveLength(20)
  expect(verdicts.filter((it) => typeof it === 'object')).toHaveLength(20)
})

test('an infected picture is refused, and a clean one is served', async () => {
  const { host, port } = running()
  const world = await openWorld({ CLAMD_HOST: `${host}:${port}` })
  const ada = await world.signUp('Ada')
  const picture = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#284' } })
    .png()
    .toBuffer()
  const upload = (bytes: Uint8Array) =>
    ada.call('POST /api/wanted-items/image', undefined, uploadOf('image', bytes))
  const refused = await upload(Buffer.concat([picture, Buffer.from(EICAR)]))
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'file_infected'])
  const { imageUrl } = (await upload(picture)).json()
  expect((await world.visitor(`GET ${imageUrl}`)).statusCode).toBe(200)
})
