import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import staticFiles from '@fastify/static'
import { routes } from '@sought/contract/paths'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from './errors.ts'
import { type PageHead, withHead } from './page-head.ts'

/** The metadata of a screen's page; null if it has none of its own, 'missing' if it shows something that does not exist. */
export type HeadOf = (path: string) => Promise<PageHead | 'missing' | null>

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** Patterns of all screen URLs, so that unknown ones get the app with status 404. */
const screens = Object.values(routes).map((route) => ({
  pattern: new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}/?$`),
  forDevelopers: route === routes.devUi || route === routes.devMail,
}))

/**
 * Serves the built web app: precompressed files, hashed ones cached forever, and the same page for every screen.
 * Without a build, as in most server tests, only the API is served.
 */
export async function serveWebApp(app: FastifyInstance, headOf: HeadOf, development: boolean): Promise<void> {
  const page = existsSync(join(DIST, 'index.html')) ? readFileSync(join(DIST, 'index.html'), 'utf8') : null
  if (page) {
    await app.register(staticFiles, {
      root: DIST,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        response.header('cache-control', cachingOf(path))
      },
    })
  }

  app.setNotFoundHandler(async (request, reply) => {
    if (!page || !wantsPage(request)) throw refuse('not_found')
    const [path = '/'] = request.url.split('?')
    if (!isScreen(path, development)) return sendPage(reply, page, 404)
    const head = await headOf(path)
    if (head === 'missing') return sendPage(reply, page, 404)
    return sendPage(reply, head ? withHead(page, head) : page, 200)
  })
  if (page) app.get('/', (_, reply) => sendPage(reply, page, 200))
}

function cachingOf(path: string): string {
  return path.includes(`${DIST}/assets/`) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

function sendPage(reply: FastifyReply, page: string, status: 200 | 404): FastifyReply {
  return reply.code(status).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page)
}

function wantsPage({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !/^\/(api|assets|files)(\/|$|\?)/.test(url)
}

function isScreen(path: string, development: boolean): boolean {
  return screens.some(({ pattern, forDevelopers }) => pattern.test(path) && (development || !forDevelopers))
}
