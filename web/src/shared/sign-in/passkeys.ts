import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import { addPasskey, getPasskeyChallenge, PasskeyUse, startPasskey } from '@sought/contract/second-factors'
import type * as z from 'zod/mini'
import { CallError, send } from '../../data/client.ts'

type Purpose = z.output<typeof getPasskeyChallenge.body>['purpose']

/** Asks the browser for a passkey. With `autofill` it offers them at the email field, until one is chosen. */
export async function askForPasskey(
  purpose: Purpose,
  { autofill = false } = {},
): Promise<z.input<typeof PasskeyUse>> {
  const options = await send(getPasskeyChallenge, { body: { purpose } })
  const used = await startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: autofill,
  })
  return PasskeyUse.parse(used)
}

/** Asks the browser to create a passkey, and saves it. */
export async function createPasskey() {
  const options = await send(startPasskey, {})
  const { id, rawId, response } = await startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  })
  const { clientDataJSON, attestationObject, transports } = response
  const created = { clientDataJSON, attestationObject, ...(transports && { transports }) }
  return send(addPasskey, { body: { passkey: { id, rawId, type: 'public-key', response: created } } })
}

/** The message when a passkey could not be used or created. Browsers do not tell why. */
export function explainPasskeyFailure(error: unknown): string {
  if (error instanceof CallError) return error.userMessage ?? 'Please try again.'
  return 'No passkey was used. Please try again.'
}
