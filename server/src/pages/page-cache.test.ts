import { expect, test } from 'vitest'
import { createPageCache } from './page-cache.ts'

test('visitors share a page for one second, and errors are not cached', async () => {
  let nowMs = 0
  let rendered = 0
  const cached = createPageCache(() => nowMs)
  const open = (status = 200) =>
    cached('/', async () => {
      rendered++
      return { status, html: `page ${rendered}` }
    })
  const [first, second] = await Promise.all([open(), open()])
  expect([first.html, second.html]).toEqual(['page 1', 'page 1'])
  nowMs = 999
  expect((await open()).html).toBe('page 1')
  nowMs = 1_000
  const later = await open(503)
  expect(later.html).toBe('page 2')
  expect(later.etag).not.toBe(first.etag)
  expect((await open()).html).toBe('page 3')
})
