import type { Currency } from '@sought/contract/currencies'
import { defaultFees, highestLimits } from '@sought/contract/currency-defaults'
import {
  type DeploymentDefaults,
  limitsOf,
  type MarketSettings,
  parseSettings,
  withLimits,
} from '@sought/contract/market-settings'
import type { MarketFees } from '@sought/escrow/fees'
import { PAYMENT_METHODS } from '@sought/escrow/payment-methods'
import { and, asc, desc, eq, lte, sql } from 'drizzle-orm'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { refuse } from '../core/errors.ts'
import { inTime } from '../core/in-time.ts'
import type { Db } from './database.ts'
import { prepareOnce } from './prepared.ts'
import { feeRates, installation, marketSettings, policyVersions } from './schema.ts'

/** The settings in force, and the fees for an offer that is accepted now. */
export interface Market extends MarketSettings {
  /** Those of each currency of the market. */
  fees: Record<string, MarketFees>
  /** The policies in force with the operator's own texts. */
  policies: PolicyInForce[]
  /** Differs between any two states of the settings, fees and policies. */
  version: string
}

export interface MarketReader {
  /** The settings if they are recent, without waiting. Starts a new read if they are getting old. */
  peek(): Market | null
  /** If the database fails, returns the last known settings. */
  read(): Promise<Market>
  /** Includes changes that another process has just made. */
  readNow(): Promise<Market>
  /** The last known settings, or the initial ones. Used for pages, which are sent even while the database is down. */
  latest(): Market
  /** Called by the process that changed the settings. The others follow within two seconds. */
  forget(): void
}

const READ_AGAIN_MS = 1_000
const MAX_AGE_MS = 2_000
/** Every request waits for the settings. If the database does not answer, the last known ones must do. */
const ANSWER_WITHIN_MS = 2_000

const startWith = (currency: Currency): Market => ({
  ...parseSettings({}, currency),
  fees: { [currency]: defaultFees(currency) },
  policies: [],
  version: '',
})

/** Reads the settings once a second, because every request needs them. Money uses `findFees` instead. */
export function createMarketReader(
  db: Db,
  clock: Clock,
  /** Of a new market. */
  currency: Currency,
  nowMs: () => number = performance.now.bind(performance),
): MarketReader {
  let last: { market: Market; readAtMs: number } | null = null
  let isForgotten = false
  let running: Promise<Market> | null = null
  let runningSinceMs = 0

  /** Concurrent callers share one read. Its age counts from its start. */
  function readAgain(): Promise<Market> {
    const readAtMs = nowMs()
    if (running && readAtMs - runningSinceMs < ANSWER_WITHIN_MS) return running
    const read = readMarket(db, clock()).then(
      (market) => {
        if (running === read) {
          last = { market, readAtMs }
          isForgotten = false
          running = null
        }
        return market
      },
      (error: unknown) => {
        if (running === read) running = null
        if (last) return last.market
        throw error
      },
    )
    running = read
    runningSinceMs = readAtMs
    return read
  }

  /** Does not wait long if there are settings to fall back to. */
  function readSoon(): Promise<Market> {
    const read = readAgain()
    if (!last || isForgotten) return read
    const { market } = last
    return inTime(read, ANSWER_WITHIN_MS).catch(() => market)
  }

  function peek(): Market | null {
    if (!last || isForgotten) return null
    const ageMs = nowMs() - last.readAtMs
    if (ageMs >= MAX_AGE_MS) return null
    if (ageMs >= READ_AGAIN_MS) void readAgain()
    return last.market
  }

  return {
    peek,
    read: async () => peek() ?? readSoon(),
    async readNow() {
      // A running read may not see the change.
      running = null
      return readAgain()
    },
    latest: () => last?.market ?? startWith(currency),
    forget() {
      running = null
      isForgotten = true
    },
  }
}

/** Refuses a category that the market does not have or has no longer. */
export function requireKnownCategory(
  category: string,
  { categories }: Pick<MarketSettings, 'categories'>,
  path = 'category',
): void {
  if (!categories.includes(category))
    throw refuse('invalid', { issues: [{ path, message: 'Category is required' }] })
}

async function readMarket(db: Db, now: Date): Promise<Market> {
  const [{ id, settings }, feeRows, policies] = await Promise.all([
    findLatest(db),
    findFeeRows(db, now),
    findPoliciesInForce(db, now),
  ])
  const fees = Object.fromEntries(
    settings.currencies.map((currency) => [currency, feesIn(feeRows, currency)]),
  )
  const version = [id, ...feeRows.map((row) => row.id), ...policies.map((policy) => policy.id)].join('.')
  return { ...settings, fees, policies, version }
}

const latestVersion = sql`${marketSettings.id} = (select max(id) from ${marketSettings})`

async function findLatest(db: Db): Promise<{ id: number; settings: MarketSettings }> {
  const [latest] = await db
    .select({ id: marketSettings.id, stored: marketSettings.settings, currency: installation.currency })
    .from(installation)
    .leftJoin(marketSettings, latestVersion)
  if (!latest) throw new Error('the database has no installation')
  return {
    id: latest.id ?? 0,
    settings: parseSettings(withKnownMethods(latest.stored ?? {}), latest.currency),
  }
}

/** A newer release, which runs beside this one, may have stored payment methods that this one does not know. */
function withKnownMethods({ paymentMethods, ...settings }: Partial<MarketSettings>): Partial<MarketSettings> {
  const known = paymentMethods?.filter((method) => PAYMENT_METHODS.includes(method))
  return { ...settings, ...(known && { paymentMethods: known }) }
}

export async function findSettings(db: Db): Promise<MarketSettings> {
  const { settings } = await findLatest(db)
  const [first] = settings.currencies
  if (!first) throw new Error('a market has a currency')
  // Settings from before this bound can be higher.
  const limits = limitsOf(settings, first)
  const goodwillApprovalCents = Math.min(limits.goodwillApprovalCents, highestLimits(first).goodwill)
  return withLimits(settings, first, { ...limits, goodwillApprovalCents })
}

/** A warning if CURRENCY names another currency than the stored first one, which counts. */
export async function findIgnoredCurrency(
  db: Db,
  { currency, isCurrencyGiven }: Pick<Config, 'currency' | 'isCurrencyGiven'>,
): Promise<string | null> {
  const { currencies } = await findSettings(db)
  if (!isCurrencyGiven || currency === currencies[0]) return null
  return `CURRENCY=${currency} is ignored: the market uses ${currencies.join(', ')}. Change its currencies in the settings`
}

/** Refuses a currency that the market does not have or has no longer. */
export function requireCurrency(
  currency: Currency,
  { currencies }: Pick<MarketSettings, 'currencies'>,
): void {
  if (!currencies.includes(currency)) throw refuse('currency_not_available')
}

/** The settings with the defaults of the deployment, for those that the operator has not set. */
export function withDefaults<Settings extends MarketSettings>(
  settings: Settings,
  defaults: DeploymentDefaults,
) {
  return {
    ...settings,
    requireVerifiedEmail: settings.requireVerifiedEmail ?? defaults.requireVerifiedEmail,
    payoutDelayHours: settings.payoutDelayHours ?? defaults.payoutDelayHours,
    newSellerPayoutDelayDays: settings.newSellerPayoutDelayDays ?? defaults.newSellerPayoutDelayDays,
  }
}

const rateColumns = {
  platformFeeBasisPoints: feeRates.platformFeeBasisPoints,
  processingFeeBasisPoints: feeRates.processingFeeBasisPoints,
  processingFeeCents: feeRates.processingFeeCents,
  minimumFeeCents: feeRates.minimumFeeCents,
  feeTiers: feeRates.feeTiers,
}

/** The fees of each currency in force at a time. */
function findFeeRows(db: Db, at: Date) {
  return db
    .selectDistinctOn([feeRates.currency], { id: feeRates.id, currency: feeRates.currency, ...rateColumns })
    .from(feeRates)
    .where(lte(feeRates.effectiveFrom, at))
    .orderBy(feeRates.currency, desc(feeRates.effectiveFrom), desc(feeRates.id))
}

type FeeRow = Awaited<ReturnType<typeof findFeeRows>>[number]

/** A currency whose fees were never set has the default ones. */
function feesIn(rows: FeeRow[], currency: Currency): MarketFees {
  const {
    id: _,
    currency: __,
    ...rates
  } = rows.find((row) => row.currency === currency) ?? {
    id: 0,
    currency,
    ...defaultFees(currency),
  }
  return rates
}

/** The fees in force in a currency at a time, such as when an offer was accepted. */
export async function findFees(db: Db, at: Date, currency: Currency): Promise<MarketFees> {
  const [rates] = await db
    .select(rateColumns)
    .from(feeRates)
    .where(and(eq(feeRates.currency, currency), lte(feeRates.effectiveFrom, at)))
    .orderBy(desc(feeRates.effectiveFrom), desc(feeRates.id))
    .limit(1)
  return rates ?? defaultFees(currency)
}

/** The latest version of each policy that has one in force, without its text. */
export function findPoliciesInForce(db: Db, now: Date) {
  return policiesStatement(db).execute({ now })
}
export type PolicyInForce = Awaited<ReturnType<typeof findPoliciesInForce>>[number]

const policiesStatement = prepareOnce((db) => {
  const { id, policy, version, effectiveFrom } = policyVersions
  return db
    .selectDistinctOn([policy], { id, policy, version, effectiveFrom })
    .from(policyVersions)
    .where(lte(effectiveFrom, sql.placeholder('now')))
    .orderBy(policy, desc(version))
    .prepare('')
})

export interface DatedFees {
  currency: Currency
  effectiveFrom: Date
  rates: MarketFees
}

/** All past, current and future fees. Of two of a currency with the same start, only the later one. */
export function findAllFees(db: Db): Promise<DatedFees[]> {
  const { currency, effectiveFrom } = feeRates
  return db
    .selectDistinctOn([currency, effectiveFrom], { currency, effectiveFrom, rates: rateColumns })
    .from(feeRates)
    .orderBy(currency, asc(effectiveFrom), desc(feeRates.id))
}

const ALWAYS = new Date(0)

/** Like `findFees`, for many times at once. */
export function feesAt(all: readonly DatedFees[], at: Date, currency: Currency): DatedFees {
  return (
    all.findLast((fees) => fees.currency === currency && fees.effectiveFrom <= at) ?? {
      currency,
      effectiveFrom: ALWAYS,
      rates: defaultFees(currency),
    }
  )
}
