import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { Refused } from '../core/errors.ts'
import { createImagePool, type PoolOptions } from './image-pool.ts'

const FAILING = new URL('../testing/failing-decoder.ts', import.meta.url)

function openPool(options: PoolOptions = {}) {
  const pool = createImagePool({ program: FAILING, ...options })
  onTestFinished(pool.stop)
  /** Returns the process that answered, or the code of the refusal. */
  const send = async (text: string) => {
    try {
      const [image] = await pool.run({ kind: 'inside', bytes: Buffer.from(text), sidesPixels: [1] })
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

test('a decoder that takes too long is killed, and the next one decodes the waiting pictures', async () => {
  // The next decoder must start within this time, also on a busy machine.
  const { send } = openPool({ decoders: 1, decodeMaxMs: 8_000 })
  const [hanging, waited] = await Promise.all([send('hang'), send('fine')])
  expect(hanging).toBe('not_an_image')
  expect(waited).toEqual(expect.any(Number))
})

test('two pictures are decoded at a time, and a picture that waits too long is refused', async () => {
  const { pool, send } = openPool({ waitMaxMs: 100 })
  await Promise.all([send('wait'), send('wait')])
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('wait')))
  expect(new Set(answers.slice(0, 2)).size).toBe(2)
  expect(answers.slice(2)).toEqual(['unavailable', 'unavailable', 'unavailable'])
  await Promise.all([send('wait'), send('wait')])
  const job = { kind: 'inside', bytes: Buffer.from('wait'), sidesPixels: [1] } as const
  const busy = [pool.run(job), pool.run(job)]
  await expect(pool.run(job)).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 })
  await Promise.all(busy)
})

test('the real decoder converts pictures and refuses other files', async () => {
  const pool = createImagePool({ decoders: 1 })
  onTestFinished(pool.stop)
  const bytes = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#284' } })
    .png()
    .toBuffer()
  const [image] = await pool.run({ kind: 'inside', bytes, sidesPixels: [10] })
  expect(image).toMatchObject({ widthPixels: 10, heightPixels: 5 })
  await expect(
    pool.run({ kind: 'inside', bytes: randomBytes(1_000), sidesPixels: [10] }),
  ).rejects.toMatchObject({
    code: 'not_an_image',
  })
})
