import { CONSENT_POLICIES, type Policy } from '@sought/contract/constants'
import type { publishPolicy as publishPolicyCall } from '@sought/contract/policies'
import type * as z from 'zod/mini'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { findPoliciesInForce } from '../../../database/market-settings.ts'
import { insertRow } from '../../../database/rows.ts'
import { policyVersions } from '../../../database/schema.ts'
import type { Actor } from '../../../http/session.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser } from '../../users/public-user.ts'
import * as queries from './queries.ts'

export { findConsents as consentsOf } from './queries.ts'

const BUILT_IN = { version: 0, effectiveFrom: null, text: null }

/** The version in force. The texts built into the app are version 0. */
export async function readPolicy(db: Db, policy: Policy, now: Date) {
  const { version, effectiveFrom, text } = (await queries.findInForce(db, policy, now)) ?? BUILT_IN
  return { policy, version, effectiveFrom, text }
}

export async function listVersions(db: Db) {
  const versions = await queries.findVersions(db)
  return versions.map(({ version, createdBy }) => ({
    ...version,
    createdBy: createdBy && asPublicUser(createdBy),
  }))
}

/** A version applies from its start time. Published texts are never changed. */
export async function publishPolicy(
  tx: Tx,
  policy: Policy,
  form: z.output<typeof publishPolicyCall.body>,
  admin: Actor,
) {
  await queries.lockVersions(tx)
  const effectiveFrom = form.effectiveFrom === undefined ? tx.now : new Date(form.effectiveFrom)
  if (effectiveFrom < tx.now)
    throw refuse('invalid', { issues: [{ path: 'effectiveFrom', message: 'Must not be in the past' }] })
  const version = (await queries.findLatestVersion(tx, policy)) + 1
  const published = await insertRow(tx, policyVersions, {
    policy,
    version,
    text: form.text,
    effectiveFrom,
    createdBy: admin.id,
    createdAt: tx.now,
  })
  await recordAudit(tx, { action: 'policy_published', ...by(admin), details: { policy, version } })
  return { ...published, createdBy: asPublicUser(admin) }
}

export async function acceptPolicy(tx: Tx, policy: Policy, version: number, user: Actor) {
  const inForce = await readPolicy(tx, policy, tx.now)
  if (inForce.version !== version) throw refuse('policy_not_in_force')
  if (await queries.insertConsent(tx, { userId: user.id, policy, version }))
    await recordAudit(tx, { action: 'policy_accepted', ...by(user), details: { policy, version } })
  return { ok: true as const }
}

/** Signing up accepts the versions in force. */
export async function recordConsentOfNewUser(tx: Tx, userId: string): Promise<void> {
  for (const { policy, version } of await findWithConsent(tx, tx.now))
    await queries.insertConsent(tx, { userId, policy, version })
}

/** The policies that the user still has to accept. */
export async function findToAccept(db: Db, userId: string, now: Date) {
  const inForce = await findWithConsent(db, now)
  if (inForce.length === 0) return []
  const accepted = await queries.findConsents(db, userId)
  return inForce.filter(
    ({ policy, version }) => !accepted.some((it) => it.policy === policy && it.version === version),
  )
}

/** Required for new obligations, such as an offer. Existing deals can be completed without it. */
export async function requireConsent(tx: Tx, userId: string): Promise<void> {
  const toAccept = await findToAccept(tx, userId, tx.now)
  if (toAccept.length > 0) throw refuse('policy_not_accepted')
}

type ConsentPolicy = (typeof CONSENT_POLICIES)[number]

export const needsConsent = (policy: Policy): policy is ConsentPolicy =>
  CONSENT_POLICIES.some((it) => it === policy)

/** Empty if the market uses only the built-in texts. */
async function findWithConsent(db: Db, now: Date) {
  const inForce = await findPoliciesInForce(db, now)
  return inForce.flatMap(({ policy, ...rest }) => (needsConsent(policy) ? [{ policy, ...rest }] : []))
}
