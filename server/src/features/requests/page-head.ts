import { PathId } from '@sought/contract/fields'
import { paths } from '@sought/contract/paths'
import type { Db } from '../../platform/database.ts'
import type { PageHead } from '../../platform/page-head.ts'
import { previewPath } from './link-preview.ts'
import { findItem } from './queries.ts'

const DESCRIPTION_LENGTH = 200

/** The metadata of a request's page, for link previews. */
export async function itemPageHead(
  db: Db,
  path: string,
  { publicUrl, currency }: { publicUrl: string; currency: string },
): Promise<PageHead | 'missing' | null> {
  const [, digits] = /^\/item\/([^/]+)\/?$/.exec(path) ?? []
  if (digits === undefined) return null
  const { data: id } = PathId.safeParse(digits)
  const item = id && (await findItem(db, id))
  if (!item) return 'missing'
  const url = publicUrl + paths.item(item.id)
  const imageUrl = publicUrl + previewPath(item)
  const title = `Wanted: ${item.title}`
  const description = shorten(item.description)
  return {
    title,
    description,
    url,
    imageUrl,
    data: {
      '@context': 'https://schema.org',
      '@type': 'Demand',
      name: title,
      description,
      url,
      ...(item.pictureUrl && { image: publicUrl + item.pictureUrl }),
      availabilityStarts: item.createdAt.toISOString(),
      areaServed: item.location,
      itemOffered: { '@type': 'Product', name: item.title, category: item.category },
      ...(item.maxBudget > 0 && {
        priceSpecification: {
          '@type': 'PriceSpecification',
          priceCurrency: currency.toUpperCase(),
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
