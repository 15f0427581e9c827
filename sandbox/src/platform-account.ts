import type Stripe from 'stripe'
import {
  buildExternalAccounts,
  buildSettings,
  type PayoutInterval,
  WORKING_BANK_ACCOUNT,
} from './accounts/account-settings.ts'
import { currencyOf } from './countries.ts'
import type { Tx } from './database.ts'
import { findObject, getObject, insertObject, type Stored, saveObject, toUnixSeconds } from './objects.ts'
import { METHOD_TYPES, METHODS } from './payment-methods/method-types.ts'

/** The account of the platform itself: the owner of the API keys. */
export const PLATFORM_ID = 'acct_sandboxPlatform'

export interface PlatformOptions {
  country: string
  /** The number of days until a charge becomes available. */
  pendingDays: number
  /** Only used when the sandbox creates its tables. Afterwards, the schedule is changed over the API. */
  payoutSchedule: PayoutInterval
}

/** Creates the account of the platform, or applies changed options to it. */
export async function preparePlatform(tx: Tx, options: PlatformOptions): Promise<void> {
  const platform = await findObject(tx, 'account', PLATFORM_ID, 'for update')
  const { body, hidden } = platform ?? createPlatform(tx, options)
  const { country, pendingDays } = options
  const settings = body.settings ?? buildSettings(defaultPayouts(options))
  const payouts = settings.payouts ?? buildSettings(defaultPayouts(options)).payouts
  const changed: Stripe.Account = {
    ...body,
    capabilities: { ...METHOD_CAPABILITIES, ...body.capabilities },
    country,
    default_currency: currencyOf(country),
    settings: {
      ...settings,
      payouts: { ...payouts, schedule: { ...payouts.schedule, delay_days: pendingDays } },
    },
  }
  if (platform) await saveObject(tx, { id: PLATFORM_ID, body: changed, hidden })
  else await insertObject(tx, 'account', { body: changed, hidden, settleAt: tx.now })
}

/** The platform may take every method that the sandbox knows. */
const METHOD_CAPABILITIES = Object.fromEntries(
  METHOD_TYPES.map((type) => [METHODS[type].capability, 'active']),
)

const defaultPayouts = ({ payoutSchedule, pendingDays }: PlatformOptions) => ({
  interval: payoutSchedule,
  delayDays: pendingDays,
  debitNegativeBalances: true,
})

function createPlatform(tx: Tx, options: PlatformOptions): Omit<Stored<'account'>, 'id'> {
  const { country } = options
  const body: Stripe.Account = {
    id: PLATFORM_ID,
    object: 'account',
    business_type: 'company',
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    country,
    created: toUnixSeconds(tx.now),
    default_currency: currencyOf(country),
    details_submitted: true,
    email: null,
    external_accounts: buildExternalAccounts({
      account: PLATFORM_ID,
      country,
      currency: currencyOf(country),
      number: WORKING_BANK_ACCOUNT,
    }),
    metadata: {},
    payouts_enabled: true,
    settings: buildSettings(defaultPayouts(options)),
    type: 'standard',
  }
  return { body, hidden: { capabilities: ['card_payments', 'transfers'], platform: true, bankFailure: null } }
}

export const getPlatform = (tx: Tx): Promise<Stored<'account'>> => getObject(tx, 'account', PLATFORM_ID)

export async function getPendingDays(tx: Tx): Promise<number> {
  const { body } = await getPlatform(tx)
  return body.settings?.payouts?.schedule.delay_days ?? 0
}
