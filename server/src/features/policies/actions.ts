import {
  CONSENT_POLICIES,
  type Policy,
  type publishPolicy as publishPolicyCall,
} from '@sought/contract/policies'
import type * as z from 'zod/mini'
import { by, recordAudit } from '../../platform/audit.ts'
import type { Db, Tx } from '../../platform/database.ts'
import { refuse } from '../../platform/errors.ts'
import { asPublicUser } from '../../platform/public-user.ts'
import type { Actor } from '../../platform/session.ts'
import {
  findConsents,
  findInForce,
  findLatestVersion,
  findVersions,
  hasConsent,
  insertConsent,
  insertVersion,
  lockVersions,
} from './queries.ts'

export { findConsents as consentsOf }

const BUILT_IN = { version: 0, effectiveFrom: null, text: null }

/** The version in force. The texts of the app are version 0. */
export async function readPolicy(db: Db, policy: Policy, now: Date) {
  const inForce = await findInForce(db, now)
  const { version, effectiveFrom, text } = inForce.find((it) => it.policy === policy) ?? BUILT_IN
  return { policy, version, effectiveFrom, text }
}

export async function listVersions(db: Db) {
  const versions = await findVersions(db)
  return versions.map(({ version, createdBy }) => ({
    ...version,
    createdBy: createdBy && asPublicUser(createdBy),
  }))
}

/** A version counts from its time on. Published texts are never changed. */
export async function publishPolicy(
  tx: Tx,
  policy: Policy,
  form: z.output<typeof publishPolicyCall.body>,
  admin: Actor,
) {
  await lockVersions(tx)
  const effectiveFrom = form.effectiveFrom === undefined ? tx.now : new Date(form.effectiveFrom)
  if (effectiveFrom < tx.now)
    throw refuse('invalid', { issues: [{ path: 'effectiveFrom', message: 'Must not be in the past' }] })
  const version = (await findLatestVersion(tx, policy)) + 1
  const published = await insertVersion(tx, {
    policy,
    version,
    text: form.text,
    effectiveFrom,
    createdBy: admin.id,
  })
  await recordAudit(tx, { action: 'policy_published', ...by(admin), details: { policy, version } })
  return { ...published, createdBy: asPublicUser(admin) }
}

export async function acceptPolicy(tx: Tx, policy: Policy, version: number, user: Actor) {
  const inForce = await readPolicy(tx, policy, tx.now)
  if (inForce.version !== version) throw refuse('policy_not_in_force')
  if (await insertConsent(tx, { userId: user.id, policy, version }))
    await recordAudit(tx, { action: 'policy_accepted', ...by(user), details: { policy, version } })
  return { ok: true as const }
}

/** Whoever opens an account accepts the versions in force. */
export async function recordConsentOfNewUser(tx: Tx, userId: string): Promise<void> {
  for (const { policy, version } of await findToAccept(tx))
    await insertConsent(tx, { userId, policy, version })
}

/** For what a user newly binds themselves to. Deals that exist can be finished without it. */
export async function requireConsent(tx: Tx, userId: string): Promise<void> {
  for (const { policy, version } of await findToAccept(tx))
    if (!(await hasConsent(tx, { userId, policy, version }))) throw refuse('policy_not_accepted')
}

/** Nothing if the market uses only the built-in texts. */
async function findToAccept(tx: Tx) {
  const inForce = await findInForce(tx, tx.now)
  return inForce.filter(({ policy }) => CONSENT_POLICIES.some((it) => it === policy))
}
