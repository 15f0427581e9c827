import Stripe from 'stripe'
import type { StripeKeys } from '../../core/config.ts'
import { hostOf } from './stripe-api.ts'

/* Whether the configured keys can work. The server asks when it starts, and the doctor reports the details. */

export const API_TIMEOUT_MS = 20_000
const WHERE = 'from Stripe’s dashboard (Developers, API keys)'

export interface KeyProblem {
  what: 'Mode' | 'Secret key' | 'Publishable key'
  problem: string
  remedy: string
}

export const connect = ({ secretKey, apiUrl }: Pick<StripeKeys, 'secretKey' | 'apiUrl'>) =>
  new Stripe(secretKey, { ...hostOf(apiUrl), timeout: API_TIMEOUT_MS, telemetry: false })

/** What the keys themselves show, without a call. */
export function findMismatch({ secretKey, publishableKey }: StripeKeys): KeyProblem | null {
  const what = 'Mode'
  const remedy = `Copy both keys of the same account and mode ${WHERE}.`
  const mode = modeOf(secretKey)
  if (!/^[sr]k_/.test(secretKey) || !mode)
    return { what, problem: 'STRIPE_SECRET_KEY is not a secret key', remedy }
  if (!publishableKey.startsWith('pk_') || !modeOf(publishableKey))
    return { what, problem: 'STRIPE_PUBLISHABLE_KEY is not a publishable key', remedy }
  if (mode !== modeOf(publishableKey))
    return { what, problem: `the secret key is for ${mode} mode, the publishable one is not`, remedy }
  const accounts = new Set([secretKey, publishableKey].flatMap(accountIn))
  if (accounts.size > 1) return { what, problem: 'the keys belong to different accounts', remedy }
  return null
}

export const modeOf = (key: string) => /^[spr]k_(test|live)_/.exec(key)?.[1]

/** Keys of newer accounts begin with the account's id. */
const accountIn = (key: string) => /^[spr]k_(?:test|live)_51(\w{14})\w{32}/.exec(key)?.[1] ?? []

/** Asks Stripe about both keys. Throws if it does not answer. */
export async function findKeyProblem(keys: StripeKeys): Promise<KeyProblem | null> {
  const mismatch = findMismatch(keys)
  if (mismatch) return mismatch
  try {
    await connect(keys).accounts.retrieveCurrent({}, { maxNetworkRetries: 0 })
  } catch (error) {
    if (isRefusedKey(error)) return refusedSecretKey
    // A restricted key that may not read the account can still take payments.
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error
  }
  return findPublishableKeyProblem(keys)
}

export const isRefusedKey = (error: unknown) => error instanceof Stripe.errors.StripeAuthenticationError

export const refusedSecretKey: KeyProblem = {
  what: 'Secret key',
  problem: 'Stripe does not accept STRIPE_SECRET_KEY',
  remedy: `Copy it again ${WHERE}.`,
}

/** Stripe answers 401 to a wrong key and 404 to an unknown payment. The sandbox’s key is not known here. */
export async function findPublishableKeyProblem({
  publishableKey,
  apiUrl,
}: StripeKeys): Promise<KeyProblem | null> {
  if (apiUrl) return null
  try {
    const asBrowser = connect({ secretKey: publishableKey, apiUrl })
    await asBrowser.paymentIntents.retrieve('pi_0', { client_secret: 'pi_0_secret_0' })
  } catch (error) {
    if (isRefusedKey(error)) {
      return {
        what: 'Publishable key',
        problem: 'Stripe does not accept STRIPE_PUBLISHABLE_KEY',
        remedy: `Copy it again ${WHERE}.`,
      }
    }
  }
  return null
}
