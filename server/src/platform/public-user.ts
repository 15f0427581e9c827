import { sql } from 'drizzle-orm'
import { removeDirectionMarks } from './direction-marks.ts'
import { users } from './schema.ts'

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

/** The picture that other users see, for statements that do not read the whole row. */
export const shownPicture = sql<
  string | null
>`case when ${users.profileHiddenAt} is null then ${users.profileImageUrl} end`

interface PublicRow extends Named {
  rating: number
  profileImageUrl: string | null
  /** Only in whole rows. Others use `shownPicture`. */
  profileHiddenAt?: Date | null
}

/** The part of a user's profile that other users may see. */
export function asPublicUser(row: PublicRow) {
  const profileImageUrl = row.profileHiddenAt ? null : row.profileImageUrl
  return { id: row.id, name: publicName(row), rating: row.rating, profileImageUrl }
}
