import { paths } from '@sought/contract/paths'
import fastify from 'fastify'
import { readConfig } from '../server/src/core/config.ts'
import type { Database } from '../server/src/database/database.ts'
import { createMarketReader } from '../server/src/database/market-settings.ts'
import type { Replicas } from '../server/src/database/replicas.ts'
import { serveSitemap } from '../server/src/features/site/sitemap.ts'
import { type Row, report, timeMs } from './measure.ts'

const SITE = 'https://sought.example'
/** The limits of sitemaps.org. */
const MAX_URLS = 50_000
const MAX_BYTES = 50 * 1024 * 1024

const MAP =
  /^<\?xml version="1.0" encoding="UTF-8"\?>\n<(urlset|sitemapindex) xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n((?:<(url|sitemap)>.*<\/\3>\n)*)<\/\1>\n$/
const ENTRY =
  /^<(url|sitemap)><loc>([^<>"'\s]+)<\/loc>(?:<lastmod>(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)<\/lastmod>)?<\/\1>$/

/** Reads the sitemap of all requests as a search engine does, and checks every line of it. */
export async function validateSitemap(database: Database): Promise<boolean> {
  const config = { ...readConfig(), publicUrl: SITE }
  const app = fastify()
  const clock = () => new Date()
  const market = createMarketReader(database.read, clock, 'usd')
  serveSitemap(app, { config, replicas: withoutReplicas(database), clock, market })
  const read = async (url: string) => (await app.inject(url.replace(SITE, ''))).body

  let index = ''
  const indexMs = await timeMs(async () => {
    index = await read('/sitemap.xml')
  })
  const listed: string[] = []
  const parts: { urls: number; bytes: number; ms: number }[] = []
  for (const part of urlsIn(index)) {
    let body = ''
    const ms = await timeMs(async () => {
      body = await read(part)
    })
    const urls = urlsIn(body)
    parts.push({ urls: urls.length, bytes: Buffer.byteLength(body), ms })
    for (const url of urls) listed.push(url)
  }
  await app.close()
  const missing = await findMissing(database, listed)

  const most = (of: 'urls' | 'bytes' | 'ms') => Math.max(...parts.map((part) => part[of]))
  const row = (title: string, value: number, limit: number): Row => ({
    cells: [title, value.toLocaleString('en'), `at most ${limit.toLocaleString('en')}`],
    ok: value <= limit,
  })
  return report(
    `Sitemap of ${listed.length.toLocaleString('en')} URLs in ${parts.length} parts: index in ${Math.round(indexMs)} ms, each part in at most ${Math.round(most('ms'))} ms`,
    ['', 'value', 'limit'],
    [
      row('URLs of a part', most('urls'), MAX_URLS),
      row('bytes of a part', most('bytes'), MAX_BYTES),
      row('URLs that are listed twice', listed.length - new Set(listed).size, 0),
      row('open requests that are missing', missing, 0),
    ],
  )
}

const withoutReplicas = ({ read }: Database): Replicas => ({
  read: (_, work) => work(read),
  awaitChanges() {},
  async close() {},
})

/** The URLs of a sitemap or an index. Throws if it is not one. */
function urlsIn(xml: string): string[] {
  const lines = MAP.exec(xml)?.[2]
  if (lines === undefined) throw new Error(`not a sitemap: ${xml.slice(0, 200)}`)
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, , url, changedAt] = ENTRY.exec(line) ?? []
      if (!url || !URL.canParse(url) || (changedAt && Number.isNaN(Date.parse(changedAt)))) {
        throw new Error(`not an entry of a sitemap: ${line}`)
      }
      return url
    })
}

async function findMissing({ pool }: Database, listed: string[]): Promise<number> {
  const known = new Set(listed)
  const { rows } = await pool.query<{ id: number }>(
    "select id from wanted_items where status = 'open' and expires_at > now()",
  )
  return rows.filter(({ id }) => !known.has(SITE + paths.item(id))).length
}
