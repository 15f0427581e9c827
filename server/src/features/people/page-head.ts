import { paths } from '@sought/contract/paths'
import type { Db } from '../../platform/database.ts'
import type { PageHead } from '../../platform/page-head.ts'
import { publicName } from '../../platform/public-user.ts'
import { findPerson } from './queries.ts'

/** The head of a person's page; a page of nobody is missing. */
export async function personPageHead(
  db: Db,
  path: string,
  { publicUrl }: { publicUrl: string },
): Promise<PageHead | 'missing' | null> {
  const id = idIn(path)
  if (id === null) return null
  const person = id.includes('\0') ? undefined : await findPerson(db, id)
  if (!person) return 'missing'
  const name = publicName(person)
  const url = publicUrl + paths.user(person.id)
  const imageUrl = person.profileImageUrl && publicUrl + person.profileImageUrl
  return {
    title: name,
    description: `What ${name} is looking for on Sought, and what buyers say.`,
    url,
    imageUrl,
    data: {
      '@context': 'https://schema.org',
      '@type': 'ProfilePage',
      url,
      mainEntity: { '@type': 'Person', name, ...(imageUrl && { image: imageUrl }) },
    },
  }
}

function idIn(path: string): string | null {
  const [, written] = /^\/user\/([^/]+)\/?$/.exec(path) ?? []
  if (written === undefined) return null
  try {
    return decodeURIComponent(written)
  } catch {
    return written
  }
}
