import { STANDARD_HOLD } from '@sought/escrow/hold'
import { PAYMENT_METHODS, STANDARD_METHODS } from '@sought/escrow/payment-methods'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { categorySlug } from './categories.ts'
import {
  CATEGORIES,
  CATEGORIES_MAX,
  CATEGORY_MAX_LENGTH,
  MARKET_MODES,
  MARKET_NAME,
  OFFER_EXPIRY_DAYS,
} from './constants.ts'
import { Currency } from './currency-code.ts'
import { type CurrencyLimits, defaultLimits } from './currency-defaults.ts'
import { FeeTier } from './fee-rates.ts'
import { AMOUNT_MAX, Id, PathId, pageLimit, Timestamp, text } from './fields.ts'

const call = callsOf({ subjects: ['market'], fresh: 'on open' })

/* Settings that the operator of a market chooses (ADR 82). */

export const MARKET_NAME_MAX_LENGTH = 40
export const PLATFORM_FEE_MAX_PERCENT = 50
export const PROCESSING_FEE_MAX_PERCENT = 20
export const FEE_TIERS_MAX = 10
export const HOLD_DAYS_MAX = 60
export const OFFER_EXPIRY_MAX_DAYS = 60
export const OPEN_REQUESTS_MAX = 10_000
export const CANCELLATIONS_MAX = 1_000
export const DEBT_WRITE_OFF_MAX_DAYS = 3_650
export const PAYOUT_DELAY_MAX_HOURS = 30 * 24
export const NEW_SELLER_PAYOUT_DELAY_MAX_DAYS = 90

/** Who pays the provider's fee of a deal that the seller cancels. */
export const CANCELLATION_FEE_PAYERS = ['seller', 'market'] as const
export const LOGO_MAX_BYTES = 2 * 1024 * 1024

/** The limits in a currency. `defaultLimits` says what a market begins with. */
const Limits = z.object({
  /** The maximum amount of an offer. Null if only the budget and the provider limit it. */
  maxOfferCents: z.nullable(z.int()),
  /** Above this amount within 30 days, goodwill for a deal, for a recipient or by an admin needs a second admin. */
  goodwillApprovalCents: z.int(),
  /** Ratings of deals below this amount do not count in the public figure. */
  ratingMinCents: z.int(),
  /** Payments from this amount on are held for `holdDaysHighValue`. */
  highValueCents: z.int(),
  /** A higher limit that waits for another admin than the one with this id. */
  proposedGoodwillApprovalCents: z.optional(z.int()),
  goodwillApprovalProposedBy: z.optional(z.string()),
}) satisfies z.ZodMiniType<CurrencyLimits>
export type Limits = z.output<typeof Limits>

/**
 * The stored settings, with default values. Fees are separate, because they change at a set time. The limits beside the
 * other settings are those of the first currency, and `limits` has those of the others: `limitsOf` reads both.
 */
export const MarketSettings = z.object({
  name: z._default(z.string(), MARKET_NAME),
  categories: z._default(z.array(z.string()), [...CATEGORIES]),
  mode: z._default(z.enum(MARKET_MODES), 'open'),
  /** The currencies of requests. The first one is the default. */
  currencies: z.array(Currency),
  ...Limits.shape,
  limits: z._default(z.record(z.string(), Limits), {}),
  /** What new payments can be made with, if their currency allows it. */
  paymentMethods: z._default(z.array(z.enum(PAYMENT_METHODS)), [...STANDARD_METHODS]),
  /** How long new payments stay in escrow, by their amount. */
  holdDays: z._default(z.int(), STANDARD_HOLD.holdDays),
  holdDaysHighValue: z._default(z.int(), STANDARD_HOLD.holdDaysHighValue),
  /** How long new offers can be accepted. */
  offerExpiryDays: z._default(z.int(), OFFER_EXPIRY_DAYS),
  /** The maximum number of a person's open requests. Null for no limit. */
  openRequestsMax: z._default(z.nullable(z.int()), 50),
  cancellationFeePayer: z._default(z.enum(CANCELLATION_FEE_PAYERS), 'seller'),
  /** How many deals a seller may cancel within 30 days before they can make no new offers for a while. */
  cancellationsMax: z._default(z.int(), 5),
  /** After how many days the market gives up a debt. 0 for never. */
  debtWriteOffDays: z._default(z.int(), 365),
  /** Whether offering and paying need a verified email. Null for the default of the deployment. */
  requireVerifiedEmail: z._default(z.nullable(z.boolean()), null),
  /**
   * The minimum time between payment and payout if the buyer's account or card is new. Null for the default of the
   * deployment.
   */
  payoutDelayHours: z._default(z.nullable(z.int()), null),
  /** How long a seller's first payouts wait after the first release. Null for the default of the deployment. */
  newSellerPayoutDelayDays: z._default(z.nullable(z.int()), null),
  /** As #rrggbb. Null for the default green. */
  accentColor: z._default(z.nullable(z.string()), null),
  /** Null for the default drawing with the name. */
  logoUrl: z._default(z.nullable(z.string()), null),
})
export type MarketSettings = z.output<typeof MarketSettings>

/** Reads what is stored. A market whose operator has not chosen currencies has the one of its first start. */
export function parseSettings(stored: Partial<MarketSettings>, ofFirstStart: Currency): MarketSettings {
  const currencies = stored.currencies ?? [ofFirstStart]
  return MarketSettings.parse({ ...defaultLimits(currencies[0] ?? ofFirstStart), ...stored, currencies })
}

/** The limits in a currency, also in one that the market does not have any more. */
export function limitsOf({ currencies, limits, ...first }: MarketSettings, currency: Currency): Limits {
  return currency === currencies[0] ? Limits.parse(first) : (limits[currency] ?? defaultLimits(currency))
}

/** The settings with other limits in a currency. */
export function withLimits(settings: MarketSettings, currency: Currency, changed: Limits): MarketSettings {
  if (currency !== settings.currencies[0])
    return { ...settings, limits: { ...settings.limits, [currency]: changed } }
  const { proposedGoodwillApprovalCents: _, goodwillApprovalProposedBy: __, ...others } = settings
  return { ...others, ...changed }
}

/** The settings with other currencies, each with the limits that it has. */
export function withCurrencies(settings: MarketSettings, currencies: Currency[]): MarketSettings {
  const known = [...new Set([...settings.currencies, ...currencies])]
  const limits = Object.fromEntries(known.map((currency) => [currency, limitsOf(settings, currency)]))
  const [first] = currencies
  if (!first) throw new Error('a market has a currency')
  return withLimits({ ...settings, currencies, limits }, first, limitsOf(settings, first))
}

/** The settings whose default depends on the deployment. */
const DeploymentDefaults = z.object({
  requireVerifiedEmail: z.boolean(),
  payoutDelayHours: z.int(),
  newSellerPayoutDelayDays: z.int(),
})
export type DeploymentDefaults = z.output<typeof DeploymentDefaults>

const Fees = z.object({
  platformFeePercent: z.number(),
  processingFeePercent: z.number(),
  processingFeeCents: z.int(),
  /** The lowest platform fee of a deal. */
  minimumFee: z.int(),
  /** Platform fees of larger amounts, smallest amount first. */
  feeTiers: z.array(FeeTier),
  /** When the fees come into force. They apply to offers accepted from then on. */
  feesFrom: Timestamp,
})

const CurrencySettings = z.object({
  ...Limits.shape,
  ...Fees.shape,
  /** Fees that are not in force yet, next ones first. */
  scheduledFees: z.array(Fees),
})
export type CurrencySettings = z.output<typeof CurrencySettings>

/** Amounts are those of the first currency. `byCurrency` has those of each. */
export const AdminSettings = z.object({
  ...z.omit(MarketSettings, { limits: true }).shape,
  ...DeploymentDefaults.shape,
  ...CurrencySettings.shape,
  byCurrency: z.record(z.string(), CurrencySettings),
})
export type AdminSettings = z.output<typeof AdminSettings>
export type ScheduledFees = z.output<typeof Fees>

const between = (min: number, max: number) =>
  z
    .int()
    .check(
      z.gte(min, `Must be a whole number between ${min} and ${max}`),
      z.lte(max, `Must be a whole number between ${min} and ${max}`),
    )

const percent = (max: number) =>
  z.number().check(
    z.gte(0, `Must be between 0 and ${max}`),
    z.lte(max, `Must be between 0 and ${max}`),
    z.refine((value) => Number(value.toFixed(2)) === value, 'Must have at most two decimals'),
  )

const isDistinct = (values: readonly string[]) => new Set(values).size === values.length

/** Two categories with the same address would show the same page. */
const Categories = z
  .array(
    text(CATEGORY_MAX_LENGTH).check(
      z.refine((name) => categorySlug(name) !== '', 'Must contain a letter or a digit'),
    ),
  )
  .check(
    z.minLength(1, 'There must be at least one category'),
    z.maxLength(CATEGORIES_MAX, `There can be at most ${CATEGORIES_MAX} categories`),
    z.refine(
      (names) => isDistinct(names.map(categorySlug)),
      'Two categories have the same name or the same address',
    ),
  )

const PaymentMethods = z.array(z.enum(PAYMENT_METHODS)).check(
  z.refine((methods) => methods.includes('card'), 'Payments by card cannot be switched off'),
  z.refine(isDistinct, 'Each method can be chosen once'),
)

/** Each amount starts one tier, so it is clear which one applies. */
const FeeTiers = z.array(z.strictObject({ from: between(0, AMOUNT_MAX), percent: percent(100) })).check(
  z.maxLength(FEE_TIERS_MAX, `There can be at most ${FEE_TIERS_MAX} tiers`),
  z.refine(
    (tiers) => tiers.every(({ from }, index) => from > (tiers[index - 1]?.from ?? -1)),
    'Each tier must start at a higher amount than the one before',
  ),
)

const Currencies = z
  .array(Currency)
  .check(
    z.minLength(1, 'There must be at least one currency'),
    z.refine(isDistinct, 'Each currency can be chosen once'),
  )

/** These exist in each currency. */
export const LIMIT_FIELDS = [
  'maxOfferCents',
  'goodwillApprovalCents',
  'ratingMinCents',
  'highValueCents',
] as const satisfies (keyof CurrencyLimits)[]

export const FEE_FIELDS = [
  'platformFeePercent',
  'processingFeePercent',
  'processingFeeCents',
  'minimumFee',
  'feeTiers',
] as const

/** Any of the settings. Unknown names are refused, so that a typo is not taken for a change. */
export const SettingsChange = z
  .strictObject({
    name: z.optional(text(MARKET_NAME_MAX_LENGTH)),
    categories: z.optional(Categories),
    mode: z.optional(z.enum(MARKET_MODES)),
    paymentMethods: z.optional(PaymentMethods),
    holdDays: z.optional(between(1, HOLD_DAYS_MAX)),
    holdDaysHighValue: z.optional(between(1, HOLD_DAYS_MAX)),
    offerExpiryDays: z.optional(between(1, OFFER_EXPIRY_MAX_DAYS)),
    /** The first one is the default of new requests. One that deals, offers or requests still use cannot be removed. */
    currencies: z.optional(Currencies),
    /** The currency of the fees and limits in this change. By default, the market's first. */
    currency: z.optional(Currency),
    maxOfferCents: z.optional(z.nullable(between(1, AMOUNT_MAX))),
    openRequestsMax: z.optional(z.nullable(between(1, OPEN_REQUESTS_MAX))),
    /** A higher limit applies once a second admin has sent the same value. The present value ends a proposal. */
    goodwillApprovalCents: z.optional(between(0, AMOUNT_MAX)),
    cancellationFeePayer: z.optional(z.enum(CANCELLATION_FEE_PAYERS)),
    cancellationsMax: z.optional(between(1, CANCELLATIONS_MAX)),
    debtWriteOffDays: z.optional(between(0, DEBT_WRITE_OFF_MAX_DAYS)),
    ratingMinCents: z.optional(between(0, AMOUNT_MAX)),
    highValueCents: z.optional(between(1, AMOUNT_MAX)),
    requireVerifiedEmail: z.optional(z.boolean()),
    payoutDelayHours: z.optional(between(0, PAYOUT_DELAY_MAX_HOURS)),
    newSellerPayoutDelayDays: z.optional(between(0, NEW_SELLER_PAYOUT_DELAY_MAX_DAYS)),
    accentColor: z.optional(
      z.nullable(z.string().check(z.regex(/^#[0-9a-f]{6}$/i, 'Must be a colour such as #1f5c43'))),
    ),
    platformFeePercent: z.optional(percent(PLATFORM_FEE_MAX_PERCENT)),
    processingFeePercent: z.optional(percent(PROCESSING_FEE_MAX_PERCENT)),
    processingFeeCents: z.optional(between(0, AMOUNT_MAX)),
    minimumFee: z.optional(between(0, AMOUNT_MAX)),
    feeTiers: z.optional(FeeTiers),
    /**
     * When the fees of this change come into force. By default, now. A date starts at midnight UTC, and today's
     * date means now.
     */
    feesFrom: z.optional(z.union([z.iso.datetime({ offset: true }), z.iso.date()])),
  })
  .check(
    z.refine(
      (change) => change.feesFrom === undefined || FEE_FIELDS.some((field) => change[field] !== undefined),
      { path: ['feesFrom'], message: 'Only a change of the fees has this' },
    ),
    z.refine(
      (change) =>
        change.currency === undefined ||
        [...FEE_FIELDS, ...LIMIT_FIELDS].some((field) => change[field] !== undefined),
      { path: ['currency'], message: 'Only a change of fees or limits has this' },
    ),
  )
export type SettingsChange = z.output<typeof SettingsChange>

export const getSettings = call({
  method: 'GET',
  path: '/api/admin/settings',
  access: 'admin',
  summary: 'Gets the settings of the market, the fees in force and the fees that are scheduled',
  reply: AdminSettings,
})

export const changeSettings = call({
  method: 'PATCH',
  path: '/api/admin/settings',
  access: 'admin',
  confirmed: true,
  allowedInEveryMode: true,
  summary: 'Changes some of the settings of the market; fees apply to offers accepted from `feesFrom` on',
  body: SettingsChange,
  reply: AdminSettings,
  refuses: ['second_admin_required', 'currency_in_use', 'currency_not_available'],
})

export const uploadLogo = call({
  method: 'PUT',
  path: '/api/admin/settings/logo',
  access: 'admin',
  confirmed: true,
  allowedInEveryMode: true,
  summary: 'Sets the logo of the market',
  upload: { field: 'logo', maxBytes: LOGO_MAX_BYTES },
  reply: AdminSettings,
  refuses: ['too_large', 'file_infected', 'wrong_type', 'not_an_image', 'too_many'],
})

export const removeLogo = call({
  method: 'DELETE',
  path: '/api/admin/settings/logo',
  access: 'admin',
  confirmed: true,
  allowedInEveryMode: true,
  summary: 'Removes the logo of the market, which then shows its name',
  reply: AdminSettings,
})

const SettingValue = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.array(z.string()),
  z.array(FeeTier),
  z.null(),
])

export const SettingsVersion = z.object({
  id: Id,
  changedBy: z.nullable(PublicUser),
  createdAt: Timestamp,
  /** Fields by the names in `SettingsChange`. Without a currency, amounts are in the first one of this version. */
  changes: z.array(
    z.object({ field: z.string(), currency: z.optional(Currency), from: SettingValue, to: SettingValue }),
  ),
  /** When the changed fees come into force. Null if the fees did not change. */
  feesFrom: z.nullable(Timestamp),
})
export type SettingsVersion = z.output<typeof SettingsVersion>

export const listSettingsHistory = call({
  method: 'GET',
  path: '/api/admin/settings/history',
  access: 'admin',
  summary: 'Lists the changes of the settings, newest first',
  query: z.object({ limit: pageLimit(50, 100), cursor: z.optional(PathId) }),
  reply: z.array(SettingsVersion),
})
