import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createPageData } from '../features/platform/page-data.ts'
import { describeDeployment } from '../features/platform/routes.ts'
import { shareWorld } from '../testing/world.ts'
import { serveWebApp } from './web-app.ts'

const world = shareWorld()
let dist: string

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'sought-dist-'))
  await writeFile(join(dist, 'sw.js'), '// the service worker')
  await writeFile(join(dist, 'favicon.ico'), '')
  await writeFile(join(dist, 'index.html'), '<html><head><title>Sought</title></head><body></body></html>')
})
afterAll(() => rm(dist, { recursive: true }))

type WebApp = Parameters<typeof serveWebApp>[1]

async function openPages(changes: Partial<WebApp> = {}) {
  const { services } = world()
  const app = fastify()
  onTestFinished(() => app.close())
  await app.register(cookie, { secret: services.secrets.sessionSecret })
  await serveWebApp(app, {
    headOf: async () => null,
    dataOf: createPageData(services, describeDeployment(services)),
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
    expect(visit.headers['cache-control']).toBe('no-store')
    expect(visit.data).toEqual({ '/api/config': config, '/api/auth/user': null })
    const { data } = await open(path, { cookie: ada.cookie })
    expect(data).toEqual({ '/api/config': config, '/api/auth/user': currentUser })
  }
  await ada.call('GET /api/logout')
  expect((await open('/', { cookie: ada.cookie })).data['/api/auth/user']).toBeNull()
})

test('texts of a user cannot leave the data', async () => {
  const open = await openPages()
  const eve = await world().signUp('Eve')
  const bio = '</script><script>alert(1)</script> $& <!--'
  await eve.call('PUT /api/user/profile', { firstName: 'Eve', lastName: 'Tester', email: eve.email, bio })
  const { data, payload } = await open('/', { cookie: eve.cookie })
  expect(data['/api/auth/user']?.bio).toBe(bio)
  expect(payload.match(/<script/g)).toHaveLength(1)
})

test('without the database the page is sent without data, and a page about a request with 503', async () => {
  const fail = () => Promise.reject(new Error('no database'))
  const open = await openPages({ dataOf: fail, headOf: async (path) => (path === '/' ? null : fail()) })
  expect(await open('/')).toMatchObject({ status: 200, data: {} })
  expect(await open('/item/1')).toMatchObject({ status: 503, data: {} })
  const slow = await openPages({ dataOf: () => new Promise(() => {}) })
  expect(await slow('/')).toMatchObject({ status: 200, data: {} })
})

test('browsers ask for the service worker each time, and keep other files for an hour', async () => {
  const open = await openPages()
  expect((await open('/sw.js')).headers['cache-control']).toBe('no-cache')
  expect((await open('/favicon.ico')).headers['cache-control']).toBe('public, max-age=3600')
})
