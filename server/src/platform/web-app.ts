import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import staticFiles from '@fastify/static'
import { routes } from '@sought/contract/paths'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from './errors.ts'
import { type PageHead, withData, withHead } from './page-head.ts'

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url))
/** The page does not wait longer for its data: the browser can ask for it itself. */
const DATA_WITHIN_MS = 1_000

interface WebApp {
  /** The metadata of a screen's page; null if it has none of its own, 'missing' if it shows something that does not exist. */
  headOf(path: string): Promise<PageHead | 'missing' | null>
  /** What the app would ask for first, as escaped JSON. */
  dataOf(request: FastifyRequest, reply: FastifyReply): string | Promise<string>
  development: boolean
  /** The folder of the built web app. */
  dist?: string
}

/** Patterns of all screen URLs, so that unknown ones get the app with status 404. */
const screens = Object.values(routes).map((route) => ({
  pattern: new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}/?$`),
  forDevelopers: route === routes.devUi || route === routes.devMail,
}))

/**
 * Serves the built web app: precompressed files, hashed ones cached forever, and the same page for every screen, with
 * the session in it. Without a build, as in most server tests, only the API is served.
 */
export async function serveWebApp(
  app: FastifyInstance,
  { headOf, dataOf, development, dist = DIST }: WebApp,
): Promise<void> {
  const page = existsSync(join(dist, 'index.html')) ? readFileSync(join(dist, 'index.html'), 'utf8') : null
  if (page) {
    await app.register(staticFiles, {
      root: dist,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        response.header('cache-control', cachingOf(path, dist))
      },
    })
  }

  function sendPage(request: FastifyRequest, reply: FastifyReply, status: number, html: string) {
    reply.code(status).header('cache-control', 'no-store').type('text/html; charset=utf-8')
    const data = dataOf(request, reply)
    if (typeof data === 'string') return reply.send(withData(html, data))
    return readData(data, request).then((read) => reply.send(read === null ? html : withData(html, read)))
  }

  app.setNotFoundHandler(async (request, reply) => {
    if (!page || !wantsPage(request)) throw refuse('not_found')
    const [path = '/'] = request.url.split('?')
    if (!isScreen(path, development)) return sendPage(request, reply, 404, page)
    const head = await headOf(path).catch(() => 'unavailable' as const)
    if (head === 'missing') return sendPage(request, reply, 404, page)
    if (head === 'unavailable') return sendPage(request, reply, 503, page)
    return sendPage(request, reply, 200, head ? withHead(page, head) : page)
  })
  if (page) app.get('/', (request, reply) => sendPage(request, reply, 200, page))
}

/** Null if the data cannot be read now. */
function readData(data: Promise<string>, { log }: FastifyRequest): Promise<string | null> {
  const read = data.catch((error: unknown) => {
    log.warn({ err: error }, 'a page is sent without its data')
    return null
  })
  return Promise.race([read, wait(DATA_WITHIN_MS, null, { ref: false })])
}

function cachingOf(path: string, dist: string): string {
  // A browser must learn at once that the service worker has changed.
  if (path.endsWith('/sw.js')) return 'no-cache'
  return path.includes(`${dist}/assets/`) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

function wantsPage({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !/^\/(api|assets|files)(\/|$|\?)/.test(url)
}

function isScreen(path: string, development: boolean): boolean {
  return screens.some(({ pattern, forDevelopers }) => pattern.test(path) && (development || !forDevelopers))
}
