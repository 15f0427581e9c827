import { paths } from '@sought/contract/paths'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../platform/errors.ts'
import type { Services } from '../../platform/services.ts'
import { newestItemId, openItemIds } from './queries.ts'

/** A sitemap may hold 50,000 addresses; each of ours holds the requests of a range of ids. */
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

/** What search engines ask for: what they may read, and where it is. */
export function serveSitemap(app: FastifyInstance, { config, database }: Services): void {
  const absolute = (path: string) => config.publicUrl + path

  app.get('/robots.txt', (_, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        [
          'User-agent: *',
          ...privatePaths.map((path) => `Disallow: ${path}`),
          `Sitemap: ${absolute('/sitemap.xml')}`,
          '',
        ].join('\n'),
      ),
  )

  app.get('/sitemap.xml', async (_, reply) => {
    const maps = Math.ceil((await newestItemId(database.read)) / IDS_PER_MAP)
    const addresses = [
      '/sitemap/pages.xml',
      ...Array.from({ length: maps }, (_, map) => `/sitemap/${map}.xml`),
    ]
    return reply.type('application/xml').send(xml('sitemapindex', 'sitemap', addresses.map(absolute)))
  })

  app.get('/sitemap/pages.xml', (_, reply) =>
    reply.type('application/xml').send(xml('urlset', 'url', publicPages.map(absolute))),
  )

  app.get<{ Params: { map: string } }>('/sitemap/:map.xml', async (request, reply) => {
    if (!/^\d{1,5}$/.test(request.params.map)) throw refuse('not_found')
    const first = Number(request.params.map) * IDS_PER_MAP
    const ids = await openItemIds(database.read, first, first + IDS_PER_MAP)
    const addresses = ids.map((id) => absolute(paths.item(id)))
    return reply.type('application/xml').send(xml('urlset', 'url', addresses))
  })
}

function xml(root: string, entry: string, addresses: string[]): string {
  const entries = addresses.map((address) => `<${entry}><loc>${address}</loc></${entry}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>
<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('\n')}
</${root}>
`
}
