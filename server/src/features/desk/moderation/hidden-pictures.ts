import { and, eq, ne, or } from 'drizzle-orm'
import type { Db } from '../../../database/database.ts'
import { type files, moderationCases } from '../../../database/schema.ts'
import { FILES_PATH } from '../../../files/stored-files.ts'
import type { User } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { findStaffRole, needsSecondFactor } from '../../identity/accounts/actions.ts'

type HiddenFile = Pick<typeof files.$inferSelect, 'id' | 'ownerId'>

/** Moderators and admins see a hidden public picture while a case about it or its owner's profile is open. */
export async function mayReadHidden(
  { database, config }: Pick<Services, 'database' | 'config'>,
  file: HiddenFile,
  user: Pick<User, 'id'>,
): Promise<boolean> {
  const role = await findStaffRole(database.read, user.id)
  if (role !== 'admin' && role !== 'moderator') return false
  if (await needsSecondFactor(database.read, config, user.id)) return false
  return hasOpenCase(database.read, file, user)
}

async function hasOpenCase(db: Db, { id, ownerId }: HiddenFile, user: Pick<User, 'id'>): Promise<boolean> {
  const { kind, targetId, personId, status } = moderationCases
  const found = await db
    .select({ id: moderationCases.id })
    .from(moderationCases)
    .where(
      and(
        eq(status, 'open'),
        ne(personId, user.id),
        or(
          and(eq(kind, 'picture'), eq(targetId, FILES_PATH + id)),
          and(eq(kind, 'profile'), eq(targetId, ownerId ?? '')),
        ),
      ),
    )
    .limit(1)
  return found.length > 0
}
