import type { Page } from '@playwright/test'
import { startEmptyMarket } from '../support/empty-market.ts'
import { expect, ownContext, test } from '../support/fixtures.ts'

const BUDGET_BYTES = 92_500

test('the first visit costs at most 92.5 kB of JavaScript and loads nothing from other hosts', async ({
  baseURL,
  openAsVisitor,
}) => {
  const page = await openAsVisitor(undefined, ownContext)
  await expectSmallFirstLoad(page, baseURL ?? '', 'Recent Requests')
})

test('the first visit to an empty market has the same limit', async ({ database, openAsVisitor }) => {
  const { address, stop } = await startEmptyMarket(database)
  try {
    const page = await openAsVisitor(undefined, ownContext)
    // The browser asks for the empty state only after it has taken over the page, which may be long after the rest.
    const emptyState = page.waitForResponse(/\/assets\/no-requests-/).then((response) => response.finished())
    await expectSmallFirstLoad(page, address, 'No requests found', emptyState)
  } finally {
    await stop()
  }
})

async function expectSmallFirstLoad(
  page: Page,
  address: string,
  heading: string,
  lastFile?: Promise<unknown>,
): Promise<void> {
  const sizes = new Map<string, number>()
  const otherHosts: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) otherHosts.push(request.url())
  })
  page.on('requestfinished', async (request) => {
    if (!request.url().endsWith('.js')) return
    const { responseBodySize } = await request.sizes()
    sizes.set(request.url(), responseBodySize)
  })
  await page.goto(address)
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await lastFile
  // Files that are fetched after the screen has settled count too.
  await page.waitForLoadState('networkidle')
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  console.log(`first visit: ${total} bytes of JavaScript in ${sizes.size} files, of ${BUDGET_BYTES}`)
  expect(sizes.size).toBeGreaterThan(0)
  expect(total).toBeGreaterThan(50_000)
  expect(total).toBeLessThanOrEqual(BUDGET_BYTES)
  expect(otherHosts).toEqual([])
}

test('hashed files are precompressed and cached forever, and the page is revalidated each time', async ({
  request,
}) => {
  const page = await request.get('/', { headers: { 'accept-encoding': 'br' } })
  expect(page.headers()).toMatchObject({ 'cache-control': 'no-cache', 'content-encoding': 'br' })
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text()) ?? []
  for (const encoding of ['br', 'gzip']) {
    const file = await request.get(script, { headers: { 'accept-encoding': encoding } })
    expect(file.headers()).toMatchObject({
      'content-encoding': encoding,
      'cache-control': 'public, max-age=31536000, immutable',
    })
  }
  const plain = await request.get(script, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers()['content-encoding']).toBeUndefined()
  expect((await request.get('/assets/missing.js')).status()).toBe(404)
})
