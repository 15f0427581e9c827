import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Currency } from '@sought/contract/currencies'
import { PathId } from '@sought/contract/fields'
import type { MarketSettings } from '@sought/contract/market-settings'
import { formatBudget } from '@sought/contract/money'
import { previewPaths } from '@sought/contract/paths'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../../../core/errors.ts'
import { renderPreview } from '../../../../files/images.ts'
import { FILES_PATH } from '../../../../files/stored-files.ts'
import { addressKey } from '../../../../http/limits.ts'
import type { Services } from '../../../../services.ts'
import { findPreviewedItem } from '../queries.ts'

/** The data of a request that its link preview shows. */
export interface PreviewedItem {
  id: number
  title: string
  category: string
  location: string
  minBudget: number
  maxBudget: number
  currency: Currency
  pictureUrl: string | null
}

type Brand = Pick<MarketSettings, 'name' | 'accentColor'>

const VERSION_LENGTH = 10

/** The address changes whenever the picture does, so sites that show links may keep it forever (ADR 69). */
export function previewPath(item: PreviewedItem, market: Brand): string {
  return previewPaths.item(item.id, versionOf(item, market))
}

function versionOf(item: PreviewedItem, { name, accentColor }: Brand): string {
  const { title, category, location, minBudget, maxBudget, currency, pictureUrl } = item
  const shown = [name, accentColor, title, category, location, minBudget, maxBudget, currency, pictureUrl]
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, VERSION_LENGTH)
}

/** About 100 kB each. */
const KEPT_PICTURES_MAX = 200

/** Serves the pictures of link previews. They are drawn on request, and the latest are cached in memory. */
export function serveLinkPreviews(app: FastifyInstance, services: Services): void {
  const { replicas, limits, files, market } = services
  const kept = new Map<string, Promise<Buffer>>()

  async function readPhoto(pictureUrl: string | null): Promise<Buffer | null> {
    const file = pictureUrl && (await files.get(pictureUrl.slice(FILES_PATH.length)))
    return file ? buffer(file.stream) : null
  }

  async function draw(item: PreviewedItem, { name: brand, accentColor }: Brand): Promise<Buffer> {
    const preview = {
      brand,
      accentColor,
      overline: ['Wanted', item.category, item.location],
      title: item.title,
      tag: formatBudget(item, item.currency),
    }
    return renderPreview(preview, await readPhoto(item.pictureUrl))
  }

  /** Concurrent requests share one drawing. If the cache is full, the oldest picture is removed. */
  function keep(path: string, drawn: Promise<Buffer>): Promise<Buffer> {
    kept.set(path, drawn)
    drawn.catch(() => kept.delete(path))
    const [oldest] = kept.keys()
    if (oldest && kept.size > KEPT_PICTURES_MAX) kept.delete(oldest)
    return drawn
  }

  app.get<{ Params: { name: string } }>('/og/item/:name', async (request, reply) => {
    const [, digits] = /^(\d{1,10})-\w{1,20}\.png$/.exec(request.params.name) ?? []
    const { data: id } = PathId.safeParse(digits)
    const item = await replicas.read(null, async (db) => {
      const found = id && (await findPreviewedItem(db, id))
      if (!found) throw refuse('not_found')
      return found
    })
    const brand = await market.read()
    const path = previewPath(item, brand)
    if (path !== request.url) return reply.header('cache-control', 'no-cache').redirect(path)
    if (!kept.has(path)) await limits.previewsByAddress.count(addressKey(request.ip))
    const picture = await (kept.get(path) ?? keep(path, draw(item, brand)))
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(picture)
  })
}
