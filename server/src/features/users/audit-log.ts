import type { AuditAction } from '@sought/contract/audit'
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm'
import type { Tx } from '../../database/database.ts'
import { auditLog } from '../../database/schema.ts'
import type { Origin } from '../../http/request-origin.ts'

/**
 * Only ids and numbers. Names, addresses and account numbers would outlive the account they belong to (ADR 44).
 */
type Details = Record<string, string | number | boolean>

export interface AuditEntry {
  action: AuditAction
  /** The user who acted. Null for visitors and the command line. */
  actorId: string | null
  /** The user whose account or data was affected, if not the actor. */
  subjectId?: string | null
  origin: Origin
  details?: Details
}

/** The fields for actions of a signed-in user. */
export function by({ id, origin }: { id: string; origin: Origin }) {
  return { actorId: id, origin }
}

/** Adds an entry in the transaction of the recorded action, so that neither exists without the other (ADR 44). */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { action, actorId, subjectId = actorId, origin, details = {} } = entry
  await tx.insert(auditLog).values({ action, actorId, subjectId, ...origin, details, createdAt: tx.now })
}

/**
 * Erases IP addresses and devices from the actions of a deleted account, and from attempts of others to sign in
 * to it.
 */
export async function eraseOrigins(tx: Tx, userId: string): Promise<void> {
  const isActor = eq(auditLog.actorId, userId)
  const isTarget = and(isNull(auditLog.actorId), eq(auditLog.subjectId, userId))
  await tx
    .update(auditLog)
    .set({ ip: null, device: null })
    .where(and(or(isActor, isTarget), isNotNull(auditLog.ip)))
}
