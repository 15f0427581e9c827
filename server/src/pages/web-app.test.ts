import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { allRoutes } from '../app.ts'
import { createPageData } from '../features/site/page-data.ts'
import { describeDeployment } from '../features/site/routes.ts'
import { createReader } from '../http/read-call.ts'
import { shareWorld } from '../testing/world.ts'
import { serveWebApp } from './web-app.ts'

const PAGE = '<html><head><title>Sought</title></head><body><div id="root"></div></body></html>'

const world = shareWorld()
let dist: string

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'sought-dist-'))
  await mkdir(join(dist, 'client'))
  await writeFile(join(dist, 'client', 'index.html'), PAGE)
  await writeFile(join(dist, 'client', 'sw.js'), '// the service worker')
  await writeFile(join(dist, 'client', 'favicon.ico'), '')
})
afterAll(() => rm(dist, { recursive: true }))

type WebApp = Parameters<typeof serveWebApp>[1]

async function openPages(changes: Partial<WebApp> = {}) {
  const { services } = world()
  const app = fastify()
  onTestFinished(() => app.close())
  await app.register(cookie, { secret: [...services.secrets.sessionKeys.all] })
  await serveWebApp(app, {
    market: services.market,
    isAdmin: async () => false,
    requireMode: async () => {},
    headOf: async () => null,
    visitOf: createPageData(services, (market) => describeDeployment(services, market)),
    read: createReader(allRoutes(services)),
    isBusy: () => false,
    development: true,
    dist,
    ...changes,
  })
  return async (url: string, headers: Record<string, string> = {}) => {
    const reply = await app.inject({ url, headers })
    const [, json] = /<script type="application\/json" id="page-data">(.*?)<\/script>/.exec(reply.body) ?? []
    return { ...reply, status: reply.statusCode, data: byPath(JSON.parse(json ?? '[]')) }
  }
}

/** The replies of the page by the path of their call. */
const byPath = (entries: [[path: string], reply: Record<string, unknown>][]) =>
  Object.fromEntries(entries.map(([[path], reply]) => [path, reply]))

test('the page contains the replies to the first calls, for visitors and for users', async () => {
  const open = await openPages()
  const ada = await world().signUp('Ada')
  const config = (await world().visitor('GET /api/config')).json()
  const currentUser = (await ada.call('GET /api/auth/user')).json()
  for (const path of ['/', '/messages', '/nowhere']) {
    const visit = await open(path)
    expect(visit.headers['cache-control']).toBe(path === '/' ? 'no-cache' : 'no-store')
    expect(visit.data).toEqual({ '/api/config': config, '/api/auth/user': null })
    const { data } = await open(path, { cookie: ada.cookie })
    expect(data).toEqual({ '/api/config': config, '/api/auth/user': currentUser })
  }
  await ada.call('GET /api/logout')
  expect((await open('/', { cookie: ada.cookie })).data['/api/auth/user']).toBeNull()
})

test('a busy server lets the browser render the pages of signed-in users', async () => {
  const rendered: string[] = []
  const headOf: WebApp['headOf'] = async ({ path }, user) => {
    rendered.push(`${path} for ${user ? 'a user' : 'visitors'}`)
    return null
  }
  const open = await openPages({ headOf, isBusy: () => true })
  const { cookie } = await world().signUp('Ada')
  expect(await open('/', { cookie })).toMatchObject({
    status: 200,
    data: { '/api/auth/user': { firstName: 'Ada' } },
  })
  expect(rendered).toEqual([])
  expect(await open('/')).toMatchObject({ status: 200 })
  expect(await open('/nowhere', { cookie })).toMatchObject({ status: 404 })
  expect(rendered).toEqual(['/ for visitors', '/nowhere for a user'])
})

test('texts of a user cannot break out of the embedded data', async () => {
  const open = await openPages()
  const eve = await world().signUp('Eve')
  const bio = '</script><script>alert(1)</script> $& <!--'
  await eve.call('PUT /api/user/profile', { firstName: 'Eve', lastName: 'Tester', email: eve.email, bio })
  const { data, payload } = await open('/', { cookie: eve.cookie })
  expect(data['/api/auth/user']?.bio).toBe(bio)
  expect(payload.match(/<script/g)).toHaveLength(1)
})

test('a page that cannot be rendered is sent without content, so that the app in the browser tries again', async () => {
  const notice = 'The service is temporarily unavailable'
  const outage = Object.assign(new Error('no database'), { code: 'ECONNREFUSED' })
  const fail = () => Promise.reject(outage)
  const withoutDatabase = await openPages({ headOf: fail })
  const withMistake = await openPages({ headOf: () => Promise.reject(new Error('our mistake')) })
  const ada = await world().signUp('Ada')
  const cookies = { cookie: ada.cookie }
  for (const [path, headers] of [['/'], ['/item/1', cookies]] as const) {
    const unavailable = await withoutDatabase(path, headers)
    expect(unavailable).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    expect(unavailable.body).toContain(notice)
    const failed = await withMistake(path, headers)
    expect(failed).toMatchObject({ status: 500, headers: { 'cache-control': 'no-store' } })
    expect(failed.body).toContain(notice)
  }
  const unknown = await openPages({ visitOf: fail })
  expect(await unknown('/messages', cookies)).toMatchObject({ status: 200, data: {} })
  const slow = await openPages({ visitOf: () => new Promise(() => {}) })
  expect(await slow('/messages', cookies)).toMatchObject({ status: 200, data: {} })
})

test('every page has the market’s own accent colour, if there is one', async () => {
  const ada = await world().signUp('Ada')
  const { market } = world().services
  const openWith = (changes: Partial<ReturnType<typeof market.latest>>) => {
    const changed = () => ({ ...market.latest(), ...changes })
    return openPages({ market: { peek: changed, read: async () => changed(), latest: changed } })
  }
  const accent = '<style id="accent-style">:root{--color-accent:light-dark(#aa0000, #'
  const [usual, red] = [await openWith({}), await openWith({ accentColor: '#aa0000' })]
  const closed = await openWith({ accentColor: '#aa0000', mode: 'maintenance' })
  for (const [path, headers] of [['/'], ['/messages', { cookie: ada.cookie }]] as const) {
    expect((await usual(path, headers)).body).not.toContain('<style')
    expect((await red(path, headers)).body).toContain(accent)
    expect(await closed(path, headers)).toMatchObject({
      status: 503,
      body: expect.stringContaining(accent),
    })
  }
})

test('browsers revalidate the service worker each time, and cache other files for an hour', async () => {
  const open = await openPages()
  expect((await open('/sw.js')).headers['cache-control']).toBe('no-cache')
  expect((await open('/favicon.ico')).headers['cache-control']).toBe('public, max-age=3600')
})
