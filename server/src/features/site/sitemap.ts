import { Readable } from 'node:stream'
import { paths } from '@sought/contract/paths'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { refuse } from '../../core/errors.ts'
import { escaped } from '../../core/escape-html.ts'
import type { Db } from '../../database/database.ts'
import type { Services } from '../../services.ts'
import type { Entry, Part, Range } from './sitemap-queries.ts'
import * as sitemapQueries from './sitemap-queries.ts'

/** A sitemap may list 50,000 URLs. Ours have fewer, which leaves room for additions until the next count. */
const URLS_PER_PART = 40_000
const URLS_MAX = 50_000
/** The number of URLs that are read and sent at a time. */
const BATCH = 5_000
const CACHE_SECONDS = 600

const publicPages = [
  paths.termsOfService(),
  paths.privacyPolicy(),
  paths.refundPolicy(),
  paths.disputeResolution(),
  paths.help(),
]

/**
 * A path without a final slash also covers longer ones. /dispute/ has one because it must not cover
 * /dispute-resolution.
 */
const privatePaths = [
  '/api/',
  '/auth',
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/undo-email/',
  '/unsubscribe',
  '/help/tickets',
  '/post',
  '/my-requests',
  '/my-offers',
  '/messages',
  '/checkout',
  '/escrow-checkout',
  '/payments',
  '/payment-success',
  '/statements/',
  '/seller-setup',
  '/profile',
  '/notifications',
  '/rating',
  '/deal/',
  '/delivery/',
  '/dispute/',
  '/dispute-report',
  '/admin/',
]

interface Url {
  path: string
  changedAt?: Date | null
}

/** A list that is split into parts. */
interface List<Id> {
  findParts(db: Db, now: Date, size: number): Promise<Part<Id>[]>
  findEntries(db: Db, range: Range<Id>): Promise<Entry<Id>[]>
  pathOf(id: Id): string
}

const requests: List<number> = {
  findParts: sitemapQueries.findRequestParts,
  findEntries: sitemapQueries.findOpenRequests,
  pathOf: paths.item,
}

const people: List<string> = {
  findParts: sitemapQueries.findPeopleParts,
  findEntries: sitemapQueries.findPublicPeople,
  pathOf: paths.user,
}

/**
 * robots.txt and the sitemaps for search engines. Lists are split into ranges of ids, which are counted from
 * time to time.
 */
export function serveSitemap(
  app: FastifyInstance,
  { config, replicas, clock, market }: Pick<Services, 'config' | 'replicas' | 'clock' | 'market'>,
  urlsPerPart = URLS_PER_PART,
): void {
  const absolute = (path: string) => escaped(config.publicUrl + path)
  const sendXml = (reply: FastifyReply, body: string | Readable) =>
    reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', `public, max-age=${CACHE_SECONDS}`)
      .send(body)

  const countAgain = () =>
    replicas.read(null, (db) =>
      Promise.all([
        requests.findParts(db, clock(), urlsPerPart),
        people.findParts(db, clock(), urlsPerPart),
        sitemapQueries.findCategoryChanges(db, clock()),
      ]),
    )
  let counted: { until: number; answer: ReturnType<typeof countAgain> } | undefined
  /** Concurrent requests share one count. */
  async function countParts() {
    if (!counted || counted.until <= clock().getTime()) {
      const next = { until: clock().getTime() + CACHE_SECONDS * 1000, answer: countAgain() }
      next.answer.catch(() => {
        if (counted === next) counted = undefined
      })
      counted = next
    }
    const [requestParts, peopleParts, categories] = await counted.answer
    return { requestParts, peopleParts, categories }
  }

  app.get('/robots.txt', (_, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        [
          'User-agent: *',
          ...privatePaths.map((path) => `Disallow: ${path}`),
          `Sitemap: ${config.publicUrl}/sitemap.xml`,
          '',
        ].join('\n'),
      ),
  )

  app.get('/sitemap.xml', async (_, reply) => {
    const { requestParts, peopleParts } = await countParts()
    const maps: Url[] = [
      { path: '/sitemap/pages.xml' },
      ...requestParts.map(({ changedAt }, part) => ({ path: `/sitemap/requests-${part}.xml`, changedAt })),
      ...peopleParts.map((_, part) => ({ path: `/sitemap/people-${part}.xml` })),
    ]
    return sendXml(reply, open('sitemapindex') + entries('sitemap', maps, absolute) + close('sitemapindex'))
  })

  app.get('/sitemap/pages.xml', async (_, reply) => {
    const { categories: used } = await countParts()
    const { categories: known } = await market.read()
    const categories = used.filter(({ category }) => known.includes(category))
    const newest = categories.map(({ changedAt }) => changedAt).sort((a, b) => b.getTime() - a.getTime())[0]
    const urls: Url[] = [
      { path: paths.home(), changedAt: newest ?? null },
      ...categories.map(({ category, changedAt }) => ({ path: paths.home({ category }), changedAt })),
      ...publicPages.map((path) => ({ path })),
    ]
    return sendXml(reply, open('urlset') + entries('url', urls, absolute) + close('urlset'))
  })

  async function* writePart<Id>(list: List<Id>, parts: Part<Id>[], part: number) {
    // The last part also contains everything added since the count.
    const upTo = part === parts.length - 1 ? undefined : parts[part]?.lastId
    let after = parts[part - 1]?.lastId
    yield open('urlset')
    for (let written = 0; written < URLS_MAX; written += BATCH) {
      const range = { after, upTo, limit: BATCH, now: clock() }
      const found = await replicas.read(null, (db) => list.findEntries(db, range))
      const urls = found.map(({ id, changedAt }) => ({ path: list.pathOf(id), changedAt }))
      yield entries('url', urls, absolute)
      if (found.length < BATCH) break
      after = found.at(-1)?.id
    }
    yield close('urlset')
  }

  function sendPart<Id>(reply: FastifyReply, list: List<Id>, parts: Part<Id>[], name: string) {
    if (!/^\d{1,5}$/.test(name) || Number(name) >= parts.length) throw refuse('not_found')
    return sendXml(reply, Readable.from(writePart(list, parts, Number(name))))
  }

  app.get<{ Params: { part: string } }>('/sitemap/requests-:part.xml', async ({ params }, reply) =>
    sendPart(reply, requests, (await countParts()).requestParts, params.part),
  )

  app.get<{ Params: { part: string } }>('/sitemap/people-:part.xml', async ({ params }, reply) =>
    sendPart(reply, people, (await countParts()).peopleParts, params.part),
  )
}

const open = (root: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`

const close = (root: string) => `</${root}>\n`

function entries(element: string, urls: Url[], absolute: (path: string) => string): string {
  const lines = urls.map(({ path, changedAt }) => {
    const changed = changedAt ? `<lastmod>${changedAt.toISOString()}</lastmod>` : ''
    return `<${element}><loc>${absolute(path)}</loc>${changed}</${element}>\n`
  })
  return lines.join('')
}
