import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/*
 * Compresses texts: API replies and pages. Files of the web app are compressed at build time. Pictures and streams
 * are not compressed (ADR 56).
 */

/** Smaller replies fit into one packet without compression. */
const MIN_LENGTH = 1024
/** For a cached reply, a sixth fewer bytes is worth three times the time. */
const BROTLI_QUALITY = { once: 1, cached: 5 }
const CACHE_SIZE = 100
const CACHED_MAX_LENGTH = 128 * 1024

export type Encoding = 'br' | 'gzip'

declare module 'fastify' {
  interface FastifyContextConfig {
    uncompressed?: boolean
  }
}

const brotliAsync = promisify(brotliCompress)
const gzipAsync = promisify(gzip)

export function compressReplies(app: FastifyInstance): void {
  const cached = createCache()
  app.addHook('onSend', (request, reply, payload, done) => {
    const isCompressible =
      typeof payload === 'string'
        ? payload.length >= MIN_LENGTH
        : payload instanceof Readable && isHtml(reply) && !reply.hasHeader('content-encoding')
    if (!isCompressible) return done(null, payload)
    addVary(reply)
    const encoding = chooseEncoding(request)
    if (!encoding || revealsSecrets(request)) return done(null, payload)
    if (typeof payload !== 'string') {
      reply.header('content-encoding', encoding)
      return done(null, (payload as Readable).pipe(compressor(encoding)))
    }
    const compressed = isPublic(request) ? cached(encoding, payload) : compress(encoding, payload, 'once')
    compressed.then((bytes) => {
      reply.header('content-encoding', encoding).removeHeader('content-length')
      done(null, bytes)
    }, done)
  })
}

const isHtml = (reply: FastifyReply) => String(reply.getHeader('content-type')).startsWith('text/html')

export function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  if (String(vary).includes('accept-encoding')) return
  reply.header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding')
}

/** For pages that are streamed while they are rendered. */
function compressor(encoding: Encoding) {
  if (encoding === 'gzip') return createGzip()
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY.once } })
}

export function chooseEncoding({ headers, method }: FastifyRequest): Encoding | null {
  const accepted = headers['accept-encoding']
  // The body of a reply to HEAD is never sent.
  if (accepted === undefined || method === 'HEAD') return null
  return negotiate(String(accepted), ['br', 'gzip']) as Encoding | null
}

/** Replies to visitors without credentials contain no secrets. */
const isPublic = ({ headers, method }: FastifyRequest) =>
  method === 'GET' && headers.cookie === undefined && headers.authorization === undefined

/**
 * The length of a compressed reply reveals whether an attacker's text repeats a secret in it. Other sites cannot
 * exploit this, because responses to their requests are not compressed. Calls that other users can make a browser
 * repeat are declared as `uncompressed` in the contract.
 */
function revealsSecrets(request: FastifyRequest): boolean {
  if (isPublic(request)) return false
  const site = request.headers['sec-fetch-site']
  return (site !== 'same-origin' && site !== 'none') || request.routeOptions.config.uncompressed === true
}

export function compress(
  encoding: Encoding,
  text: string,
  use: keyof typeof BROTLI_QUALITY,
): Promise<Buffer> {
  if (encoding === 'gzip') return gzipAsync(text)
  return brotliAsync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[use],
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    },
  })
}

/** Visitors get the same few replies repeatedly. The oldest entry is dropped first. */
function createCache() {
  const caches = { br: new Map<string, Promise<Buffer>>(), gzip: new Map<string, Promise<Buffer>>() }
  return (encoding: Encoding, text: string): Promise<Buffer> => {
    if (text.length > CACHED_MAX_LENGTH) return compress(encoding, text, 'once')
    const cache = caches[encoding]
    const known = cache.get(text)
    if (known) return known
    const compressed = compress(encoding, text, 'cached')
    cache.set(text, compressed)
    const [oldest] = cache.keys()
    if (cache.size > CACHE_SIZE && oldest !== undefined) cache.delete(oldest)
    return compressed
  }
}
