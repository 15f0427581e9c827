import { UserId } from '@sought/contract/fields'
import { paths, previewPaths } from '@sought/contract/paths'
import type { PooledDb } from '../../../database/database.ts'
import type { HeadResult, Site } from '../../../pages/page-head.ts'
import { publicName } from '../../users/public-user.ts'
import * as queries from './queries.ts'
import { standingOf } from './standing.ts'

/** The metadata of a user's public page. */
export async function personPageHead(
  db: PooledDb,
  path: string,
  { publicUrl, market }: Site,
  now: Date,
): Promise<HeadResult> {
  const id = userIdIn(path)
  if (id === null) return null
  const person = UserId.safeParse(id).success ? await queries.readPerson(db, id) : undefined
  if (!person) return 'missing'
  const name = publicName(person)
  const url = publicUrl + paths.user(person.id)
  const pictureUrl = person.profileImageUrl && publicUrl + person.profileImageUrl
  const { rating, ratingCount } = standingOf(person, now)
  return {
    title: name,
    description: `What ${name} is looking for on ${market.name}, and what others say about deals with them.`,
    url,
    imageUrl: pictureUrl ?? publicUrl + previewPaths.default,
    data: {
      '@context': 'https://schema.org',
      '@type': 'ProfilePage',
      url,
      mainEntity: {
        '@type': 'Person',
        name,
        ...(pictureUrl && { image: pictureUrl }),
        ...(ratingCount > 0 && {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: rating,
            ratingCount,
            bestRating: 5,
          },
        }),
      },
    },
  }
}

function userIdIn(path: string): string | null {
  const [, encoded] = /^\/user\/([^/]+)\/?$/.exec(path) ?? []
  if (encoded === undefined) return null
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}
