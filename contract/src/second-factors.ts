import * as z from 'zod/mini'
import { CurrentUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { PASSWORD_MAX_LENGTH } from './constants.ts'
import { Done, mustBeStorable, Timestamp, text } from './fields.ts'

const call = callsOf({ subjects: ['security'], fresh: 'on open' })

/** A code of an authenticator app, or a recovery code. */
const Code = z
  .string()
  .check(mustBeStorable, z.trim(), z.minLength(1, 'Please enter the code'), z.maxLength(40))

const Base64Url = z.string().check(z.maxLength(20_000), z.regex(/^[\w-]*$/))
const CredentialId = z.string().check(z.minLength(1), z.maxLength(1500), z.regex(/^[\w-]+$/))

/** The browser's result after a passkey was used, as WebAuthn defines it. */
export const PasskeyUse = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: z.optional(Base64Url),
  }),
  clientExtensionResults: z._default(z.object({}), {}),
})

/** The browser's result after a passkey was created. */
export const NewPasskey = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: z.optional(
      z.array(z.string().check(z.maxLength(30), z.regex(/^[a-z-]+$/))).check(z.maxLength(10)),
    ),
  }),
  clientExtensionResults: z._default(z.object({}), {}),
})

const KnownCredential = z.object({
  id: z.string(),
  type: z.literal('public-key'),
  transports: z.optional(z.array(z.string())),
})

export const PASSKEY_PURPOSES = ['sign_in', 'second_factor', 'confirm'] as const

export const getPasskeyChallenge = call({
  method: 'POST',
  path: '/api/auth/passkey/options',
  access: 'public',
  changes: [],
  allowedInEveryMode: true,
  summary: 'Gets the options to use a passkey: to sign in, as second factor or to confirm the identity',
  body: z.object({ purpose: z.enum(PASSKEY_PURPOSES) }),
  reply: z.object({
    challenge: z.string(),
    rpId: z.string(),
    allowCredentials: z.array(KnownCredential),
    timeout: z.int(),
    userVerification: z.literal('required'),
  }),
  refuses: ['signed_out', 'sign_in_expired', 'too_many'],
})

export const signInWithPasskey = call({
  method: 'POST',
  path: '/api/auth/passkey',
  access: 'public',
  changes: [],
  allowedInEveryMode: true,
  summary: 'Signs in with a passkey',
  body: z.object({ passkey: PasskeyUse }),
  reply: CurrentUser,
  refuses: ['passkey_refused', 'too_many'],
})

export const giveSecondFactor = call({
  method: 'POST',
  path: '/api/auth/second-factor',
  access: 'public',
  changes: [],
  allowedInEveryMode: true,
  summary: 'Completes a sign-in with a code of an authenticator app, a recovery code or a passkey',
  body: z.object({ code: z.optional(Code), passkey: z.optional(PasskeyUse) }),
  reply: CurrentUser,
  refuses: ['sign_in_expired', 'wrong_code', 'passkey_refused', 'too_many'],
})

export const confirmIdentity = call({
  method: 'POST',
  path: '/api/auth/confirm',
  access: 'user',
  changes: [],
  allowedIfSuspended: true,
  allowedInEveryMode: true,
  summary:
    'Proves the identity for ten minutes, with the password or, if the account has a second factor, with that',
  body: z.object({
    password: z.optional(z.string().check(z.maxLength(PASSWORD_MAX_LENGTH))),
    code: z.optional(Code),
    passkey: z.optional(PasskeyUse),
  }),
  reply: Done,
  refuses: [
    'wrong_password',
    'use_second_factor',
    'no_password',
    'wrong_code',
    'passkey_refused',
    'too_many',
  ],
})

export const checkConfirmed = call({
  method: 'GET',
  path: '/api/auth/confirm',
  access: 'user',
  confirmed: true,
  summary: 'Succeeds if the identity was proven in the last ten minutes',
  reply: Done,
})

export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: Timestamp,
  lastUsedAt: z.nullable(Timestamp),
})
export type Passkey = z.output<typeof Passkey>

export const getSecondFactors = call({
  method: 'GET',
  path: '/api/user/second-factors',
  access: 'user',
  summary: 'Gets whether an authenticator app is set up, the passkeys, and how many recovery codes are left',
  reply: z.object({ totp: z.boolean(), passkeys: z.array(Passkey), recoveryCodesLeft: z.int() }),
})

const RecoveryCodes = z.array(z.string())

export const startTotp = call({
  method: 'POST',
  path: '/api/user/totp',
  access: 'user',
  changes: [],
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Starts the setup of an authenticator app',
  reply: z.object({ secret: z.string(), uri: z.string() }),
  refuses: ['totp_enabled'],
})

export const TotpCode = z.object({ code: Code })

export const enableTotp = call({
  method: 'POST',
  path: '/api/user/totp/enable',
  access: 'user',
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Completes the setup of an authenticator app with a code, and replaces the recovery codes',
  body: TotpCode,
  reply: z.object({ recoveryCodes: RecoveryCodes }),
  refuses: ['wrong_code', 'totp_enabled', 'totp_not_started', 'too_many'],
})

export const disableTotp = call({
  method: 'DELETE',
  path: '/api/user/totp',
  access: 'user',
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Removes the authenticator app',
  reply: Done,
})

export const replaceRecoveryCodes = call({
  method: 'POST',
  path: '/api/user/recovery-codes',
  access: 'user',
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Replaces the recovery codes',
  reply: z.object({ recoveryCodes: RecoveryCodes }),
  refuses: ['no_second_factor'],
})

export const startPasskey = call({
  method: 'POST',
  path: '/api/user/passkeys/options',
  access: 'user',
  changes: [],
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Gets the options to create a passkey',
  reply: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ alg: z.int(), type: z.literal('public-key') })),
    excludeCredentials: z.array(KnownCredential),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.boolean(),
      userVerification: z.literal('required'),
    }),
    timeout: z.int(),
    attestation: z.literal('none'),
  }),
  refuses: ['too_many_passkeys', 'too_many'],
})

export const PasskeyName = z.object({ name: text(60, 'Please enter a name') })

export const addPasskey = call({
  method: 'POST',
  path: '/api/user/passkeys',
  access: 'user',
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Adds a passkey; with the first second factor, also creates recovery codes',
  body: z.object({ passkey: NewPasskey }),
  reply: z.object({ passkey: Passkey, recoveryCodes: z.nullable(RecoveryCodes) }),
  status: 201,
  refuses: ['passkey_refused', 'too_many_passkeys'],
})

const PasskeyParams = z.object({ id: CredentialId })

export const renamePasskey = call({
  method: 'PATCH',
  path: '/api/user/passkeys/:id',
  access: 'user',
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Renames a passkey',
  params: PasskeyParams,
  body: PasskeyName,
  reply: Passkey,
  refuses: ['passkey_not_found'],
})

export const deletePasskey = call({
  method: 'DELETE',
  path: '/api/user/passkeys/:id',
  access: 'user',
  allowedIfSuspended: true,
  confirmed: true,
  summary: 'Removes a passkey',
  params: PasskeyParams,
  reply: Done,
  refuses: ['passkey_not_found'],
})
