import type { AuditAction } from '@sought/contract/audit'
import { and, eq, isNotNull, isNull, or } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Tx } from './database.ts'
import { deviceName } from './device-name.ts'
import { auditLog } from './schema.ts'

/** From where somebody acted. */
export interface Origin {
  ip: string | null
  device: string
}

/** Ids and numbers only. Names, addresses and account numbers would outlive the account they belong to (ADR 44). */
type Details = Record<string, string | number | boolean>

export interface AuditEntry {
  action: AuditAction
  /** Who acted. Null for somebody who is not signed in, and for the command line. */
  actorId: string | null
  /** Whose account or data it was, if not the actor's own. */
  subjectId?: string | null
  origin: Origin
  details?: Details
}

export const COMMAND_LINE: Origin = { ip: null, device: 'Command line' }

export function originOf(request: FastifyRequest): Origin {
  return { ip: request.ip, device: deviceName(request.headers['user-agent'] ?? '') }
}

/** For entries about what a signed-in user does. */
export function by({ id, origin }: { id: string; origin: Origin }) {
  return { actorId: id, origin }
}

/** Adds an entry in the transaction of what it records, so that neither exists without the other (ADR 44). */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  const { action, actorId, subjectId = actorId, origin, details = {} } = entry
  await tx.insert(auditLog).values({ action, actorId, subjectId, ...origin, details, createdAt: tx.now })
}

/** Removes from where a deleted account acted, and from where others tried to sign in to it. */
export async function eraseOrigins(tx: Tx, userId: string): Promise<void> {
  const isActor = eq(auditLog.actorId, userId)
  const isTarget = and(isNull(auditLog.actorId), eq(auditLog.subjectId, userId))
  await tx
    .update(auditLog)
    .set({ ip: null, device: null })
    .where(and(or(isActor, isTarget), isNotNull(auditLog.ip)))
}
