import { randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { Refused } from '../core/errors.ts'
import { pngBomb } from '../testing/png-bomb.ts'
import { createImagePool, type PoolOptions } from './image-pool.ts'

const FAILING = new URL('../testing/failing-decoder.ts', import.meta.url)

function openPool(options: PoolOptions = {}) {
  const pool = createImagePool({ program: FAILING, ...options })
  onTestFinished(pool.stop)
  /** Returns the process that answered, or the code of the refusal. */
  const send = async (text: string, owner: string = randomUUID()) => {
    try {
      const job = { kind: 'inside', bytes: Buffer.from(text), sidesPixels: [1] } as const
      const [image] = await pool.run(job, owner)
      return image?.widthPixels
    } catch (error) {
      if (error instanceof Refused) return error.code
      throw error
    }
  }
  return { pool, send }
}

test('a picture that crashes its decoder is refused, and another decoder takes its place', async () => {
  const { send } = openPool({ decoders: 1 })
  const before = await send('fine')
  expect(await send('crash')).toBe('not_an_image')
  const after = await send('fine')
  expect(after).toEqual(expect.any(Number))
  expect(after).not.toBe(before)
})

test('a decoder that takes too long is killed, and the next one decodes the waiting pictures', {
  tags: ['proof'],
}, async () => {
  // The next decoder must start within this time, also on a busy machine.
  const { send } = openPool({ decoders: 1, decodeMaxMs: 8_000 })
  const [hanging, waited] = await Promise.all([send('hang'), send('fine')])
  expect(hanging).toBe('not_an_image')
  expect(waited).toEqual(expect.any(Number))
})

test('two pictures are decoded at a time, and a picture that waits too long is refused', async () => {
  const { pool, send } = openPool({ decoders: 2, waitMaxMs: 100 })
  await Promise.all([send('wait'), send('wait')])
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('wait')))
  expect(new Set(answers.slice(0, 2)).size).toBe(2)
  expect(answers.slice(2)).toEqual(['unavailable', 'unavailable', 'unavailable'])
  await Promise.all([send('wait'), send('wait')])
  const job = { kind: 'inside', bytes: Buffer.from('wait'), sidesPixels: [1] } as const
  const busy = [pool.run(job, 'ada'), pool.run(job, 'bob')]
  await expect(pool.run(job, 'cleo')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
  await Promise.all(busy)
})

test('owners take turns, whoever came first, and one owner never takes all decoders', {
  tags: ['proof'],
}, async () => {
  const { send } = openPool({ decoders: 2, waitingMaxOfOwner: 10 })
  const order: string[] = []
  const upload = async (owner: string) => {
    await send('wait', owner)
    order.push(owner)
  }
  // The first picture of each decoder also waits for its process to start.
  await Promise.all([upload('ada'), upload('bob')])
  order.length = 0
  const ada = Array.from({ length: 6 }, () => upload('ada'))
  const bob = Array.from({ length: 3 }, () => upload('bob'))
  await Promise.all([upload('cleo'), ...bob, ...ada])
  expect(order.indexOf('cleo')).toBeLessThan(6)
  expect(order.lastIndexOf('bob')).toBeLessThan(order.lastIndexOf('ada'))
})

test('two pictures of an owner wait, and another one is refused at once', { tags: ['proof'] }, async () => {
  const { pool, send } = openPool({ decoders: 2 })
  const own = [send('wait', 'ada'), send('wait', 'ada'), send('wait', 'ada')]
  const job = { kind: 'inside', bytes: Buffer.from('wait'), sidesPixels: [1] } as const
  await expect(pool.run(job, 'ada')).rejects.toMatchObject({ code: 'queue_full', retryAfterSeconds: 5 })
  expect(await send('wait', 'bob')).toEqual(expect.any(Number))
  for (const picture of await Promise.all(own)) expect(picture).toEqual(expect.any(Number))
  expect(await send('wait', 'ada')).toEqual(expect.any(Number))
})

test('24 hostile pictures of one owner delay no picture of another', {
  tags: ['proof'],
  timeout: 30_000,
}, async () => {
  const { send } = openPool({ decodeMaxMs: 4_000 })
  await Promise.all([send('fine'), send('fine'), send('fine')])
  const hostile = Array.from({ length: 24 }, () => send('hang', 'mallory'))
  const startMs = performance.now()
  expect(await send('fine', 'ada')).toEqual(expect.any(Number))
  expect(performance.now() - startMs).toBeLessThan(4_000)
  const answers = await Promise.all(hostile)
  expect(answers.filter((answer) => answer === 'queue_full')).toHaveLength(20)
  expect(answers.filter((answer) => answer === 'not_an_image')).toHaveLength(4)
})

test('a refused picture says why', { tags: ['proof'] }, async () => {
  const { pool } = openPool({ decoders: 1, decodeMaxMs: 2_000 })
  const job = { kind: 'inside', bytes: Buffer.from('hang'), sidesPixels: [1] } as const
  await expect(pool.run(job, 'ada')).rejects.toMatchObject({
    message: expect.stringContaining('takes more than 8 seconds'),
  })
  const real = createImagePool({ decoders: 1 })
  onTestFinished(real.stop)
  const decode = (bytes: Buffer) => real.run({ kind: 'inside', bytes, sidesPixels: [10] }, 'ada')
  await expect(decode(pngBomb())).rejects.toMatchObject({
    code: 'not_an_image',
    message: expect.stringContaining('more than 40 megapixels'),
  })
  const blank = (width: number) =>
    sharp({ create: { width, height: 5_000, channels: 3, background: '#284' } })
      .jpeg()
      .toBuffer()
  await expect(decode(await blank(8_001))).rejects.toMatchObject({ code: 'not_an_image' })
  expect(await decode(await blank(8_000))).toMatchObject([{ widthPixels: 10 }])
})

test('the real decoder converts pictures and refuses other files', async () => {
  const pool = createImagePool({ decoders: 1 })
  onTestFinished(pool.stop)
  const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#284' } })
    .png()
    .toBuffer()
  const [image] = await pool.run({ kind: 'inside', bytes, sidesPixels: [10] }, 'ada')
  expect(image).toMatchObject({ widthPixels: 10, heightPixels: 5 })
  await expect(
    pool.run({ kind: 'inside', bytes: randomBytes(1_000), sidesPixels: [10] }, 'ada'),
  ).rejects.toMatchObject({
    code: 'not_an_image',
  })
})
