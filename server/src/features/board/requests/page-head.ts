import { categorySlug, findCategory } from '@sought/contract/categories'
import { PathId } from '@sought/contract/fields'
import { paths, previewPaths } from '@sought/contract/paths'
import { type ItemStatus, itemStatusAt } from '@sought/escrow/reservation'
import type { PooledDb } from '../../../database/database.ts'
import type { HeadResult, PageHead, Site } from '../../../pages/page-head.ts'
import { previewPath } from './pictures/link-preview.ts'
import * as queries from './queries.ts'

const DESCRIPTION_LENGTH = 200

/** Statuses that search engines may list. A reserved request may open again. */
const LISTED: ReadonlySet<ItemStatus> = new Set(['open', 'reserved'])

/** The metadata of a request's page, for link previews. */
export async function itemPageHead(
  db: PooledDb,
  path: string,
  { publicUrl, market }: Site,
  now: Date,
): Promise<HeadResult> {
  const [, digits] = /^\/item\/([^/]+)\/?$/.exec(path) ?? []
  if (digits === undefined) return null
  const { data: id } = PathId.safeParse(digits)
  const item = id && (await queries.readItem(db, id))
  if (!item) return 'missing'
  if (item.isOwnerDeleted || item.isHidden) return 'gone'
  const isListed = LISTED.has(itemStatusAt({ ...item, expiresAt: new Date(item.expiresAt) }, now))
  const url = publicUrl + paths.item(item.id)
  const imageUrl = publicUrl + previewPath(item, market)
  const title = `Wanted: ${item.title}`
  const description = shorten(item.description)
  return {
    title,
    description,
    url,
    imageUrl,
    noindex: !isListed,
    breadcrumbs: [
      { name: market.name, url: publicUrl + paths.home() },
      ...(market.categories.includes(item.category)
        ? [{ name: item.category, url: publicUrl + paths.home({ category: item.category }) }]
        : []),
      { name: item.title, url },
    ],
    data: {
      '@context': 'https://schema.org',
      '@type': 'Demand',
      name: title,
      description,
      url,
      ...(item.pictureUrl && { image: publicUrl + item.pictureUrl }),
      availabilityStarts: item.createdAt,
      areaServed: item.location,
      itemOffered: { '@type': 'Product', name: item.title, category: item.category },
      ...(item.maxBudget > 0 && {
        priceSpecification: {
          '@type': 'PriceSpecification',
          priceCurrency: item.currency.toUpperCase(),
          minPrice: item.minBudget,
          maxPrice: item.maxBudget,
        },
      }),
    },
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= DESCRIPTION_LENGTH ? line : `${line.slice(0, DESCRIPTION_LENGTH - 1).trimEnd()}…`
}

interface BoardAddress {
  name: string | null
  params: Record<string, string>
  query: Record<string, string>
}

/** The metadata of the board, of a category or of a search. */
export function boardPageHead(
  { name, params, query }: BoardAddress,
  { publicUrl, market }: Site,
): PageHead | 'missing' | null {
  if (name !== 'home' && name !== 'category') return null
  const category = findCategory(market.categories, params.slug ?? categorySlug(query.category ?? ''))
  if (!category && (name === 'category' || query.category)) return 'missing'
  const url = publicUrl + paths.home({ ...query, ...(category && { category }) })
  const base = { url, imageUrl: publicUrl + previewPaths.default }
  if (query.search) {
    const title = query.search
    return { ...base, title, description: `Requests for “${title}” on ${market.name}. Make buyers an offer.` }
  }
  if (category) {
    return {
      ...base,
      title: `${category} wanted`,
      description: `What buyers are looking for in ${category} right now. Make an offer and get paid through escrow.`,
      breadcrumbs: [
        { name: market.name, url: publicUrl + paths.home() },
        { name: category, url: publicUrl + paths.home({ category }) },
      ],
    }
  }
  const { cursor, ...filters } = query
  if (Object.keys(filters).length > 0) return { ...base, title: 'Filtered requests', description: HOME }
  if (cursor) return { ...base, title: 'All requests', description: HOME }
  return {
    ...base,
    title: 'Post what you want',
    tabTitle: `${market.name} · Post what you want`,
    description: HOME,
  }
}

const HOME = 'Post what you want and let sellers come to you. Your money is held in escrow until delivery.'
