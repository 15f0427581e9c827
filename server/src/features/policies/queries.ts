import type { Policy } from '@sought/contract/policies'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import { policyConsents, policyVersions } from '../../platform/back-office-tables.ts'
import type { Db, Tx } from '../../platform/database.ts'
import { users } from '../../platform/schema.ts'

/** Serializes the versions of all policies, which are numbered. */
export async function lockVersions(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('policy_versions', 0))`)
}

/** The latest version of each policy that has one in force. */
export function findInForce(db: Db, now: Date) {
  return db
    .selectDistinctOn([policyVersions.policy])
    .from(policyVersions)
    .where(lte(policyVersions.effectiveFrom, now))
    .orderBy(policyVersions.policy, desc(policyVersions.version))
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

export async function insertVersion(tx: Tx, version: Omit<typeof policyVersions.$inferInsert, 'createdAt'>) {
  const [inserted] = await tx
    .insert(policyVersions)
    .values({ ...version, createdAt: tx.now })
    .returning()
  if (!inserted) throw new Error('insert returned no row')
  return inserted
}

/** Whether it is new: accepting a version again changes nothing. */
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

export async function hasConsent(
  db: Db,
  { userId, policy, version }: { userId: string; policy: Policy; version: number },
): Promise<boolean> {
  const found = await db
    .select({ version: policyConsents.version })
    .from(policyConsents)
    .where(
      and(
        eq(policyConsents.userId, userId),
        eq(policyConsents.policy, policy),
        eq(policyConsents.version, version),
      ),
    )
  return found.length > 0
}
