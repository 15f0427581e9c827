import { removeDirectionMarks } from './direction-marks.ts'

interface Named {
  id: string
  firstName: string | null
  lastName: string | null
}

/**
 * The name shown to other users. The spec falls back to the email address, but that is private (ADR 16), so a user
 * without a name is shown by their id.
 */
export function publicName({ id, firstName, lastName }: Named): string {
  return removeDirectionMarks(
    firstName && lastName ? `${firstName} ${lastName}` : firstName || lastName || id,
  )
}

/** What other users may see of a user. */
export function asPublicUser<Row extends Named & { rating: number; profileImageUrl: string | null }>(
  row: Row,
) {
  return { id: row.id, name: publicName(row), rating: row.rating, profileImageUrl: row.profileImageUrl }
}
