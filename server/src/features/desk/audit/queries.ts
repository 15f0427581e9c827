import type { AuditAction } from '@sought/contract/audit'
import { and, desc, eq, lt, or } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Db } from '../../../database/database.ts'
import { auditLog, users } from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'

const actors = alias(users, 'actors')
const subjects = alias(users, 'subjects')

interface Page {
  limit: number
  cursor?: number | undefined
}

export interface AuditFilter extends Page {
  action?: AuditAction | undefined
  userId?: string | undefined
}

const isBefore = (cursor: number | undefined) => (cursor === undefined ? undefined : lt(auditLog.id, cursor))
const isAbout = (userId: string) => or(eq(auditLog.actorId, userId), eq(auditLog.subjectId, userId))

/** Actions of a user and events of their account, newest first. */
export function findEntriesOf(db: Db, userId: string, { limit, cursor }: Page) {
  return db
    .select()
    .from(auditLog)
    .where(and(isAbout(userId), isBefore(cursor)))
    .orderBy(desc(auditLog.id))
    .limit(limit)
}

export function findEntries(db: Db, { action, userId, limit, cursor }: AuditFilter) {
  return db
    .select({ entry: auditLog, actor: publicColumns(actors), subject: publicColumns(subjects) })
    .from(auditLog)
    .leftJoin(actors, eq(actors.id, auditLog.actorId))
    .leftJoin(subjects, eq(subjects.id, auditLog.subjectId))
    .where(
      and(
        action && eq(auditLog.action, action),
        userId === undefined ? undefined : isAbout(userId),
        isBefore(cursor),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(limit)
}
