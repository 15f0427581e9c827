import { paths } from '@sought/contract/paths'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../platform/errors.ts'
import type { Services } from '../../platform/services.ts'
import { findNewestItemId, findOpenItemIds } from './queries.ts'

/** A sitemap may list at most 50,000 URLs. Each of ours covers a range of request ids. */
const IDS_PER_MAP = 40_000

const publicPages = [
  paths.home(),
  paths.termsOfService(),
  paths.privacyPolicy(),
  paths.refundPolicy(),
  paths.disputeResolution(),
]

const privatePaths = [
  '/api/',
  '/messages',
  '/payments',
  '/profile',
  '/checkout',
  '/escrow-checkout',
  '/admin/',
]

/** robots.txt and the sitemaps for search engines. */
export function serveSitemap(app: FastifyInstance, { config, database, clock }: Services): void {
  const absoluteUrl = (path: string) => config.publicUrl + path

  app.get('/robots.txt', (_, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        [
          'User-agent: *',
          ...privatePaths.map((path) => `Disallow: ${path}`),
          `Sitemap: ${absoluteUrl('/sitemap.xml')}`,
          '',
        ].join('\n'),
      ),
  )

  app.get('/sitemap.xml', async (_, reply) => {
    const maps = Math.ceil((await findNewestItemId(database.read)) / IDS_PER_MAP)
    const urls = ['/sitemap/pages.xml', ...Array.from({ length: maps }, (_, map) => `/sitemap/${map}.xml`)]
    return reply.type('application/xml').send(xml('sitemapindex', 'sitemap', urls.map(absoluteUrl)))
  })

  app.get('/sitemap/pages.xml', (_, reply) =>
    reply.type('application/xml').send(xml('urlset', 'url', publicPages.map(absoluteUrl))),
  )

  app.get<{ Params: { map: string } }>('/sitemap/:map.xml', async (request, reply) => {
    if (!/^\d{1,5}$/.test(request.params.map)) throw refuse('not_found')
    const first = Number(request.params.map) * IDS_PER_MAP
    const ids = await findOpenItemIds(database.read, clock(), first, first + IDS_PER_MAP)
    const urls = ids.map((id) => absoluteUrl(paths.item(id)))
    return reply.type('application/xml').send(xml('urlset', 'url', urls))
  })
}

function xml(root: string, entry: string, urls: string[]): string {
  const entries = urls.map((url) => `<${entry}><loc>${url}</loc></${entry}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</${root}>
`
}
