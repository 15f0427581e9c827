import { Readable } from 'node:stream'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { compressReplies } from './compression.ts'

const LONG = JSON.stringify({ text: 'A green lamp. '.repeat(200) })

function createApp() {
  const app = fastify()
  compressReplies(app)
  app.get('/long', (_, reply) => reply.type('application/json').send(LONG))
  app.get('/short', async () => ({ ok: true }))
  app.get('/picture', (_, reply) => reply.type('image/webp').send(Buffer.alloc(5000)))
  app.get('/stream', (_, reply) => reply.type('text/csv').send(Readable.from([LONG])))
  app.get('/file', (_, reply) =>
    reply
      .type('text/html')
      .header('content-encoding', 'br')
      .send(Readable.from([brotliCompressSync(LONG)])),
  )
  app.get('/mixed', { config: { uncompressed: true } }, () => LONG)
  return app
}

const get = (url: string, headers: Record<string, string> = {}) =>
  createApp().inject({ url, headers: { 'accept-encoding': 'gzip, deflate, br, zstd', ...headers } })

const encodingOf = async (...request: Parameters<typeof get>) =>
  (await get(...request)).headers['content-encoding']

test('long texts are compressed with the best method that the browser supports', async () => {
  const brotli = await get('/long')
  expect(brotli.headers).toMatchObject({
    'content-encoding': 'br',
    vary: 'accept-encoding',
    'content-length': String(brotli.rawPayload.length),
  })
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(LONG)
  const gzip = await get('/long', { 'accept-encoding': 'gzip, br;q=0' })
  expect(gzip.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(gzip.rawPayload).toString()).toBe(LONG)
  const plain = await get('/long', { 'accept-encoding': 'identity' })
  expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(plain.body).toBe(LONG)
})

test('short replies, pictures and streams are sent as they are', async () => {
  for (const url of ['/short', '/picture', '/stream']) expect(await encodingOf(url), url).toBeUndefined()
})

test('a page that was compressed at build time is not compressed again', async () => {
  const { headers, rawPayload } = await get('/file')
  expect(headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(rawPayload).toString()).toBe(LONG)
})

test('a reply to a signed-in user is compressed only if the request came from our own pages', async () => {
  const cookie = 'sid=1'
  expect(await encodingOf('/long', { cookie, 'sec-fetch-site': 'same-origin' })).toBe('br')
  expect(await encodingOf('/long', { cookie, 'sec-fetch-site': 'none' })).toBe('br')
  for (const site of ['cross-site', 'same-site']) {
    expect(await encodingOf('/long', { cookie, 'sec-fetch-site': site }), site).toBeUndefined()
    expect(await encodingOf('/long', { 'sec-fetch-site': site }), site).toBe('br')
  }
  expect(await encodingOf('/long', { cookie })).toBeUndefined()
})

test('replies with texts of several users are not compressed', async () => {
  expect(await encodingOf('/mixed', { cookie: 'sid=1', 'sec-fetch-site': 'same-origin' })).toBeUndefined()
})

test('a changed reply is compressed again instead of sent from the cache', async () => {
  const app = fastify()
  compressReplies(app)
  let version = 0
  app.get('/', async () => `${version} ${LONG}`)
  for (version = 1; version <= 250; version++) {
    const { rawPayload } = await app.inject({ url: '/', headers: { 'accept-encoding': 'br' } })
    expect(brotliDecompressSync(rawPayload).toString()).toBe(`${version} ${LONG}`)
  }
})
