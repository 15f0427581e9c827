import {
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type VerifiedAuthenticationResponse,
  type VerifiedRegistrationResponse,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeClientDataJSON } from '@simplewebauthn/server/helpers'
import type { NewPasskey, PasskeyUse } from '@sought/contract/second-factors'
import type * as z from 'zod/mini'
import { refuse } from '../../../core/errors.ts'
import type { Tx } from '../../../database/database.ts'
import { findRow } from '../../../database/rows.ts'
import { passkeys } from '../../../database/schema.ts'
import type { Challenge } from './queries.ts'
import * as queries from './queries.ts'

/*
 * Passkeys (WebAuthn). Each use answers one of our challenges, which is stored for one purpose and one user and
 * deleted at its first use. Authenticators must verify the user, for example by fingerprint or PIN, so a passkey is
 * enough to sign in.
 */

/** How long the browser waits for the user. */
const TIMEOUT_MS = 5 * 60_000
/** Longer than the timeout, since the sign-in screen offers passkeys as long as it is open. */
const CHALLENGE_MS = 60 * 60_000
/** EdDSA, ES256 and RS256, which authenticators support today. */
const ALGORITHMS = [-8, -7, -257]

/** The site that passkeys belong to. */
export interface Site {
  id: string
  origin: string
}

export function siteOf(publicUrl: string): Site {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

type StoredPasskey = typeof passkeys.$inferSelect

const asCredential = ({ id, transports }: StoredPasskey) => ({
  id,
  type: 'public-key' as const,
  transports: transports as AuthenticatorTransport[],
})

/** The options to create a passkey. */
export async function registrationOptions(
  tx: Tx,
  site: Site & { name: string },
  user: { id: string; email: string },
) {
  const existing = await queries.findPasskeys(tx, user.id)
  const options = await generateRegistrationOptions({
    rpName: site.name,
    rpID: site.id,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.email,
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(asCredential),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await saveChallenge(tx, { challenge: options.challenge, purpose: 'register', userId: user.id })
  return {
    ...options,
    rp: { id: site.id, name: site.name },
    excludeCredentials: existing.map(asCredential),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
    timeout: TIMEOUT_MS,
    attestation: 'none' as const,
  }
}

/** The options to use a passkey. For a sign-in, the browser offers all passkeys of the site. */
export async function usageOptions(tx: Tx, site: Site, wanted: Omit<Challenge, 'challenge'>) {
  const existing = wanted.userId === null ? [] : await queries.findPasskeys(tx, wanted.userId)
  const { challenge } = await generateAuthenticationOptions({ rpID: site.id })
  await saveChallenge(tx, { ...wanted, challenge })
  return {
    challenge,
    rpId: site.id,
    allowCredentials: existing.map(asCredential),
    timeout: TIMEOUT_MS,
    userVerification: 'required' as const,
  }
}

const saveChallenge = (tx: Tx, challenge: Challenge) =>
  queries.insertChallenge(tx, challenge, new Date(tx.now.getTime() + CHALLENGE_MS))

/** Refuses a passkey that does not answer our challenge. Returns the data to store about it. */
export async function verifyNewPasskey(
  tx: Tx,
  site: Site,
  response: z.output<typeof NewPasskey>,
  userId: string,
) {
  const expectedChallenge = await takeChallengeOf(tx, response, { purpose: 'register', userId })
  const { registrationInfo } = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((): VerifiedRegistrationResponse => ({ verified: false }))
  if (!registrationInfo) throw refuse('passkey_refused')
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: response.response.transports ?? [],
  }
}

/**
 * Refuses a use that was not signed by a passkey of this user. For a sign-in, the passkey of any user is accepted.
 * Returns its owner, whose account the caller has locked.
 */
export async function usePasskey(
  tx: Tx,
  site: Site,
  response: z.output<typeof PasskeyUse>,
  wanted: Omit<Challenge, 'challenge'>,
): Promise<string> {
  const passkey = await findRow(tx, passkeys, { id: response.id })
  if (!passkey || (wanted.userId ?? passkey.userId) !== passkey.userId) throw refuse('passkey_refused')
  const expectedChallenge = await takeChallengeOf(tx, response, wanted)
  const verified = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch((): Pick<VerifiedAuthenticationResponse, 'verified'> & { authenticationInfo?: never } => ({
    verified: false,
  }))
  if (!verified.verified || !verified.authenticationInfo) throw refuse('passkey_refused')
  if (!isOwner(response, passkey.userId)) throw refuse('passkey_refused')
  const { newCounter: counter } = verified.authenticationInfo
  await queries.updatePasskey(tx, passkey, { counter, lastUsedAt: tx.now })
  return passkey.userId
}

/** A discoverable passkey contains the id of its user. */
function isOwner({ response: { userHandle } }: z.output<typeof PasskeyUse>, userId: string): boolean {
  return userHandle === undefined || Buffer.from(userHandle, 'base64url').toString() === userId
}

async function takeChallengeOf(
  tx: Tx,
  { response }: { response: { clientDataJSON: string } },
  wanted: Omit<Challenge, 'challenge'>,
): Promise<string> {
  const challenge = challengeIn(response.clientDataJSON)
  if (challenge === null || !(await queries.takeChallenge(tx, { ...wanted, challenge })))
    throw refuse('passkey_refused')
  return challenge
}

/** The text comes from the browser and may be anything. */
function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = decodeClientDataJSON(clientData)
    return typeof challenge === 'string' && /^[\w-]+$/.test(challenge) ? challenge : null
  } catch {
    return null
  }
}
