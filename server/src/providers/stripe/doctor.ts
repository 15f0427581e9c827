import { SELLER_COUNTRIES } from '@sought/contract/constants'
import type { Currency } from '@sought/contract/currencies'
import { methodsIn } from '@sought/escrow/payment-methods'
import type Stripe from 'stripe'
import type { Config, StripeKeys } from '../../core/config.ts'
import {
  checkEndpoints,
  checkSecrets,
  checkVersions,
  fixEndpoints,
  listEndpoints,
} from './doctor-endpoints.ts'
import type { Finding } from './doctor-finding.ts'
import { checkPermissions, missingPermission } from './doctor-permissions.ts'
import { checkPolicy } from './doctor-policy.ts'
import {
  connect,
  findMismatch,
  findPublishableKeyProblem,
  isRefusedKey,
  modeOf,
  refusedSecretKey,
} from './keys.ts'
import { payoutRoute } from './payout-countries.ts'

/* Checks whether a deployment would work with its Stripe account (ADR 39). */

type Settings = Pick<Config, 'publicUrl' | 'stripeWebhookSecrets' | 'platformCountry'> & {
  stripe: StripeKeys
  /** In the settings of the market. */
  paymentMethods: readonly string[]
  currencies: readonly Currency[]
}

const WEBHOOK_PATH = '/api/stripe/webhook'
/** Connected accounts are looked at up to this number, the newest first. */
const ACCOUNTS_MAX = 100

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
    ...(await checkPermissions(stripe, settings.stripe)),
    checkActivation(account),
    checkCapabilities(account),
    ...(await attempt('Connect', () => checkConnect(stripe))),
    ...(await attempt('Payout schedule', () => checkSchedule(stripe))),
    ...(await attempt('Negative balances', () => checkNegativeBalances(stripe))),
    ...(await attempt('Webhook endpoints', async () => {
      const endpoints = await listEndpoints(stripe, url)
      return [
        ...checkEndpoints(endpoints, url),
        ...(await checkVersions(endpoints, settings.stripe)),
        checkSecrets(endpoints, settings.stripeWebhookSecrets),
      ]
    })),
    ...(await attempt('Payment methods', () => checkMethods(stripe, settings))),
    ...(await attempt('Currencies', () => checkCurrencies(stripe, account, settings.currencies))),
    checkCountry(account, settings.platformCountry),
    await checkPolicy(settings.publicUrl),
  ]
}

/** A call that fails is a finding too, for example if a restricted key lacks a permission. */
async function attempt(what: string, check: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    return [{ what, ...describeFailure(error) }]
  }
}

function describeFailure(error: unknown): { problem: string; remedy: string } {
  const permission = missingPermission(error)
  if (permission) {
    const remedy = 'Edit the key in Stripe’s dashboard (Developers, API keys), and add it.'
    return { problem: `the key lacks the permission ${permission}`, remedy }
  }
  const remedy = 'Check the connection, STRIPE_API_URL and the permissions of the key.'
  return { problem: `it could not be read (${messageOf(error)})`, remedy }
}

/** Repairs what the API can repair: webhook endpoints, payout schedule and negative balances. */
export async function fix({
  stripe: keys,
  publicUrl,
}: Pick<Settings, 'stripe' | 'publicUrl'>): Promise<{ done: string[]; secrets: string[] }> {
  const stripe = connect(keys)
  const done: string[] = []
  if ((await readInterval(stripe)) !== 'manual') {
    await stripe.balanceSettings.update({ payments: { payouts: { schedule: { interval: 'manual' } } } })
    done.push('Set the payout schedule to manual.')
  }
  done.push(...(await debitNegativeBalances(stripe)))
  const endpoints = await fixEndpoints(stripe, publicUrl + WEBHOOK_PATH)
  return { done: [...done, ...endpoints.done], secrets: endpoints.secrets }
}

function checkMode({ stripe, publicUrl }: Settings): Finding {
  const mismatch = findMismatch(stripe)
  if (mismatch) return mismatch
  const mode = modeOf(stripe.secretKey)
  const what = 'Mode'
  if (mode === 'live' && !publicUrl.startsWith('https:')) {
    const problem = 'live keys need a PUBLIC_URL with https'
    return { what, problem, remedy: 'Set PUBLIC_URL to the https address that people use.' }
  }
  return { what, fine: `both keys are for ${mode} mode` }
}

async function readOwnAccount(stripe: Stripe): Promise<Stripe.Account | (Finding & { problem: string })> {
  try {
    return await stripe.accounts.retrieveCurrent()
  } catch (error) {
    if (isRefusedKey(error)) return refusedSecretKey
    return { what: 'Secret key', ...describeFailure(error) }
  }
}

async function checkPublishableKey(keys: StripeKeys): Promise<Finding[]> {
  if (keys.apiUrl) return []
  return [(await findPublishableKeyProblem(keys)) ?? { what: 'Publishable key', fine: 'Stripe accepts it' }]
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

/** A payment that names a method which is not available is refused, for every method. */
async function checkMethods(
  stripe: Stripe,
  { paymentMethods, currencies }: Settings,
): Promise<Finding | Finding[]> {
  const what = 'Payment methods'
  const { data } = await stripe.paymentMethodConfigurations.list({ limit: 100 })
  const configuration = data.find(({ is_default, application }) => is_default && !application)
  return currencies.map((currency) => {
    const chosen = methodsIn(currency, paymentMethods)
    if (chosen.length === 0) {
      const problem = `in ${currency}, the market offers none, so nobody can pay`
      return { what, problem, remedy: 'Choose one in /admin/settings, such as cards.' }
    }
    const missing = chosen.filter((method) => !configuration?.[method]?.available)
    if (missing.length === 0) return { what, fine: `in ${currency}, ${chosen.join(', ')} are available` }
    const problem = `in ${currency}, the market offers ${missing.join(', ')}, but your account does not`
    const remedy =
      'Turn them on in Stripe’s dashboard (Settings, Payment methods), or off in /admin/settings.'
    return { what, problem, remedy }
  })
}

/** The API does not show the platform profile, but Stripe creates no account before it is complete. */
async function checkConnect(stripe: Stripe): Promise<Finding[]> {
  const [what, profile] = ['Connect', 'Platform profile']
  try {
    const { data } = await stripe.accounts.list({ limit: 1 })
    const connect = { what, fine: 'connected accounts can be managed' }
    if (data.length > 0) return [connect, { what: profile, fine: 'Stripe creates connected accounts' }]
    const warning = 'there is no connected account yet, so the API does not show whether it is complete'
    const remedy = 'Complete it in Stripe’s dashboard (Settings, Connect, Platform profile).'
    return [connect, { what: profile, warning, remedy }]
  } catch (error) {
    if (missingPermission(error)) throw error
    const remedy = 'Enable Connect with Express accounts in Stripe’s dashboard (Connect, Get started).'
    return [{ what, problem: messageOf(error), remedy }]
  }
}

/** Otherwise Stripe takes what a seller’s account lacks from our balance, where money in escrow is. */
async function checkNegativeBalances(stripe: Stripe): Promise<Finding> {
  const what = 'Negative balances'
  const undebited = await findUndebited(stripe)
  if (undebited.length === 0) return { what, fine: 'Stripe debits them from the bank account of their owner' }
  const problem = `Stripe does not debit those of ${undebited.join(', ')} from the bank account of their owner`
  return { what, problem, remedy: 'Run with --fix to change that.' }
}

const OWN = 'your account'

async function findUndebited(stripe: Stripe): Promise<string[]> {
  const { payments } = await stripe.balanceSettings.retrieve()
  const { data } = await stripe.accounts.list({ limit: ACCOUNTS_MAX })
  const sellers = data.filter(({ settings }) => settings?.payouts?.debit_negative_balances === false)
  return [...(payments.debit_negative_balances === false ? [OWN] : []), ...sellers.map(({ id }) => id)]
}

async function debitNegativeBalances(stripe: Stripe): Promise<string[]> {
  const done: string[] = []
  for (const account of await findUndebited(stripe)) {
    await stripe.balanceSettings.update(
      { payments: { debit_negative_balances: true } },
      account === OWN ? {} : { stripeAccount: account },
    )
    done.push(`Let Stripe debit negative balances of ${account}.`)
  }
  return done
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

/** Stripe converts what it does not settle. The ledger follows that (ADR 95), but every conversion costs money. */
async function checkCurrencies(
  stripe: Stripe,
  account: Stripe.Account,
  currencies: readonly Currency[],
): Promise<Finding[]> {
  const what = 'Currencies'
  const [{ available }, chargeable] = await Promise.all([
    stripe.balance.retrieve(),
    findChargeable(stripe, account),
  ])
  const settled = new Set([
    account.default_currency,
    ...available.map((balance) => balance.currency),
    ...(account.external_accounts?.data ?? []).map((bank) => bank.currency),
  ])
  const refused = currencies.filter((currency) => !settled.has(currency) && !chargeable.has(currency))
  const converted = currencies.filter((currency) => !settled.has(currency) && chargeable.has(currency))
  const rest = currencies.filter((currency) => settled.has(currency))
  const findings: Finding[] = []
  if (rest.length > 0) findings.push({ what, fine: `your account settles ${rest.join(', ')}` })
  if (converted.length > 0) {
    const list = [...settled].filter(Boolean).join(', ')
    const warning = `the market takes ${converted.join(', ')}, but your account settles ${list}: Stripe converts each payment, for a fee, and refuses those that convert to less than its minimum`
    const remedy = 'Add bank accounts in these currencies in Stripe’s dashboard, or ignore this.'
    findings.push({ what, warning, remedy })
  }
  if (refused.length > 0) {
    const problem = `accounts in ${account.country} cannot charge in ${refused.join(', ')}`
    findings.push({ what, problem, remedy: 'Remove these currencies in /admin/settings.' })
  }
  return findings
}

/** What accounts in the country of ours can charge in. */
async function findChargeable(stripe: Stripe, { country }: Stripe.Account): Promise<Set<string>> {
  const spec = await stripe.countrySpecs.retrieve(country ?? '')
  return new Set(spec.supported_payment_currencies)
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
