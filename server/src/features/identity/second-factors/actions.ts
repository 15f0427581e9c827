import type { AuditAction } from '@sought/contract/audit'
import type { NewPasskey, PASSKEY_PURPOSES, PasskeyUse } from '@sought/contract/second-factors'
import type * as z from 'zod/mini'
import type { Encryption } from '../../../core/encryption.ts'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import { updateRows } from '../../../database/rows.ts'
import { totpFactors } from '../../../database/schema.ts'
import type { Origin } from '../../../http/request-origin.ts'
import { enqueueAccountEmail } from '../../notifications/enqueue-emails.ts'
import { recordAudit } from '../../users/audit-log.ts'
import {
  createRecoveryCodes,
  newTotpSecret,
  periodOf,
  plainCode,
  totpOwner,
  totpUri,
  useCode,
} from './codes.ts'
import { secondFactorAddedEmail, secondFactorRemovedEmail } from './emails.ts'
import { registrationOptions, type Site, usageOptions, usePasskey, verifyNewPasskey } from './passkeys.ts'
import * as queries from './queries.ts'

const PASSKEYS_MAX = 20

/** The user who changes their factors, and from where. */
export interface Owner {
  id: string
  origin: Origin
}

/** The second factors that a sign-in or a confirmation can use. Empty if the user has none. */
export async function secondFactorsOf(db: Db, userId: string): Promise<('totp' | 'passkey')[]> {
  const has = await queries.findFactorKinds(db, userId)
  return (['totp', 'passkey'] as const).filter((kind) => has[kind])
}

export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  return (await secondFactorsOf(db, userId)).length > 0
}

export async function readSecondFactors(db: Db, userId: string) {
  const { totp } = await queries.findFactorKinds(db, userId)
  return {
    totp,
    passkeys: await queries.findPasskeys(db, userId),
    recoveryCodesLeft: await queries.countCodes(db, userId),
  }
}

/** A code or a passkey, as sent with a sign-in or a confirmation. */
export interface GivenFactor {
  code?: string | undefined
  passkey?: z.output<typeof PasskeyUse> | undefined
}

interface Checks {
  encryption: Encryption
  site: Site
}

/** Refuses a second factor that is wrong or was used before. The account is locked first. */
export async function useSecondFactor(
  tx: Tx,
  { encryption, site }: Checks,
  owner: Owner,
  { code, passkey }: GivenFactor,
  purpose: 'second_factor' | 'confirm',
): Promise<void> {
  if (passkey) {
    await usePasskey(tx, site, passkey, { purpose, userId: owner.id })
    return
  }
  const used = await useCode(tx, encryption, owner.id, code ?? '')
  if (!used) throw refuse('wrong_code')
  if (used === 'recovery_code') await record(tx, owner, 'recovery_code_used')
}

/** Returns the owner of the passkey, whose account is locked first, as everywhere. */
export async function usePasskeyToSignIn(
  tx: Tx,
  site: Site,
  passkey: z.output<typeof PasskeyUse>,
): Promise<string> {
  const ownerId = await queries.findOwnerOf(tx, passkey.id)
  if (ownerId) await queries.lockOwner(tx, ownerId)
  return usePasskey(tx, site, passkey, { purpose: 'sign_in', userId: null })
}

export function passkeyOptions(
  tx: Tx,
  site: Site,
  wanted: { purpose: (typeof PASSKEY_PURPOSES)[number]; userId: string | null },
) {
  return usageOptions(tx, site, wanted)
}

export async function startTotp(tx: Tx, encryption: Encryption, owner: Owner, marketName: string) {
  const { email } = await lock(tx, owner)
  const secret = newTotpSecret()
  const sealed = await encryption.seal(secret, totpOwner(owner.id))
  if (!(await queries.saveTotp(tx, owner.id, sealed))) throw refuse('totp_enabled')
  return { secret, uri: totpUri(secret, email, marketName) }
}

/**
 * The first code only proves that the app works. It is not used up, so that the user can sign in with it
 * immediately.
 */
export async function enableTotp(tx: Tx, encryption: Encryption, owner: Owner, code: string) {
  const { email } = await lock(tx, owner)
  const factor = await queries.findTotp(tx, owner.id)
  if (!factor) throw refuse('totp_not_started')
  if (factor.enabledAt) throw refuse('totp_enabled')
  const secret = await encryption.open(factor.secret, totpOwner(owner.id))
  if (periodOf(plainCode(code), secret, tx.now) === null) throw refuse('wrong_code')
  await updateRows(tx, totpFactors, { userId: owner.id }, { enabledAt: tx.now })
  await record(tx, owner, 'totp_enabled')
  await enqueueAccountEmail(tx, secondFactorAddedEmail, { userId: owner.id, address: email })
  return { recoveryCodes: await createRecoveryCodes(tx, owner.id) }
}

export async function disableTotp(tx: Tx, owner: Owner) {
  const { email } = await lock(tx, owner)
  if (await queries.deleteTotp(tx, owner.id)) {
    await record(tx, owner, 'totp_disabled')
    await enqueueAccountEmail(tx, secondFactorRemovedEmail, { userId: owner.id, address: email })
    await removeUnneededCodes(tx, owner.id)
  }
  return { ok: true as const }
}

export async function replaceRecoveryCodes(tx: Tx, owner: Owner) {
  await lock(tx, owner)
  if (!(await hasSecondFactor(tx, owner.id))) throw refuse('no_second_factor')
  await record(tx, owner, 'recovery_codes_replaced')
  return { recoveryCodes: await createRecoveryCodes(tx, owner.id) }
}

export async function startPasskey(tx: Tx, site: Site & { name: string }, owner: Owner) {
  const { email } = await lock(tx, owner)
  await refuseTooManyPasskeys(tx, owner.id)
  return registrationOptions(tx, site, { id: owner.id, email })
}

export async function addPasskey(tx: Tx, site: Site, owner: Owner, response: z.output<typeof NewPasskey>) {
  const { email } = await lock(tx, owner)
  await refuseTooManyPasskeys(tx, owner.id)
  const isFirst = !(await hasSecondFactor(tx, owner.id))
  const verified = await verifyNewPasskey(tx, site, response, owner.id)
  const passkey = await queries.insertPasskey(tx, {
    ...verified,
    userId: owner.id,
    name: owner.origin.device,
  })
  if (!passkey) throw refuse('passkey_refused')
  await record(tx, owner, 'passkey_added')
  await enqueueAccountEmail(tx, secondFactorAddedEmail, { userId: owner.id, address: email })
  return { passkey, recoveryCodes: isFirst ? await createRecoveryCodes(tx, owner.id) : null }
}

export async function renamePasskey(tx: Tx, owner: Owner, id: string, name: string) {
  const passkey = await queries.updatePasskey(tx, { id, userId: owner.id }, { name })
  if (!passkey) throw refuse('passkey_not_found')
  await record(tx, owner, 'passkey_renamed')
  return passkey
}

export async function deletePasskey(tx: Tx, owner: Owner, id: string) {
  const { email } = await lock(tx, owner)
  if (!(await queries.deletePasskeys(tx, owner.id, id))) throw refuse('passkey_not_found')
  await record(tx, owner, 'passkey_removed')
  await enqueueAccountEmail(tx, secondFactorRemovedEmail, { userId: owner.id, address: email })
  await removeUnneededCodes(tx, owner.id)
  return { ok: true as const }
}

/** For an account that is being deleted, or that somebody other than the owner of its address may have created. */
export async function removeSecondFactors(tx: Tx, userId: string): Promise<void> {
  await queries.deleteTotp(tx, userId)
  await queries.deletePasskeys(tx, userId)
  await queries.deleteCodes(tx, userId)
}

/** For an account that its owner has recovered: somebody else may have added these factors. */
export async function removeSecondFactorsSince(tx: Tx, userId: string, since: Date): Promise<void> {
  await queries.deleteFactorsSince(tx, userId, since)
  await removeUnneededCodes(tx, userId)
}

async function lock(tx: Tx, { id }: Owner): Promise<{ email: string }> {
  const account = await queries.lockOwner(tx, id)
  if (!account?.email) throw refuse('signed_out')
  return { email: account.email }
}

async function refuseTooManyPasskeys(tx: Tx, userId: string): Promise<void> {
  if ((await queries.findPasskeys(tx, userId)).length >= PASSKEYS_MAX) throw refuse('too_many_passkeys')
}

/** Recovery codes replace a second factor, so they are useless without one. */
async function removeUnneededCodes(tx: Tx, userId: string): Promise<void> {
  if (!(await hasSecondFactor(tx, userId))) await queries.deleteCodes(tx, userId)
}

const record = (tx: Tx, { id, origin }: Owner, action: AuditAction) =>
  recordAudit(tx, { action, actorId: id, origin })
