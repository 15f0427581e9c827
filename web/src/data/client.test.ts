import { acceptOffer } from '@sought/contract/offers'
import { listWantedItems } from '@sought/contract/requests'
import { afterEach, expect, test, vi } from 'vitest'
import { CallError, getUrl, send } from './client.ts'

afterEach(() => vi.unstubAllGlobals())

test('the URL has the params in its path and omits empty query values', () => {
  expect(getUrl(acceptOffer, { params: { id: '7' } })).toBe('/api/offers/7/accept')
  expect(getUrl(listWantedItems, { query: { search: 'red & green', category: '' } })).toBe(
    '/api/wanted-items?search=red%20%26%20green',
  )
})

test('the message of an error is the status, a colon and the body', () => {
  const body = '{"code":"offer_not_pending","message":"This offer has already been answered."}'
  const error = new CallError(409, 'Conflict', body)
  expect(error.message).toBe(`409: ${body}`)
  expect(error).toMatchObject({
    status: 409,
    code: 'offer_not_pending',
    userMessage: 'This offer has already been answered.',
  })
})

test('without a body, the message has the status text', () => {
  expect(new CallError(502, 'Bad Gateway', '')).toMatchObject({
    message: '502: Bad Gateway',
    code: null,
    userMessage: null,
  })
})

test('an error reply of a proxy is not treated as a refusal of our server', () => {
  expect(new CallError(502, 'Bad Gateway', '<html>')).toMatchObject({ message: '502: <html>', code: null })
})

test('a call sends the cookie, and a body only if it has one', async () => {
  const fetched = vi.fn(async () => new Response('{}'))
  vi.stubGlobal('fetch', fetched)
  await send(acceptOffer, { params: { id: '7' } })
  expect(fetched).toHaveBeenCalledWith('/api/offers/7/accept', { method: 'PATCH', credentials: 'include' })
})

test('an error has the request id from the server’s log', async () => {
  const headers = { 'x-request-id': 'abc' }
  vi.stubGlobal('fetch', async () => new Response('{}', { status: 500, headers }))
  await expect(send(acceptOffer, { params: { id: '7' } })).rejects.toMatchObject({ requestId: 'abc' })
})
