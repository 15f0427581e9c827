import { GOODWILL_MAX_CENTS } from '@sought/contract/goodwill'
import { type DeploymentDefaults, MarketSettings } from '@sought/contract/market-settings'
import { type MarketFees, STANDARD_FEES } from '@sought/escrow/fees'
import { PAYMENT_METHODS } from '@sought/escrow/payment-methods'
import { asc, desc, lte, sql } from 'drizzle-orm'
import type { Clock } from '../core/clock.ts'
import { refuse } from '../core/errors.ts'
import { inTime } from '../core/in-time.ts'
import type { Db } from './database.ts'
import { prepareOnce } from './prepared.ts'
import { feeRates, marketSettings, policyVersions } from './schema.ts'

/** The settings in force, and the fees for an offer that is accepted now. */
export interface Market extends MarketSettings {
  fees: MarketFees
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
const START: Market = { ...MarketSettings.parse({}), fees: STANDARD_FEES, policies: [], version: '' }

/** Reads the settings once a second, because every request needs them. Money uses `findFees` instead. */
export function createMarketReader(
  db: Db,
  clock: Clock,
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
    latest: () => last?.market ?? START,
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
  const [latest, { id: feesId, ...fees }, policies] = await Promise.all([
    findLatest(db),
    findFeesRow(db, now),
    findPoliciesInForce(db, now),
  ])
  const version = [latest?.id ?? 0, feesId, ...policies.map(({ id }) => id)].join('.')
  return { ...parseStored(latest), fees, policies, version }
}

/** A newer release, which runs beside this one, may have stored payment methods that this one does not know. */
function parseStored(latest: Awaited<ReturnType<typeof findLatest>>): MarketSettings {
  const { paymentMethods, ...settings } = latest?.settings ?? {}
  const known = paymentMethods?.filter((method) => PAYMENT_METHODS.includes(method))
  return MarketSettings.parse({ ...settings, ...(known && { paymentMethods: known }) })
}

async function findLatest(db: Db) {
  const [latest] = await db
    .select({ id: marketSettings.id, settings: marketSettings.settings })
    .from(marketSettings)
    .orderBy(desc(marketSettings.id))
    .limit(1)
  return latest
}

export async function findSettings(db: Db): Promise<MarketSettings> {
  const latest = await findLatest(db)
  const settings = parseStored(latest)
  // Settings from before this bound can be higher.
  const goodwillApprovalCents = Math.min(settings.goodwillApprovalCents, GOODWILL_MAX_CENTS)
  return { ...settings, goodwillApprovalCents }
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

async function findFeesRow(db: Db, at: Date) {
  const [rates] = await db
    .select({ id: feeRates.id, ...rateColumns })
    .from(feeRates)
    .where(lte(feeRates.effectiveFrom, at))
    .orderBy(desc(feeRates.effectiveFrom), desc(feeRates.id))
    .limit(1)
  if (!rates) throw new Error('there are no fees')
  return rates
}

/** The fees in force at a time, such as when an offer was accepted. */
export async function findFees(db: Db, at: Date): Promise<MarketFees> {
  const { id: _, ...rates } = await findFeesRow(db, at)
  return rates
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
  effectiveFrom: Date
  rates: MarketFees
}

/** All past, current and future fees. Of two with the same start, only the later one. */
export async function findAllFees(db: Db): Promise<DatedFees[]> {
  const found = await db
    .selectDistinctOn([feeRates.effectiveFrom], {
      effectiveFrom: feeRates.effectiveFrom,
      rates: rateColumns,
    })
    .from(feeRates)
    .orderBy(asc(feeRates.effectiveFrom), desc(feeRates.id))
  return found
}

/** Like `findFees`, for many times at once. */
export function feesAt(all: readonly DatedFees[], at: Date): DatedFees {
  const fees = all.findLast(({ effectiveFrom }) => effectiveFrom <= at)
  if (!fees) throw new Error('there are no fees')
  return fees
}
