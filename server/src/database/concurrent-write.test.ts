import { expect, test, vi } from 'vitest'
import { ConcurrentWrite, retryConcurrentWrites } from './concurrent-write.ts'

test('a concurrent write is retried', async () => {
  const work = vi.fn(async () => 'done').mockRejectedValueOnce(new ConcurrentWrite())
  expect(await retryConcurrentWrites(work)).toBe('done')
  expect(work).toHaveBeenCalledTimes(2)
})

test('after five attempts the call is refused', async () => {
  const work = vi.fn(async () => 'done')
  for (let attempt = 1; attempt <= 5; attempt++) work.mockRejectedValueOnce(new ConcurrentWrite())
  await expect(retryConcurrentWrites(work)).rejects.toMatchObject({ code: 'unavailable' })
  expect(work).toHaveBeenCalledTimes(5)
})

test('other errors are not retried', async () => {
  const work = vi.fn(() => Promise.reject(new TypeError('a bug')))
  await expect(retryConcurrentWrites(work)).rejects.toThrow('a bug')
  expect(work).toHaveBeenCalledTimes(1)
})
