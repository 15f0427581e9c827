import { call } from '@sought/contract/call'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openRoutes } from '../testing/open-routes.ts'
import { on } from './route.ts'
import type { Actor } from './session.ts'

const NOW = new Date('2026-01-01T12:00:00Z')
const reply = z.object({ ok: z.boolean() })
const query = z.object({ search: z.optional(z.string()) })
const list = call({ method: 'GET', path: '/api/things', access: 'user', summary: 'Lists', query, reply })
const add = call({ method: 'POST', path: '/api/things', access: 'user', summary: 'Adds', reply })
const appeal = call({ ...add, path: '/api/appeals', allowedIfSuspended: true })

/** Sends requests of a user who is suspended until this time. */
async function openApp(suspendedUntil: Date | null) {
  const routes = [on(list)(() => ({ ok: true })), ...[add, appeal].map((it) => on(it)(() => ({ ok: true })))]
  const userOf = async () => ({ id: 'ada', suspendedUntil }) as Actor
  const app = await openRoutes(routes, { userOf, now: () => NOW })
  return async (method: 'GET' | 'POST', url: string) => {
    const answer = await app.inject({ method, url, headers: { cookie: 'sid=1' } })
    return answer.json().code ?? answer.statusCode
  }
}

test('suspended users can only read and make the calls that are allowed to them', async () => {
  const send = await openApp(new Date(NOW.getTime() + 1))
  expect(await send('POST', '/api/things')).toBe('suspended')
  expect(await send('GET', '/api/things')).toBe(200)
  expect(await send('POST', '/api/appeals')).toBe(200)
})

test('a suspension ends automatically', async () => {
  for (const until of [NOW, null]) expect(await (await openApp(until))('POST', '/api/things')).toBe(200)
})

test('parameters that are repeated or in brackets are refused, and unknown ones ignored', async () => {
  const send = await openApp(null)
  expect(await send('GET', '/api/things?search=a&other=b')).toBe(200)
  for (const given of ['search[]=a', 'search=a&search=b', 'search[a]=b'])
    expect([given, await send('GET', `/api/things?${given}`)]).toEqual([given, 'invalid'])
})
