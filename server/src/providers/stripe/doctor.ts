import { SELLER_COUNTRIES } from '@sought/contract/constants'
import Stripe from 'stripe'
import type { Config, StripeKeys } from '../../core/config.ts'
import { checkEndpoints, checkSecrets, fixEndpoints, listEndpoints } from './doctor-endpoints.ts'
import type { Finding } from './doctor-finding.ts'
import { payoutRoute } from './payout-countries.ts'
import { hostOf } from './stripe.ts'

/* Checks whether a deployment would work with its Stripe account (ADR 39). */

type Settings = Pick<Config, 'publicUrl' | 'stripeWebhookSecrets' | 'currency' | 'platformCountry'> & {
  stripe: StripeKeys
}

const TIMEOUT_MS = 20_000
const WEBHOOK_PATH = '/api/stripe/webhook'

const connect = ({ secretKey, apiUrl }: StripeKeys) =>
  new Stripe(secretKey, { ...hostOf(apiUrl), timeout: TIMEOUT_MS, telemetry: false })

/** Without a working secret key, nothing else can be checked. */
export async function examine(settings: Settings): Promise<Finding[]> {
  const stripe = connect(settings.stripe)
  const url = settings.publicUrl + WEBHOOK_PATH
  const account = await readOwnAccount(stripe)
  if ('problem' in account) return [checkMode(settings), account]
  return [
    checkMode(settings),
    { what: 'Secret key', fine: `belongs to ${account.id}` },
    ...(await checkPublishableKey(settings.stripe)),
    checkApiVersion(account),
    checkActivation(account),
    checkCapabilities(account),
    await checkConnect(stripe),
    ...(await attempt('Payout schedule', () => checkSchedule(stripe))),
    ...(await attempt('Webhook endpoints', async () => {
      const endpoints = await listEndpoints(stripe, url)
      return [...checkEndpoints(endpoints, url), checkSecrets(endpoints, settings.stripeWebhookSecrets)]
    })),
    ...(await attempt('Currency', () => checkCurrency(stripe, account, settings.currency))),
    checkCountry(account, settings.platformCountry),
  ]
}

/** A call that fails is a finding too, for example if a restricted key lacks a permission. */
async function attempt(what: string, check: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    const remedy = 'Check the permissions of the key, and try again.'
    return [{ what, problem: `it could not be read (${messageOf(error)})`, remedy }]
  }
}

/** Creates and repairs the webhook endpoints, and sets the payout schedule to manual. */
export async function fix({
  stripe: keys,
  publicUrl,
}: Settings): Promise<{ done: string[]; secrets: string[] }> {
  const stripe = connect(keys)
  const done: string[] = []
  if ((await readInterval(stripe)) !== 'manual') {
    await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'manual' } } } })
    done.push('Set the payout schedule to manual.')
  }
  const endpoints = await fixEndpoints(stripe, publicUrl + WEBHOOK_PATH)
  return { done: [...done, ...endpoints.done], secrets: endpoints.secrets }
}

function checkMode({ stripe: { secretKey, publishableKey }, publicUrl }: Settings): Finding {
  const what = 'Mode'
  const [, mode] = /^[sr]k_(test|live)_/.exec(secretKey) ?? []
  const [, publishableMode] = /^pk_(test|live)_/.exec(publishableKey) ?? []
  const remedy = 'Copy both keys of the same mode from Stripe’s dashboard (Developers, API keys).'
  if (!mode) return { what, problem: 'STRIPE_SECRET_KEY is not a secret key', remedy }
  if (!publishableMode) return { what, problem: 'STRIPE_PUBLISHABLE_KEY is not a publishable key', remedy }
  if (mode !== publishableMode)
    return { what, problem: `the secret key is for ${mode} mode, the publishable one is not`, remedy }
  if (mode === 'live' && !publicUrl.startsWith('https:')) {
    const problem = 'live keys need a PUBLIC_URL with https'
    return { what, problem, remedy: 'Set PUBLIC_URL to the https address that people use.' }
  }
  return { what, fine: `both keys are for ${mode} mode` }
}

async function readOwnAccount(
  stripe: Stripe,
): Promise<Stripe.Response<Stripe.Account> | (Finding & { problem: string })> {
  try {
    return await stripe.accounts.retrieveCurrent()
  } catch (error) {
    const what = 'Secret key'
    if (error instanceof Stripe.errors.StripeAuthenticationError) {
      const remedy = 'Copy STRIPE_SECRET_KEY again from Stripe’s dashboard (Developers, API keys).'
      return { what, problem: 'Stripe does not accept it', remedy }
    }
    const remedy = 'Check the connection, STRIPE_API_URL and the permissions of the key.'
    return { what, problem: `it could not be tried (${messageOf(error)})`, remedy }
  }
}

/** Stripe answers 401 to a wrong key and 404 to an unknown payment. The sandbox’s key is not known here. */
async function checkPublishableKey({ publishableKey, apiUrl }: StripeKeys): Promise<Finding[]> {
  if (apiUrl) return []
  const what = 'Publishable key'
  try {
    const asBrowser = connect({ secretKey: publishableKey, publishableKey, apiUrl })
    await asBrowser.paymentIntents.retrieve('pi_0', { client_secret: 'pi_0_secret_0' })
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) {
      const remedy = 'Copy STRIPE_PUBLISHABLE_KEY again from Stripe’s dashboard (Developers, API keys).'
      return [{ what, problem: 'Stripe does not accept it', remedy }]
    }
  }
  return [{ what, fine: 'Stripe accepts it' }]
}

function checkApiVersion({ lastResponse }: Stripe.Response<Stripe.Account>): Finding {
  const what = 'API version'
  const { apiVersion = '' } = lastResponse
  if (apiVersion === Stripe.API_VERSION) return { what, fine: apiVersion }
  const problem = `Stripe answers in ${apiVersion || 'an unknown version'}, we expect ${Stripe.API_VERSION}`
  return { what, problem, remedy: 'Install the version of Sought that belongs to this API.' }
}

function checkActivation({ charges_enabled, payouts_enabled }: Stripe.Account): Finding {
  const what = 'Account'
  if (charges_enabled && payouts_enabled) return { what, fine: 'charges and payouts are enabled' }
  const missing = [!charges_enabled && 'charges', !payouts_enabled && 'payouts'].filter(Boolean)
  const remedy = 'Complete the activation of your account in Stripe’s dashboard.'
  return { what, problem: `${missing.join(' and ')} are not enabled`, remedy }
}

function checkCapabilities({ capabilities = {} }: Stripe.Account): Finding {
  const what = 'Capabilities'
  const needed = ['card_payments', 'transfers'] as const
  const inactive = needed.filter((name) => capabilities[name] !== 'active')
  if (inactive.length === 0) return { what, fine: `${needed.join(' and ')} are active` }
  const remedy = 'Request them in Stripe’s dashboard (Settings, Payment methods, and Settings, Connect).'
  return { what, problem: `${inactive.join(' and ')} not active`, remedy }
}

async function checkConnect(stripe: Stripe): Promise<Finding> {
  const what = 'Connect'
  try {
    await stripe.accounts.list({ limit: 1 })
    return { what, fine: 'connected accounts can be managed' }
  } catch (error) {
    const remedy = 'Enable Connect with Express accounts in Stripe’s dashboard (Connect, Get started).'
    return { what, problem: messageOf(error), remedy }
  }
}

async function readInterval(stripe: Stripe): Promise<string | undefined> {
  const { payments } = await stripe.balanceSettings.retrieve()
  return payments.payouts?.schedule?.interval ?? undefined
}

/** Money in escrow is part of the platform’s balance, so a payout to our bank would remove it. */
async function checkSchedule(stripe: Stripe): Promise<Finding> {
  const what = 'Payout schedule'
  const interval = await readInterval(stripe)
  if (interval === 'manual') return { what, fine: 'manual, so money in escrow stays in the balance' }
  const problem = `it is ${interval ?? 'unknown'}: Stripe would send money in escrow to your bank`
  return { what, problem, remedy: 'Run with --fix to make it manual.' }
}

/** Stripe converts charges in other currencies, so the amounts would not match. */
async function checkCurrency(stripe: Stripe, account: Stripe.Account, currency: string): Promise<Finding> {
  const what = 'Currency'
  const { available } = await stripe.balance.retrieve()
  const settled = new Set([
    account.default_currency,
    ...available.map((balance) => balance.currency),
    ...(account.external_accounts?.data ?? []).map((bank) => bank.currency),
  ])
  if (settled.has(currency)) return { what, fine: `your account settles ${currency}` }
  const problem = `CURRENCY is ${currency}, but your account settles ${[...settled].filter(Boolean).join(', ')}`
  const remedy = 'Add a bank account in this currency in Stripe’s dashboard, or change CURRENCY.'
  return { what, problem, remedy }
}

function checkCountry({ country }: Stripe.Account, platformCountry: string): Finding {
  const what = 'Countries'
  if (country !== platformCountry) {
    const problem = `PLATFORM_COUNTRY is ${platformCountry}, but your account is in ${country}`
    return { what, problem, remedy: `Set PLATFORM_COUNTRY=${country}.` }
  }
  const { automatic = [], manual = [] } = Object.groupBy(SELLER_COUNTRIES, (seller) =>
    payoutRoute(platformCountry, seller) === 'none' ? 'manual' : 'automatic',
  )
  const list = (countries: string[]) => countries.join(', ') || 'no country'
  return { what, fine: `automatic payouts in ${list(automatic)}; manual payouts in ${list(manual)}` }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
