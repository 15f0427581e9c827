import { inOneDirection } from '../../platform/one-direction.ts'
import type { User } from '../../platform/session.ts'

interface Named {
  id: string
  firstName: string | null
  lastName: string | null
}

/**
 * What others may call a person. The spec's rule ends in the e-mail address, but that belongs to its
 * owner alone (ADR 16), so that for others an unnamed person goes by their id.
 */
export function publicName({ id, firstName, lastName }: Named): string {
  return inOneDirection(firstName && lastName ? `${firstName} ${lastName}` : firstName || lastName || id)
}

export function asPublicUser<Row extends Named & { rating: number; profileImageUrl: string | null }>(
  row: Row,
) {
  return { id: row.id, name: publicName(row), rating: row.rating, profileImageUrl: row.profileImageUrl }
}

/** A person as they see themselves. */
export function asCurrentUser(user: User) {
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ') || user.email || user.id
  return { ...user, name, email: user.email ?? '' }
}
