import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Call } from '@sought/contract/call'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiPage } from './api-page.ts'
import { addVary, chooseEncoding, compress, type Encoding } from './compression.ts'
import { openApiDocument } from './openapi.ts'

/*
 * The documents are large, and building them takes as long as a hundred lists. They are built and compressed once for
 * each name of the market.
 */

interface Options {
  calls: Record<string, Call>
  publicUrl: string
  readMarketName(): Promise<string>
}

interface Document {
  etag: string
  plain: Buffer
  compressed: Record<Encoding, Buffer>
}

/** A client that accepts no compression gets the document in parts, so that others are answered between them. */
const PART_BYTES = 64 * 1024

/** Between two documents, so that many readers of these large replies cannot delay other requests. */
const PAUSE_MS = 10

export function serveApiDocs(app: FastifyInstance, { calls, publicUrl, readMarketName }: Options): void {
  const waitForTurn = createTurns()
  const serve = (path: string, type: string, build: (marketName: string) => string) => {
    const read = keepLatest((name) => prepare(build(name)))
    app.get(path, async (request, reply) => {
      const document = await read(await readMarketName())
      if (!isCurrent(request, document)) await waitForTurn()
      return send(request, reply.type(type), document)
    })
  }
  serve('/api/docs', 'text/html; charset=utf-8', (name) => apiPage(calls, name))
  serve('/api/docs/openapi.json', 'application/json; charset=utf-8', (name) =>
    JSON.stringify(openApiDocument(calls, name, publicUrl)),
  )
}

/** The first caller gets the first turn at once. */
function createTurns(): () => Promise<void> {
  let free = Promise.resolve()
  return () => {
    const turn = free
    free = turn.then(() => setTimeout(PAUSE_MS))
    return turn
  }
}

/** Whether the client already has the document. */
const isCurrent = (request: FastifyRequest, { etag }: Document): boolean =>
  request.headers['if-none-match']?.split(/\s*,\s*/).includes(etag) ?? false

function send(request: FastifyRequest, reply: FastifyReply, document: Document) {
  const { etag, plain, compressed } = document
  addVary(reply)
  reply.headers({ etag, 'cache-control': 'no-cache' })
  if (isCurrent(request, document)) return reply.code(304).send()
  // The documents contain nothing secret, so they are compressed for everyone (ADR 56).
  const encoding = chooseEncoding(request)
  if (encoding) return reply.header('content-encoding', encoding).send(compressed[encoding])
  return reply.header('content-length', plain.length).send(Readable.from(partsOf(plain)))
}

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES)
}

/** Concurrent readers of a new key share one build. A build that failed is tried again. */
function keepLatest(build: (key: string) => Promise<Document>): (key: string) => Promise<Document> {
  let latest: { key: string; document: Promise<Document> } | null = null
  return (key) => {
    if (latest?.key === key) return latest.document
    const document = build(key)
    latest = { key, document }
    document.catch(() => {
      if (latest?.document === document) latest = null
    })
    return document
  }
}

async function prepare(text: string): Promise<Document> {
  const [br, gzip] = await Promise.all([compress('br', text, 'cached'), compress('gzip', text, 'cached')])
  const etag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  return { etag, plain: Buffer.from(text), compressed: { br, gzip } }
}
