import type { Call } from '@sought/contract/call'
import { calls } from '@sought/contract/calls'
import { expect, test } from 'vitest'
import { openWorld } from './testing/world.ts'

const declared = Object.values(calls)
  .map(({ method, path }) => `${method} ${path}`)
  .sort()

test('every call has a handler, and every call that is not public needs a sign-in', async () => {
  const { signUp, appoint, visitor } = await openWorld()
  const { id, call } = await signUp('Ada')
  await appoint({ id })
  const unanswered: string[] = []
  for (const { method, path, access, ...parts } of Object.values(calls)) {
    if (parts.reply === 'redirect' || parts.reply === 'events') continue
    const address = path.replace(/:\w+/g, '1')
    if (access !== 'public') {
      expect((await visitor(`${method} ${address}`)).statusCode, path).toBe(401)
    }
    const reply = await call(`${method} ${address}`)
    if (reply.statusCode === 501) unanswered.push(`${method} ${path}`)
  }
  expect(unanswered).toEqual([])
})

test('the OpenAPI document and its page list every call', async () => {
  const { visitor } = await openWorld()
  const document = (await visitor('GET /api/docs/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  const documented = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  )
  expect(documented.sort()).toEqual(declared)
  expect(document.paths['/api/offers/{id}/accept'].patch).toMatchObject({
    operationId: 'acceptOffer',
    parameters: [{ name: 'id', in: 'path', required: true }],
    security: [{ session: [] }],
    responses: { 401: {}, 403: {}, 404: {}, 409: {}, 422: {} },
  })
  const page = await visitor('GET /api/docs')
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  for (const path of new Set(Object.values(calls).map((call) => call.path))) expect(page.body).toContain(path)
})

/** Lists that are not paged, and the reasons. */
const SHORT_LISTS: Record<string, string> = {
  'GET /api/categories': 'a market has at most 50',
  'GET /api/admin/policies': 'admins publish a few versions a year',
  'GET /api/user/policies': 'the terms and the privacy policy',
  'GET /api/admin/overview': 'at most one entry of each kind',
  'GET /api/places': 'the 8 largest places',
  'GET /api/saved-searches': 'a user has at most 50',
  'GET /api/wanted-items/:id/similar': 'the 6 most similar requests',
  'GET /api/wanted-items/:id/versions': 'edits of a request are limited, and differences need all versions',
  'GET /api/wanted-items/by-id': 'at most 12 ids',
  'GET /api/wanted-items/:id/offers': 'the 100 lowest offers are enough to choose from',
  'GET /api/user/devices': 'at most 100 devices are shown, and sessions expire',
  'GET /api/seller/statements': 'one entry for each month with sales',
  'GET /api/admin/moderation': 'moderators work from the top of the queue',
  'GET /api/admin/admins': 'a market has few admins',
  'GET /api/admin/replies': 'there are at most 100',
  'POST /api/admin/disputes/bulk/preview': 'at most 100 ids',
  'GET /api/blocks': 'people block few others',
  'GET /api/user/decisions': 'few people have any',
  'GET /api/dev/mails': 'development only, and only the latest',
}

test('every list is paged', () => {
  const isList = ({ reply }: Call) => typeof reply !== 'string' && reply._zod.def.type === 'array'
  const unpaged = Object.values(calls)
    .filter(isList)
    .filter(({ query }) => !(query && 'limit' in query.shape && 'cursor' in query.shape))
  expect(unpaged.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    Object.keys(SHORT_LISTS).sort(),
  )
})
