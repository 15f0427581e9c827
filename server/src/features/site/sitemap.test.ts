import fastify from 'fastify'
import { expect, test } from 'vitest'
import { shareWorld } from '../../testing/world.ts'
import { serveSitemap } from './sitemap.ts'

const market = shareWorld({ PUBLIC_URL: 'https://sought.example' })
const site = 'https://sought.example'

const lamp = {
  title: 'A harbour lamp',
  description: 'Brass',
  category: 'Home & Garden',
  location: 'Lisbon',
}

const locationsIn = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)

test('the sitemap lists open requests, their categories and people with a public page, in parts', async () => {
  const { services, signUp } = market()
  const [ada, bob, eve] = [await signUp('Ada'), await signUp('Bob'), await signUp('Eve')]
  const ids: number[] = []
  for (const { call } of [ada, ada, ada, bob, bob])
    ids.push((await call('POST /api/wanted-items', lamp)).json().id)
  const [closed] = ids.splice(1, 1)
  await ada.call(`POST /api/wanted-items/${closed}/close`)

  const small = fastify()
  serveSitemap(small, services, 2)
  const read = async (path: string) => (await small.inject(path)).body

  const index = await read('/sitemap.xml')
  const maps = locationsIn(index)
  expect(maps).toEqual(
    ['pages', 'requests-0', 'requests-1', 'people-0'].map((name) => `${site}/sitemap/${name}.xml`),
  )
  expect(index).toMatch(/requests-0.xml<\/loc><lastmod>\d{4}-\d\d-\d\dT[\d:.]+Z<\/lastmod>/)

  // A request posted after the count is in the last part.
  ids.push((await bob.call('POST /api/wanted-items', lamp)).json().id)
  const parts = [await read('/sitemap/requests-0.xml'), await read('/sitemap/requests-1.xml')]
  expect(parts.map((part) => locationsIn(part).length)).toEqual([2, 3])
  expect(parts.flatMap(locationsIn)).toEqual(ids.map((id) => `${site}/item/${id}`))
  const listed = locationsIn(await read('/sitemap/people-0.xml'))
  expect(listed.toSorted()).toEqual([ada, bob].map(({ id }) => `${site}/user/${id}`).toSorted())
  expect(listed).not.toContain(`${site}/user/${eve.id}`)

  const pages = await read('/sitemap/pages.xml')
  expect(locationsIn(pages)).toEqual([
    `${site}/`,
    `${site}/c/home-garden`,
    `${site}/terms-of-service`,
    `${site}/privacy-policy`,
    `${site}/refund-policy`,
    `${site}/dispute-resolution`,
    `${site}/help`,
  ])
  expect(pages).toMatch(/\/c\/home-garden<\/loc><lastmod>/)
})

test('unknown parts are not found, and sitemaps may be cached', async () => {
  const { visitor } = market()
  for (const part of ['requests-9', 'requests-x', 'people-9', 'x', '0'])
    expect((await visitor(`GET /sitemap/${part}.xml`)).statusCode, part).toBe(404)
  const { headers } = await visitor('GET /sitemap.xml')
  expect(headers).toMatchObject({
    'content-type': 'application/xml; charset=utf-8',
    'cache-control': 'public, max-age=600',
  })
})

test('robots.txt names the sitemap and excludes crawlers from private pages, but not from public ones', async () => {
  const { body } = await market().visitor('GET /robots.txt')
  expect(body).toContain(`Sitemap: ${site}/sitemap.xml`)
  const disallowed = [...body.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path)
  const isDisallowed = (path: string) => disallowed.some((prefix) => path.startsWith(prefix))
  const hidden = ['/messages?itemId=1', '/payments/1/receipt', '/profile', '/dispute/1', '/admin/disputes']
  expect(hidden.filter((path) => !isDisallowed(path))).toEqual([])
  const visible = ['/', '/item/1', '/user/x', '/c/music', '/dispute-resolution', '/help', '/privacy-policy']
  expect(visible.filter(isDisallowed)).toEqual([])
})
