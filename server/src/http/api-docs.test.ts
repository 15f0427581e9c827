import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { calls } from '@sought/contract/calls'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { serveApiDocs } from './api-docs.ts'

function openDocs() {
  let name = 'Sought'
  let reads = 0
  // Building a document reads the summary of each call.
  const counted = Object.fromEntries(
    Object.entries(calls).map(([key, call]) => [
      key,
      {
        ...call,
        get summary() {
          reads++
          return call.summary
        },
      },
    ]),
  )
  const app = fastify()
  serveApiDocs(app, { calls: counted, publicUrl: 'http://docs.test', readMarketName: async () => name })
  return {
    get: (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers }),
    rename: (next: string) => {
      name = next
    },
    builds: () => reads / Object.keys(calls).length,
  }
}

test.each(['/api/docs', '/api/docs/openapi.json'])(
  '%s is built once, until the market is renamed',
  async (url) => {
    const { get, rename, builds } = openDocs()
    const replies = await Promise.all(Array.from({ length: 16 }, () => get(url)))
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    expect(builds()).toBe(1)
    rename('Fish')
    const renamed = await get(url)
    expect(renamed.body.includes('Fish')).toBe(true)
    expect(renamed.headers.etag).not.toBe(replies[0]?.headers.etag)
    expect(builds()).toBe(2)
  },
)

test.each(['/api/docs', '/api/docs/openapi.json'])(
  '%s is compressed, and not sent again',
  { tags: ['proof'] },
  async (url) => {
    const { get } = openDocs()
    const plain = await get(url)
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-cache' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    const brotli = await get(url, { 'accept-encoding': 'gzip, br', cookie: 'sid=1' })
    expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', etag: plain.headers.etag })
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body)
    expect(brotli.rawPayload.length * 10).toBeLessThan(plain.rawPayload.length)
    const gzip = await get(url, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
    const known = await get(url, { 'if-none-match': `"other", ${plain.headers.etag}` })
    expect(known.statusCode).toBe(304)
    expect(known.body).toBe('')
  },
)

test('many readers get the document one after the other, with pauses for other requests', async () => {
  const { get } = openDocs()
  await get('/api/docs')
  const order: string[] = []
  const read = async (url: string, name: string) => {
    await get(url)
    order.push(name)
  }
  await Promise.all([
    ...Array.from({ length: 8 }, () => read('/api/docs', 'docs')),
    read('/missing', 'other'),
    read('/missing', 'other'),
  ])
  expect(order.slice(0, 3).filter((name) => name === 'other')).toHaveLength(2)
})
