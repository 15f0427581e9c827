import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import staticFiles from '@fastify/static'
import { signOut } from '@sought/contract/accounts'
import { MARKET_NAME } from '@sought/contract/constants'
import { routes } from '@sought/contract/paths'
import { refusals } from '@sought/contract/refusals'
import type { PageData, PageEntry, RenderedPage, RenderPage } from '@sought/contract/rendering'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../core/errors.ts'
import { escaped } from '../core/escape-html.ts'
import { isUnavailable } from '../database/database.ts'
import type { Market, MarketReader } from '../database/market-settings.ts'
import { DATABASE_RETRY_SECONDS } from '../http/answer-error.ts'
import { MODE_RETRY_SECONDS } from '../http/market-mode.ts'
import type { Pressure } from '../http/pressure.ts'
import type { ReadCall } from '../http/read-call.ts'
import type { Actor, User } from '../http/session.ts'
import { type PageAddress, readAddress } from './page-address.ts'
import { createPageCache } from './page-cache.ts'
import { type HeadResult, withBrand, withData, withHead, withoutIndex } from './page-head.ts'

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url))
/** How long the page waits for its data. After that, the browser fetches the data itself. */
const DATA_WITHIN_MS = 1_000
const CONTENT_WITHIN_MS = 5_000
const ROOT = '<div id="root">'
/** Built files that contain the name of the market. */
const NAMED_FILES = [
  {
    name: 'site.webmanifest',
    type: 'application/manifest+json; charset=utf-8',
    escape: (name: string) => JSON.stringify(name).slice(1, -1),
  },
  { name: 'offline.html', type: 'text/html; charset=utf-8', escape: escaped },
]
/** Its key is not a path, so no page can have it. */
const UNKNOWN_ADDRESS: PageAddress = { ...readAddress('/not-found', false), key: 'not-found' }
/** For browsers without JavaScript. With it, the app shows the error and retries. */
const FAILED =
  '<noscript><p class="mx-auto max-w-board px-4 pt-8 sm:px-6">The service is temporarily unavailable. Please try again in a minute.</p></noscript>'

/** The visitor of a page, and the data that the app needs first. */
export interface Visit {
  user: Actor | null
  data: PageData
}

interface WebApp {
  market: Pick<MarketReader, 'peek' | 'read' | 'latest'>
  isAdmin(user: User): Promise<boolean>
  /** Refuses requests that the market's mode does not allow. Pages show a message instead. */
  requireMode(request: FastifyRequest, reply: FastifyReply): Promise<void>
  headOf(address: PageAddress, user: Actor | null): Promise<HeadResult>
  visitOf(request: FastifyRequest, reply: FastifyReply): Promise<Visit>
  read: ReadCall
  isBusy: Pressure['isBusy']
  development: boolean
  /** The folder of the built web app. */
  dist?: string
}

export interface WebAppPages {
  /** The page for an invalid address. */
  sendNotFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>
}

/** The parts of a page in the order in which they are sent. */
interface Page {
  status: number
  start: string
  content: RenderedPage | null
  end: string
}

/**
 * Serves the built web app: precompressed files, with hashed ones cached forever, and a page for every screen, with
 * the session in it. Public pages are rendered here (ADR 62), others in the browser. Without a build, as in most
 * server tests, only the API is served.
 */
export async function serveWebApp(
  app: FastifyInstance,
  { market, isAdmin, requireMode, headOf, visitOf, read, isBusy, development, dist = DIST }: WebApp,
): Promise<WebAppPages | null> {
  const client = join(dist, 'client')
  const template = existsSync(join(client, 'index.html'))
    ? readFileSync(join(client, 'index.html'), 'utf8')
    : null
  const refuseUnknown = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
    await requireMode(request, reply)
    throw refuse('not_found')
  }
  if (template === null) {
    app.setNotFoundHandler(refuseUnknown)
    return null
  }
  await app.register(staticFiles, {
    root: client,
    index: false,
    // index.html is only the frame of pages.
    allowedPath: (path) => path !== '/index.html',
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      response.header('cache-control', cachingOf(path, client))
    },
  })
  /** A page with content can show it before the code has loaded. */
  const patientTemplate = template.replace(
    /<(script type="module"|link rel="modulepreload")/g,
    '$& fetchpriority="low"',
  )
  for (const file of NAMED_FILES) {
    const path = join(client, file.name)
    if (!existsSync(path)) continue
    const text = readFileSync(path, 'utf8')
    app.get(`/${file.name}`, async (_, reply) =>
      reply
        .headers({ 'cache-control': 'no-cache' })
        .type(file.type)
        .send(text.replaceAll(MARKET_NAME, () => file.escape(market.latest().name))),
    )
  }
  const closedPage = withoutIndex(
    template.replace(/<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g, ''),
    'Closed for maintenance',
  ).replace(/<noscript>.*?<\/noscript>/s, '')
  const render = await loadRenderer(dist)
  const cached = createPageCache()

  async function renderPage(address: PageAddress, visit: Visit, request: FastifyRequest): Promise<Page> {
    const { path, search } = address
    const [content, head] = await Promise.all([
      render?.({
        path,
        search,
        data: visit.data,
        read: (call, input) => read(call, input, { user: visit.user, request }),
      }),
      headOf(address, visit.user),
    ])
    const data = content?.data ?? visit.data
    const status = address.isScreen ? statusOf(data, head) : 404
    const isHidden = status !== 200 || isEmpty(address, data)
    const brand = market.latest()
    const branded = withBrand(patientTemplate, brand)
    const html = addHead(branded, head, { isHidden, title: content?.title ?? null, siteName: brand.name })
    return { status, content: content ?? null, ...split(withData(html, data)) }
  }

  /** If the content cannot be read or rendered in time, the app in the browser tries again. */
  async function renderInTime(address: PageAddress, visit: Visit, request: FastifyRequest): Promise<Page> {
    const page = renderPage(address, visit, request).catch((error: unknown): Page => {
      if (isUnavailable(error)) {
        request.log.warn({ err: error }, 'a page is sent without its content')
        return failed(visit, 503)
      }
      request.log.error({ err: error }, 'a page could not be rendered')
      return failed(visit, 500)
    })
    const inTime = await Promise.race([page, wait(CONTENT_WITHIN_MS, null, { ref: false })])
    if (!inTime) request.log.warn('a page is sent without its content, which takes too long')
    return inTime ?? failed(visit, 503)
  }

  /** A screen that the browser renders. */
  const unrendered = ({ data }: Visit): Page => ({
    status: 200,
    content: null,
    ...split(withData(withoutIndex(withBrand(template, market.latest()), null), data)),
  })

  function failed(visit: Visit, status: number): Page {
    const { end, ...page } = unrendered(visit)
    return { ...page, status, end: end.replace('</div>', () => `</div>\n${FAILED}`) }
  }

  function setStatus(reply: FastifyReply, status: number): FastifyReply {
    if (status === 503) reply.header('retry-after', DATABASE_RETRY_SECONDS)
    return reply.code(status)
  }

  /** Caches a page separately for each state of the settings. */
  async function sendToVisitor(
    address: PageAddress,
    version: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const page = await cached(`${version} ${address.key}`, async () => {
      const visit = await visitInTime(visitOf(request, reply), request)
      const page = await renderInTime(address, visit, request)
      return { status: page.status, html: await collect(page) }
    })
    if (page.status !== 200) return setStatus(reply, page.status).send(page.html)
    reply.headers({ 'cache-control': 'no-cache', etag: page.etag })
    if (request.headers['if-none-match'] === page.etag) return reply.code(304).send()
    return reply.send(page.html)
  }

  /** Null if the settings cannot be read. Then the page's calls report that the service is unavailable. */
  function readInTime({ log }: FastifyRequest): Promise<Market | null> {
    const read = market.read().catch((error: unknown) => {
      log.warn({ err: error }, 'a page is sent without knowing the mode of the market')
      return null
    })
    return Promise.race([read, wait(DATA_WITHIN_MS, null, { ref: false })])
  }

  /** Sends the page without the app, because the app could not do anything. */
  function sendClosed(user: User | null, reply: FastifyReply) {
    const latest = market.latest()
    const { start, end } = split(withBrand(closedPage, latest))
    return reply
      .code(503)
      .header('retry-after', MODE_RETRY_SECONDS)
      .send(start + describeMaintenance(user, latest.name) + end)
  }

  async function sendPage(address: PageAddress, request: FastifyRequest, reply: FastifyReply) {
    reply.headers({ 'cache-control': 'no-store', vary: 'cookie' }).type('text/html; charset=utf-8')
    const isVisitor = request.headers.cookie === undefined
    const current = market.peek() ?? (await readInTime(request))
    const isClosed = current?.mode === 'maintenance' && !isSignIn(address)
    if (isClosed && isVisitor) return sendClosed(null, reply)
    if (address.isPublic && isVisitor)
      return sendToVisitor(address, current?.version ?? 'unknown', request, reply)
    const visit = await visitInTime(visitOf(request, reply), request)
    if (isClosed && !(visit.user && (await isAdmin(visit.user)))) return sendClosed(visit.user, reply)
    // Rendering costs more than answering the calls of a browser that renders the page itself.
    const isRendered = address.isPublic && !(address.isScreen && isBusy())
    const page = isRendered ? await renderInTime(address, visit, request) : unrendered(visit)
    return setStatus(reply, page.status).send(Readable.from(chunksOf(page), { objectMode: false }))
  }

  async function servePage(request: FastifyRequest, reply: FastifyReply) {
    if (!wantsPage(request)) return refuseUnknown(request, reply)
    return sendPage(readAddress(request.url, development), request, reply)
  }
  app.setNotFoundHandler(servePage)
  app.get('/', servePage)

  /** Fastify runs no hooks for such requests, so the session is unknown and the app fetches it. */
  async function sendNotFound(request: FastifyRequest, reply: FastifyReply) {
    if (request.headers.cookie === undefined) return sendPage(UNKNOWN_ADDRESS, request, reply)
    reply.header('cache-control', 'no-store').type('text/html; charset=utf-8')
    if ((await readInTime(request))?.mode === 'maintenance') return sendClosed(null, reply)
    return reply.code(404).send(await collect(unrendered({ user: null, data: [] })))
  }
  return { sendNotFound }
}

const isSignIn = ({ name }: PageAddress) => name === 'auth' || name === 'login'

/** A signed-in user who is not an admin can switch accounts. */
function describeMaintenance(user: User | null, marketName: string): string {
  const [label, href] = user ? ['Sign out', signOut.path] : ['Sign in as an admin', routes.auth]
  return `<main class="mx-auto grid min-h-dvh max-w-board place-items-center px-4 text-center">
  <div>
    <p class="text-ink-soft text-lead">${escaped(marketName)}</p>
    <h1 class="mt-4 font-display font-strong text-display">Closed for maintenance</h1>
    <p class="mt-4">${refusals.maintenance.message}</p>
    <p class="mt-4"><a class="link" href="${href}">${label}</a></p>
  </div>
</main>`
}

/** The built code that renders pages. Undefined in tests that need only the frame. */
async function loadRenderer(dist: string): Promise<RenderPage | undefined> {
  const file = join(dist, 'server', 'entry-server.js')
  if (!existsSync(file)) return undefined
  const { renderPage }: { renderPage: RenderPage } = await import(file)
  return renderPage
}

interface HeadOptions {
  /** Hidden from search engines. */
  isHidden: boolean
  /** The title of the content. */
  title: string | null
  siteName: string
}

function addHead(page: string, head: HeadResult, { isHidden, title, siteName }: HeadOptions): string {
  if (head && typeof head === 'object')
    return withHead(page, isHidden ? { ...head, noindex: true } : head, siteName)
  return isHidden ? withoutIndex(page, title) : page
}

/** If the session cannot be read in time, the page is sent without data, and the app fetches the user. */
function visitInTime(visit: Promise<Visit>, { log }: FastifyRequest): Promise<Visit> {
  const nobody: Visit = { user: null, data: [] }
  const read = visit.catch((error: unknown) => {
    log.warn({ err: error }, 'a page is sent without its data')
    return nobody
  })
  return Promise.race([read, wait(DATA_WITHIN_MS, nobody, { ref: false })])
}

/** If a call of the page was refused, the page has the status of the refusal. */
function statusOf(data: PageData, head: HeadResult): number {
  if (head === 'missing') return 404
  if (head === 'gone') return 410
  return Math.max(200, ...data.map(([, , refusal]) => refusal?.status ?? 0))
}

/** Whether the lists of a page are all empty. The home page of an empty market is still a page. */
function isEmpty({ key }: PageAddress, data: PageData): boolean {
  const lists = data.filter(([[, input]]) => input?.pages)
  return key !== '/' && lists.length > 0 && lists.every(isEmptyList)
}

const isEmptyList = ([, reply]: PageEntry) =>
  ((reply as { pages?: unknown[][] } | null)?.pages ?? []).every((page) => page.length === 0)

/** Splits the page before and after its content. */
function split(html: string): Pick<Page, 'start' | 'end'> {
  const at = html.indexOf(ROOT)
  const end = at < 0 ? html.length : at + ROOT.length
  return { start: html.slice(0, end), end: html.slice(end) }
}

async function* chunksOf({ start, content, end }: Page): AsyncGenerator<string> {
  yield start
  if (content) {
    const stream = new PassThrough().setEncoding('utf8')
    content.pipe(stream as never)
    yield* stream
  }
  yield end
}

async function collect(page: Page): Promise<string> {
  let html = ''
  for await (const chunk of chunksOf(page)) html += chunk
  return html
}

function cachingOf(path: string, client: string): string {
  // A browser must notice immediately that the service worker has changed.
  if (path.endsWith('/sw.js')) return 'no-cache'
  return path.includes(`${client}/assets/`) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
}

/** Whether a browser opens the address as a page. */
export function opensPage(request: FastifyRequest): boolean {
  return wantsPage(request) && request.headers.accept?.includes('text/html') === true
}

function wantsPage({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !/^\/(api|assets|files)(\/|$|\?)/.test(url)
}
