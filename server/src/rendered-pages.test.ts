import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from './testing/eventually.ts'
import { cookieOf, PASSWORD, type Person, shareWorld } from './testing/world.ts'

/* Public pages as crawlers and visitors without JavaScript see them (ADR 62). */

const ROOT = join(import.meta.dirname, '../..')

// Built first, because the server looks for the app when it starts.
beforeAll(() => promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build-web.ts')]))
const world = shareWorld({ PUBLIC_URL: 'https://sought.example' })

const lamp = {
  title: 'A green lamp',
  description: 'Brass foot, glass shade',
  category: 'Home & Garden',
  minBudget: 20,
  maxBudget: 60,
  location: 'Lyon',
  urgency: 'medium',
}

let ada: Person
let lampId: number

beforeAll(async () => {
  ada = await world().signUp('Ada')
  lampId = await post(ada, lamp)
  const chairs = Array.from({ length: 13 }, (_, index) => index + 1)
  for (const number of chairs)
    await post(ada, { ...lamp, category: 'Music', title: `Chair ${number}`, maxBudget: 100 + number })
})

async function post(owner: Person, request: object): Promise<number> {
  const reply = await owner.call('POST /api/wanted-items', request)
  expect(reply.statusCode).toBe(201)
  return reply.json().id
}

async function open(url: string, headers: Record<string, string> = {}) {
  const {
    statusCode: status,
    headers: sent,
    body,
  } = await world().visitor(`GET ${url}`, undefined, { headers })
  const [, content = ''] = /<div id="root">(.*)<script type="application\/json"/s.exec(body) ?? []
  // The content security policy forbids them.
  expect(body, url).not.toMatch(/<script(?![^>]* src=)(?! type="application\/(ld\+)?json")| on\w+="/)
  const scripts = body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)
  return {
    status,
    headers: sent,
    body,
    /** The visible text, without tags. */
    text: textOf(content),
    titles: Array.from(content.matchAll(/<h[23][^>]*>(.*?)<\/h[23]>/gs), ([, title = '']) => textOf(title)),
    links: Array.from(content.matchAll(/<a [^>]*?href="([^"]*)"/g), ([, href = '']) => textOf(href)),
    next: textOf(/<a [^>]*rel="next"[^>]*href="([^"]*)"/.exec(content)?.[1] ?? ''),
    preview: /<meta property="og:image" content="([^"]*)"/.exec(body)?.[1],
    title: textOf(/<title>(.*?)<\/title>/.exec(body)?.[1] ?? ''),
    canonical: textOf(/<link rel="canonical" href="([^"]*)"/.exec(body)?.[1] ?? ''),
    description: textOf(/<meta name="description" content="([^"]*)"/.exec(body)?.[1] ?? ''),
    isListed: !body.includes('<meta name="robots" content="noindex">'),
    linkedData: Array.from(scripts, ([, json = '']) => JSON.parse(json)),
  }
}

const textOf = (html: string) =>
  html
    .replace(/<!--.*?-->|<[^>]*>/gs, '')
    .replace(/&#(\w+);/g, (_, code: string) => String.fromCharCode(Number(code.replace(/^x/, '0x'))))
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')

const cookieHeader = ({ cookie }: Person) => ({ cookie })

test('the pages of home, categories, requests and profiles contain their content', async () => {
  const home = await open('/')
  expect(home).toMatchObject({ status: 200, title: 'Sought · Post what you want', isListed: true })
  expect(home.canonical).toBe('https://sought.example/')
  expect(home.preview).toBe('https://sought.example/preview.png')
  expect(home.titles).toContain('Chair 13')
  expect(home.links).toEqual(expect.arrayContaining(['/c/music', '/item/14', '/privacy-policy']))

  const category = await open('/c/home-garden')
  expect(category).toMatchObject({ status: 200, title: 'Home & Garden wanted · Sought', isListed: true })
  expect(category.canonical).toBe('https://sought.example/c/home-garden')
  expect(category.description).toContain('Home & Garden')
  expect(category.titles).toContain('A green lamp')
  expect(category.text).not.toContain('Chair')
  const byName = await open('/?category=home+%26+garden&search=+')
  expect(byName.canonical).toBe('https://sought.example/c/home-garden')
  expect(byName.titles).toContain('A green lamp')

  const item = await open(`/item/${lampId}`)
  expect(item).toMatchObject({ status: 200, title: 'Wanted: A green lamp · Sought', isListed: true })
  expect(item.canonical).toBe(`https://sought.example/item/${lampId}`)
  expect(item.description).toBe('Brass foot, glass shade')
  expect(item.text).toMatch(/A green lamp.*Brass foot, glass shade.*\$20 – \$60.*Lyon.*Ada Tester/s)
  expect(item.body).toContain('property="og:title" content="Wanted: A green lamp"')
  expect(item.preview).toMatch(new RegExp(`^https://sought\\.example/og/item/${lampId}-\\w+\\.png$`))
  const [demand, breadcrumbs] = item.linkedData
  expect(demand).toMatchObject({
    '@type': 'Demand',
    itemOffered: { name: 'A green lamp' },
    priceSpecification: { priceCurrency: 'USD', minPrice: 20, maxPrice: 60 },
  })
  expect(breadcrumbs).toMatchObject({
    '@type': 'BreadcrumbList',
    itemListElement: [
      { position: 1, item: 'https://sought.example/' },
      { position: 2, name: 'Home & Garden', item: 'https://sought.example/c/home-garden' },
      { position: 3, name: 'A green lamp' },
    ],
  })

  await world().sql.query('update users set rating_sum = 9, rating_count = 2 where id = $1', [ada.id])
  const profile = await open(`/user/${ada.id}`)
  expect(profile).toMatchObject({ status: 200, title: 'Ada Tester · Sought', isListed: true })
  expect(profile.titles).toContain('Chair 13')
  expect(profile.next).toBe(`/user/${ada.id}?requests=3`)
  expect(profile.linkedData[0].mainEntity).toMatchObject({
    '@type': 'Person',
    name: 'Ada Tester',
    aggregateRating: { ratingValue: 4.5, ratingCount: 2 },
  })
})

test('policies and help have their own metadata', async () => {
  const paths = ['terms-of-service', 'privacy-policy', 'refund-policy', 'dispute-resolution', 'help']
  const pages = await Promise.all(paths.map((path) => open(`/${path}`)))
  expect(pages.map(({ status, isListed }) => [status, isListed])).toEqual(paths.map(() => [200, true]))
  expect(pages.map(({ canonical }) => canonical)).toEqual(
    paths.map((path) => `https://sought.example/${path}`),
  )
  expect(new Set(pages.map(({ title }) => title)).size).toBe(5)
  expect(new Set(pages.map(({ description }) => description)).size).toBe(5)
  expect(pages[1]?.text).toContain('What we collect')
})

test('the page keeps search, filters and sort order, and so does its next page', async () => {
  const found = await open('/?search=chair&sort=budget')
  expect(found).toMatchObject({ status: 200, title: 'chair · Sought', isListed: true })
  expect(found.text).toContain('13 results for “chair”')
  expect(found.titles).toEqual(expect.arrayContaining(['Chair 13', 'Chair 2']))
  expect(found.titles).not.toContain('A green lamp')
  expect(found.next).toBe('/?search=chair&sort=budget&cursor=102-3')
  const last = await open(found.next)
  expect(last.titles).toContain('Chair 1')
  expect(last.titles).not.toContain('Chair 2')
  expect(last.next).toBe('')

  const dear = await open('/?minBudget=111&sort=budget')
  expect(dear).toMatchObject({ status: 200, title: 'Filtered requests · Sought' })
  expect(dear.titles.slice(0, 3)).toEqual(['Chair 13', 'Chair 12', 'Chair 11'])
  expect(dear.titles).not.toContain('Chair 10')
  expect((await open('/c/music?minBudget=113')).titles).not.toContain('Chair 12')

  const { next } = await open('/c/music')
  expect(next).toBe('/c/music?cursor=3')
  expect((await open(next)).titles).toContain('Chair 1')
  const later = await open('/?cursor=3')
  expect(later).toMatchObject({ title: 'All requests · Sought', isListed: true })
  expect(later.body).toMatch(/<h1[^>]*>All requests<\/h1>/)
})

test('a page whose address is invalid shows which part is invalid, and no requests', async () => {
  const invalid = [
    ['/?minBudget=9&maxBudget=2', 'The minimum is above the maximum'],
    ['/?minBudget=x', 'Must be an amount between 0 and 20,000,000'],
    ['/?near=Nowhereville', 'We do not know this place'],
    ['/?sort=random', 'Must be newest, budget or expiring'],
    ['/?urgency=now', 'Must be low, medium or high'],
    ['/?search=%00', 'The search is not valid. Contains a character that cannot be stored.'],
    ['/?cursor=x', 'There is no such page'],
    ['/c/music?cursor=x', 'There is no such page'],
    ['/?search=chair&cursor=x', 'There is no such page'],
    [`/user/${ada.id}?requests=x`, 'There is no such page'],
  ] as const
  for (const [url, message] of invalid) {
    const page = await open(url)
    expect(page, url).toMatchObject({ status: 422, isListed: false })
    expect(page.text).toContain(message)
    expect(page.text).not.toContain('Chair')
  }
})

test('pages of missing content are 404, and search engines list no empty page', async () => {
  const missing = [
    ['/nowhere', 'Page Not Found'],
    ['/index.html', 'Page Not Found'],
    ['/c/nothing', 'Category not found'],
    ['/?category=Nothing', 'Category not found'],
    ['/item/99999', 'Item not found'],
    ['/item/x', 'Item not found'],
    ['/user/nobody', 'User not found'],
  ] as const
  for (const [url, title] of missing) {
    const page = await open(url)
    expect(page, url).toMatchObject({ status: 404, title: `${title} · Sought`, isListed: false })
    expect(page.body).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`))
  }
  const eve = await world().signUp('Eve')
  for (const url of ['/?search=zeppelin', '/c/fashion', `/user/${eve.id}`, '/messages']) {
    expect(await open(url), url).toMatchObject({ status: 200, isListed: false })
  }
})

test('closed, fulfilled and expired requests are not listed', async () => {
  const bob = await world().signUp('Bob')
  const id = await post(bob, { ...lamp, title: 'A mirror' })
  const cookies = cookieHeader(bob)
  await bob.call(`POST /api/wanted-items/${id}/close`)
  expect(await open(`/item/${id}`, cookies)).toMatchObject({ status: 200, isListed: false })
  await bob.call(`POST /api/wanted-items/${id}/reopen`)
  expect(await open(`/item/${id}`, cookies)).toMatchObject({ status: 200, isListed: true })
  await world().sql.query(`update wanted_items set status = 'fulfilled' where id = $1`, [id])
  expect(await open(`/item/${id}`, cookies)).toMatchObject({ status: 200, isListed: false })
  await world().sql.query(
    `update wanted_items set status = 'open', created_at = created_at - interval '61 days',
       expires_at = expires_at - interval '61 days' where id = $1`,
    [id],
  )
  expect(await open(`/item/${id}`, cookies)).toMatchObject({ status: 200, isListed: false })
})

test('the page of a hidden request is gone', async () => {
  const zoe = await world().signUp('Zoe')
  const id = await post(zoe, { ...lamp, title: 'A secret drawer' })
  await world().sql.query(`update wanted_items set hidden_at = now(), status = 'closed' where id = $1`, [id])
  const page = await open(`/item/${id}`)
  expect(page).toMatchObject({ status: 410, title: 'Item not found · Sought', linkedData: [] })
  expect(page.body).not.toContain('secret')
})

test('the pages of requests of deleted accounts are gone and show no content', async () => {
  const zoe = await world().signUp('Zoe')
  const [closed, fulfilled] = [
    await post(zoe, { ...lamp, title: 'A secret mirror' }),
    await post(zoe, { ...lamp, title: 'A secret clock' }),
  ]
  await world().sql.query(`update wanted_items set status = 'fulfilled' where id = $1`, [fulfilled])
  expect((await zoe.call('POST /api/user/delete-account', { password: PASSWORD })).statusCode).toBeLessThan(
    300,
  )
  for (const id of [closed, fulfilled]) {
    const page = await open(`/item/${id}`)
    expect(page).toMatchObject({ status: 410, title: 'Item not found · Sought', linkedData: [] })
    expect(page.isListed).toBe(false)
    expect(page.text).toContain('Item not found')
    expect(page.body).not.toContain('secret')
    const reply = await zoe.call(`GET /api/wanted-items/${id}`)
    expect([reply.statusCode, reply.json().code]).toEqual([410, 'item_removed'])
  }
})

test('browsers get a page for addresses that cannot be decoded, other clients get JSON', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'
  for (const url of ['/%', '/item/%zz']) {
    const page = await open(url, { accept })
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-request-id': expect.any(String),
    })
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    expect(page).toMatchObject({ status: 404, title: 'Page Not Found · Sought', isListed: false })
    expect(page.text).toContain('Page Not Found')
    // The app fetches the user.
    const frame = await open(url, { accept, ...cookieHeader(ada) })
    expect(frame).toMatchObject({ status: 404, isListed: false })
    expect(frame.body).toContain('<div id="root"></div>')
    const json = await open(url, { accept: '*/*' })
    expect([json.status, JSON.parse(json.body).code]).toEqual([400, 'malformed'])
  }
  const call = await open('/api/wanted-items/%', { accept })
  expect([call.status, JSON.parse(call.body).code]).toEqual([400, 'malformed'])
})

test('texts of users cannot break out of their elements', async () => {
  const bob = await world().signUp('Bob')
  const title = '</script><script>alert(1)</script> <!-- \u2028 $& {{'
  const id = await post(bob, { ...lamp, title, description: title })
  const page = await open(`/item/${id}`, cookieHeader(bob))
  expect(page.text).toContain(title)
  expect(page.linkedData[0].itemOffered.name).toBe(title)
  expect(page.body).not.toContain('<script>alert')
})

test('visitors see new, edited and closed requests, and browsers revalidate their pages', async () => {
  const bob = await world().signUp('Bob')
  const before = await open('/c/sports')
  const { etag = '' } = before.headers
  expect(before.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'cookie, accept-encoding' })
  expect((await open('/c/sports', { 'if-none-match': String(etag) })).status).toBe(304)
  const id = await post(bob, { ...lamp, category: 'Sports', title: 'A racket' })
  const { headers } = await eventually(async () => {
    const page = await open('/c/sports')
    expect(page.titles).toContain('A racket')
    return page
  })
  expect(headers.etag).not.toBe(etag)
  await bob.call(`PUT /api/wanted-items/${id}`, { ...lamp, category: 'Sports', title: 'A bat' })
  await eventually(async () => expect((await open('/c/sports')).titles).toContain('A bat'))
  await bob.call(`POST /api/wanted-items/${id}/close`)
  await eventually(async () => expect((await open('/c/sports')).titles).not.toContain('A bat'))
})

test('users get their own pages, and see a request they posted immediately after signing out', async () => {
  const { visitor } = world()
  const bob = await world().signUp('Bob')
  await open('/c/automotive')
  const signedIn = await visitor('POST /api/auth/login', { email: bob.email, password: PASSWORD })
  const { value: device = '' } = signedIn.cookies.find(({ name }) => name === 'device') ?? {}
  const session = cookieOf(signedIn)
  const headers = { cookie: `${session}; device=${device}` }
  const car = { ...lamp, category: 'Automotive', title: 'A red car' }
  expect((await visitor('POST /api/wanted-items', car, { headers })).statusCode).toBe(201)

  const own = await open('/c/automotive', headers)
  expect(own.headers).toMatchObject({ 'cache-control': 'no-store' })
  expect(own.headers.etag).toBeUndefined()
  expect(own.body).toContain(bob.email)
  expect(own.titles).not.toContain('A red car')

  await visitor('GET /api/logout', undefined, { headers })
  const afterwards = await open('/c/automotive', { cookie: `device=${device}` })
  expect(afterwards.titles).toContain('A red car')
  expect(afterwards.body).not.toContain(bob.email)
})
