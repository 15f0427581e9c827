import { sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { removeDirectionMarks } from '../../core/direction-marks.ts'
import { users } from '../../database/schema.ts'

interface Named {
  id: string
  firstName: string | null
  lastName: string | null
}

/** The name shown to other users. Email addresses are private (ADR 16), so a user without a name is shown by their id. */
export function publicName({ id, firstName, lastName }: Named): string {
  return removeDirectionMarks(
    firstName && lastName ? `${firstName} ${lastName}` : firstName || lastName || id,
  )
}

/** The picture that other users see. */
export const shownPicture = sql<
  string | null
>`case when ${users.profileHiddenAt} is null then ${users.profileImageUrl} end`

interface PublicRow extends Named {
  rating: number
  profileImageUrl: string | null
  /** Missing in rows with `shownPicture`. */
  profileHiddenAt?: Date | null
}

type PublicColumn = 'id' | 'firstName' | 'lastName' | 'rating' | 'profileImageUrl' | 'profileHiddenAt'

/** The columns that `asPublicUser` needs, of the users or of an alias. Rows of users are wide, and lists repeat them. */
export function publicColumns<Person extends Record<PublicColumn, PgColumn>>(person: Person) {
  const { id, firstName, lastName, rating, profileImageUrl, profileHiddenAt } = person
  const columns = { id, firstName, lastName, rating, profileImageUrl, profileHiddenAt }
  return columns as Pick<Person, PublicColumn>
}

/** The part of a user's profile that other users may see. */
export function asPublicUser(row: PublicRow) {
  const profileImageUrl = row.profileHiddenAt ? null : row.profileImageUrl
  return { id: row.id, name: publicName(row), rating: row.rating, profileImageUrl }
}
