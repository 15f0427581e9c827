import type { Policy } from '@sought/contract/constants'
import { and, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { policyConsents, policyVersions, users } from '../../../database/schema.ts'

/** Serializes new versions of all policies, because versions are numbered. */
export async function lockVersions(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('policy_versions', 0))`)
}

export async function findInForce(db: Db, policy: Policy, now: Date) {
  const [inForce] = await db
    .select()
    .from(policyVersions)
    .where(and(eq(policyVersions.policy, policy), lte(policyVersions.effectiveFrom, now)))
    .orderBy(desc(policyVersions.version))
    .limit(1)
  return inForce
}

export function findVersions(db: Db) {
  return db
    .select({ version: policyVersions, createdBy: users })
    .from(policyVersions)
    .leftJoin(users, eq(users.id, policyVersions.createdBy))
    .orderBy(desc(policyVersions.id))
}

export async function findLatestVersion(tx: Tx, policy: Policy): Promise<number> {
  const [latest] = await tx
    .select({ version: policyVersions.version })
    .from(policyVersions)
    .where(eq(policyVersions.policy, policy))
    .orderBy(desc(policyVersions.version))
    .limit(1)
  return latest?.version ?? 0
}

/** Returns false if the user had accepted the version before. */
export async function insertConsent(
  tx: Tx,
  consent: { userId: string; policy: Policy; version: number },
): Promise<boolean> {
  const inserted = await tx
    .insert(policyConsents)
    .values({ ...consent, createdAt: tx.now })
    .onConflictDoNothing()
    .returning({ version: policyConsents.version })
  return inserted.length > 0
}

export function findConsents(db: Db, userId: string) {
  const { policy, version, createdAt } = policyConsents
  return db
    .select({ policy, version, createdAt })
    .from(policyConsents)
    .where(eq(policyConsents.userId, userId))
    .orderBy(createdAt, policy, version)
}

/** The oldest version in force that was not announced to everybody, unless another process is announcing it. */
export async function lockVersionToNotify(tx: Tx) {
  const [due] = await tx
    .select()
    .from(policyVersions)
    .where(and(isNull(policyVersions.notifiedAt), lte(policyVersions.effectiveFrom, tx.now)))
    .orderBy(policyVersions.id)
    .limit(1)
    .for('update', { skipLocked: true })
  return due
}

/** The oldest scheduled version that was not announced yet, unless another process is announcing it. */
export async function lockVersionToAnnounce(tx: Tx) {
  const [scheduled] = await tx
    .select()
    .from(policyVersions)
    .where(and(isNull(policyVersions.announcedAt), gt(policyVersions.effectiveFrom, tx.now)))
    .orderBy(policyVersions.id)
    .limit(1)
    .for('update', { skipLocked: true })
  return scheduled
}

type Version = typeof policyVersions.$inferSelect

/** In the order of their ids. */
export function findUsersToNotify(tx: Tx, { policy, version }: Version, after: string, limit: number) {
  const consent = and(
    eq(policyConsents.userId, users.id),
    eq(policyConsents.policy, policy),
    eq(policyConsents.version, version),
  )
  return tx
    .select({ id: users.id, hasAccepted: sql<boolean>`${policyConsents.userId} is not null` })
    .from(users)
    .leftJoin(policyConsents, consent)
    .where(and(gt(users.id, after), isNull(users.deletedAt)))
    .orderBy(users.id)
    .limit(limit)
}

export async function updateProgress(
  tx: Tx,
  id: number,
  progress: Partial<Pick<Version, 'notifiedUpTo' | 'notifiedAt' | 'announcedUpTo' | 'announcedAt'>>,
): Promise<void> {
  await tx.update(policyVersions).set(progress).where(eq(policyVersions.id, id))
}
