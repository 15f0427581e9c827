import { isDeepStrictEqual } from 'node:util'
import type { Currency } from '@sought/contract/currencies'
import { defaultFees, highestLimits, smallestOffer } from '@sought/contract/currency-defaults'
import { AMOUNT_MAX } from '@sought/contract/fields'
import {
  FEE_FIELDS,
  LIMIT_FIELDS,
  type Limits,
  limitsOf,
  type MarketSettings,
  parseSettings,
  type SettingsChange,
  withCurrencies,
  withLimits,
} from '@sought/contract/market-settings'
import { findStepProblem, formatMoney } from '@sought/contract/money'
import type { FeeTier, MarketFees } from '@sought/escrow/fees'
import { asc, desc, eq, lt, sql } from 'drizzle-orm'
import type { Config } from '../../../core/config.ts'
import { refuse } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../database/database.ts'
import {
  type DatedFees,
  feesAt,
  findAllFees,
  findFees,
  findSettings,
  requireCurrency,
  withDefaults,
} from '../../../database/market-settings.ts'
import { insertRow } from '../../../database/rows.ts'
import {
  feeRates,
  installation,
  marketSettings,
  payments,
  payouts,
  users,
  wantedItems,
} from '../../../database/schema.ts'
import { reencodePicture } from '../../../files/images.ts'
import { insertPublicPicture, pictureFile, storeFile } from '../../../files/stored-files.ts'
import type { Actor } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser, publicColumns } from '../../users/public-user.ts'

/** The settings with the current and the scheduled fees. */
export async function readSettings(db: Db, now: Date, { settingDefaults }: Config) {
  const [settings, allFees] = await Promise.all([findSettings(db), findAllFees(db)])
  const inCurrency = (currency: Currency) => ({
    ...limitsOf(settings, currency),
    ...presentFees(feesAt(allFees, now, currency)),
    scheduledFees: findScheduled(allFees, now, currency).map(presentFees),
  })
  return {
    ...withDefaults(settings, settingDefaults),
    ...inCurrency(firstOf(settings)),
    byCurrency: Object.fromEntries(settings.currencies.map((currency) => [currency, inCurrency(currency)])),
  }
}

function firstOf({ currencies: [first] }: MarketSettings): Currency {
  if (!first) throw new Error('a market has a currency')
  return first
}

/** Twice the largest size at which the logo is shown. */
const LOGO_SIDE_PIXELS = 512

/** Decodes the picture before it takes a database connection. */
export async function uploadLogo(
  { database, files, config }: Pick<Services, 'database' | 'files' | 'config'>,
  uploaded: Uint8Array,
  admin: Actor,
) {
  const picture = await reencodePicture(uploaded, LOGO_SIDE_PIXELS, admin.id)
  return storeFile(files, pictureFile(picture), (stored) =>
    database.transact(async (tx) =>
      changeLogo(tx, await insertPublicPicture(tx, stored, 'logo', admin.id), admin, config),
    ),
  )
}

const presentFees = ({ rates, effectiveFrom }: DatedFees) => ({
  ...inPercent(rates),
  feesFrom: effectiveFrom,
})

/** Leaves out entries with unchanged rates: they cancel an earlier scheduled change. */
function findScheduled(all: DatedFees[], now: Date, currency: Currency): DatedFees[] {
  return all
    .filter((fees) => fees.currency === currency)
    .filter(
      ({ effectiveFrom, rates }, index, own) =>
        effectiveFrom > now && !isDeepStrictEqual(rates, own[index - 1]?.rates),
    )
}

const inPercent = (rates: MarketFees) => ({
  platformFeePercent: rates.platformFeeBasisPoints / 100,
  processingFeePercent: rates.processingFeeBasisPoints / 100,
  processingFeeCents: rates.processingFeeCents,
  minimumFee: rates.minimumFeeCents,
  feeTiers: rates.feeTiers,
})

/**
 * Adds a version of the settings with these changes. Accepted deals keep their fees, and held payments their
 * hold. A change that needs a second admin is only proposed, and the result is null.
 */
export async function changeSettings(
  tx: Tx,
  change: SettingsChange,
  admin: Actor,
  { clock, config }: Pick<Services, 'clock' | 'config'>,
) {
  await lockSettings(tx)
  // Not `tx.now`: while this transaction waited for the lock, another change may have been saved.
  const now = clock()
  const { currency: chosen, currencies, feesFrom, ...fields } = change
  const before = await findSettings(tx)
  const current = currencies ? withCurrencies(before, currencies) : before
  const currency = chosen ?? firstOf(current)
  requireCurrency(currency, current)
  requireAmounts(change, currency)
  const limits = { ...limitsOf(current, currency), ...pick(fields, LIMIT_FIELDS) }
  const after = {
    ...withLimits(current, currency, limits),
    ...omit(fields, [...LIMIT_FIELDS, ...FEE_FIELDS]),
  }
  requireLongerHold(after)
  const effectiveFrom = startOfFees(feesFrom, now)
  requireFuture(effectiveFrom, now)
  if (currencies)
    await requireUnused(
      tx,
      before.currencies.filter((it) => !currencies.includes(it)),
    )
  if (fields.goodwillApprovalCents !== undefined) {
    const limitsBefore = limitsOf(before, currency)
    if (!mayChangeGoodwill(limitsBefore, fields.goodwillApprovalCents, admin)) {
      await proposeGoodwillLimit(tx, before, currency, fields.goodwillApprovalCents, admin)
      return null
    }
    const { proposedGoodwillApprovalCents: _, goodwillApprovalProposedBy: __, ...decided } = limits
    return saveChange(withLimits(after, currency, decided))
  }
  return saveChange(after)

  async function saveChange(settings: MarketSettings) {
    const feesBefore = await findFees(tx, effectiveFrom, currency)
    const fees = withFees(feesBefore, change)
    const changed = [
      ...settingChanges(before, settings),
      ...changesBetween(inPercent(feesBefore), inPercent(fees)),
    ]
    if (changed.length > 0) {
      const names = [...new Set(changed.map(({ field }) => field))]
      const settingsId = await addVersion(tx, settings, names, admin)
      if (!isDeepStrictEqual(fees, feesBefore))
        await insertFees(tx, { ...fees, currency, effectiveFrom, settingsId, createdBy: admin.id })
    }
    return readSettings(tx, now, config)
  }
}

function withFees(fees: MarketFees, change: SettingsChange): MarketFees {
  const { platformFeePercent, processingFeePercent, processingFeeCents, minimumFee, feeTiers } = change
  return {
    ...fees,
    ...(platformFeePercent !== undefined && { platformFeeBasisPoints: inBasisPoints(platformFeePercent) }),
    ...(processingFeePercent !== undefined && {
      processingFeeBasisPoints: inBasisPoints(processingFeePercent),
    }),
    ...(processingFeeCents !== undefined && { processingFeeCents }),
    ...(minimumFee !== undefined && { minimumFeeCents: minimumFee }),
    ...(feeTiers !== undefined && { feeTiers }),
  }
}

function pick<Fields extends object, Name extends keyof Fields>(fields: Fields, names: readonly Name[]) {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => names.includes(name as Name) && value !== undefined),
  ) as { [Key in Name]?: Exclude<Fields[Key], undefined> }
}

function omit<Fields extends object, Name extends keyof Fields>(fields: Fields, names: readonly Name[]) {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name as Name))) as Omit<
    Fields,
    Name
  >
}

/** Refuses amounts that are off the step of their currency or out of its bounds. */
function requireAmounts(change: SettingsChange, currency: Currency): void {
  const { processingFee, minimumFee, ratingMin, goodwill } = highestLimits(currency)
  const amounts: [keyof SettingsChange, amount: number | null | undefined, max: number, min?: number][] = [
    ['processingFeeCents', change.processingFeeCents, processingFee],
    ['minimumFee', change.minimumFee, minimumFee],
    ['ratingMinCents', change.ratingMinCents, ratingMin],
    ['goodwillApprovalCents', change.goodwillApprovalCents, goodwill],
    ['highValueCents', change.highValueCents, AMOUNT_MAX],
    ['maxOfferCents', change.maxOfferCents, AMOUNT_MAX, smallestOffer(currency)],
  ]
  const issues = amounts.flatMap(([path, amount, max, min = 0]) => {
    if (amount === undefined || amount === null) return []
    const message =
      amount < min || amount > max
        ? `Must be between ${formatMoney(min, currency)} and ${formatMoney(max, currency)}`
        : findStepProblem(amount, currency)
    return message === null ? [] : [{ path, message }]
  })
  if (issues.length > 0) throw refuse('invalid', { issues })
}

/** Refuses to remove currencies in which somebody could still pay or be paid. */
async function requireUnused(tx: Tx, removed: Currency[]): Promise<void> {
  for (const currency of removed) if (await isUsed(tx, currency)) throw refuse('currency_in_use')
}

/** Anyone can lower the limit. Raising it needs an admin who proposes the value and another one who sends it too. */
function mayChangeGoodwill(before: Limits, amount: number, admin: Actor): boolean {
  const { goodwillApprovalCents, proposedGoodwillApprovalCents, goodwillApprovalProposedBy } = before
  if (amount <= goodwillApprovalCents) return true
  return amount === proposedGoodwillApprovalCents && goodwillApprovalProposedBy !== admin.id
}

async function proposeGoodwillLimit(
  tx: Tx,
  before: MarketSettings,
  currency: Currency,
  amount: number,
  admin: Actor,
) {
  const limits = limitsOf(before, currency)
  if (limits.proposedGoodwillApprovalCents === amount) return
  const proposal = { proposedGoodwillApprovalCents: amount, goodwillApprovalProposedBy: admin.id }
  const after = withLimits(before, currency, { ...limits, ...proposal })
  await addVersion(tx, after, ['proposedGoodwillApprovalCents'], admin)
}

async function addVersion(tx: Tx, after: MarketSettings, changedFields: string[], admin: Actor) {
  const settingsId = await insertSettings(tx, after, admin.id)
  const details = { settingsId, fields: changedFields.join(', '), mode: after.mode }
  await recordAudit(tx, { action: 'settings_changed', ...by(admin), details })
  return settingsId
}

/** Null removes the logo. Open pages still show the old one, so only purgeAbandonedFiles deletes its file. */
export async function changeLogo(tx: Tx, logoUrl: string | null, admin: Actor, config: Config) {
  await lockSettings(tx)
  const before = await findSettings(tx)
  if (before.logoUrl !== logoUrl) await addVersion(tx, { ...before, logoUrl }, ['logoUrl'], admin)
  return readSettings(tx, tx.now, config)
}

/** Fees cannot start in the past, so fees from today start now. */
function startOfFees(feesFrom: string | undefined, now: Date): Date {
  const isToday = feesFrom === now.toISOString().slice(0, 'YYYY-MM-DD'.length)
  return feesFrom === undefined || isToday ? now : new Date(feesFrom)
}

const inBasisPoints = (percent: number) => Math.round(percent * 100)

function requireLongerHold({ holdDays, holdDaysHighValue }: MarketSettings): void {
  if (holdDaysHighValue >= holdDays) return
  const message = 'Expensive items cannot stay in escrow for a shorter time than others'
  throw refuse('invalid', { issues: [{ path: 'holdDaysHighValue', message }] })
}

function requireFuture(effectiveFrom: Date, now: Date): void {
  if (effectiveFrom >= now) return
  throw refuse('invalid', { issues: [{ path: 'feesFrom', message: 'Must not be in the past' }] })
}

type Settings = Record<string, SettingValue | undefined>
type SettingValue = string | number | boolean | string[] | FeeTier[] | null

interface Change {
  field: string
  currency?: Currency
  from: SettingValue
  to: SettingValue
}

/** The changed fields, in the order of the settings. Who proposed a change is who saved that version. */
function changesBetween(before: Settings, after: Settings): Change[] {
  return Object.keys({ ...after, ...before })
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(({ field, from, to }) => field !== 'goodwillApprovalProposedBy' && !isDeepStrictEqual(from, to))
}

/** The changes of all settings. Those of limits name their currency, unless it is the first one. */
function settingChanges(before: MarketSettings, after: MarketSettings): Change[] {
  const first = firstOf(after)
  const currencies = [...new Set([...after.currencies, ...before.currencies])]
  return [
    ...changesBetween(omit(before, LIMITS), omit(after, LIMITS)),
    ...currencies.flatMap((currency) =>
      changesBetween({ ...limitsOf(before, currency) }, { ...limitsOf(after, currency) }).map((change) =>
        currency === first ? change : { ...change, currency },
      ),
    ),
  ]
}

const LIMITS = [
  ...LIMIT_FIELDS,
  'proposedGoodwillApprovalCents',
  'goodwillApprovalProposedBy',
  'limits',
] as const

type FeeChange = Awaited<ReturnType<typeof findFeeChanges>>[number]

/** The changes in each version of the settings, newest first. */
export async function settingsHistory(db: Db, page: { limit: number; cursor?: number | undefined }) {
  // One more than the page: each version is compared with the previous one.
  const [versions, feeChanges, [installed]] = await Promise.all([
    findVersions(db, { ...page, limit: page.limit + 1 }),
    findFeeChanges(db),
    db.select().from(installation),
  ])
  if (!installed) throw new Error('the database has no installation')
  const parse = (stored: Partial<MarketSettings> = {}) => parseSettings(stored, installed.currency)
  return versions.slice(0, page.limit).map(({ version, changedBy }, index) => {
    const before = parse(versions[index + 1]?.version.settings)
    const after = parse(version.settings)
    const fees = feeChanges.find(({ settingsId }) => settingsId === version.id)
    return {
      id: version.id,
      changedBy: changedBy && asPublicUser(changedBy),
      createdAt: version.createdAt,
      changes: [...settingChanges(before, after), ...(fees ? feeChangesOf(fees, feeChanges, after) : [])],
      feesFrom: fees?.effectiveFrom ?? null,
    }
  })
}

function feeChangesOf(fees: FeeChange, all: FeeChange[], after: MarketSettings): Change[] {
  const { currency } = fees
  const changes = changesBetween(inPercent(feesReplacedBy(fees, all)), inPercent(fees))
  return currency === firstOf(after) ? changes : changes.map((change) => ({ ...change, currency }))
}

/** The earlier fees of the currency that would have been in force at the time when the new ones start. */
function feesReplacedBy(fees: FeeChange, all: FeeChange[]): MarketFees {
  const [replaced] = all
    .filter(
      ({ currency, id, effectiveFrom }) =>
        currency === fees.currency && id < fees.id && effectiveFrom <= fees.effectiveFrom,
    )
    .sort((a, b) => b.effectiveFrom.getTime() - a.effectiveFrom.getTime() || b.id - a.id)
  return replaced ?? defaultFees(fees.currency)
}

/** Serializes changes, because each one is based on the settings before it. */
async function lockSettings(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('market_settings', 0))`)
}

async function insertSettings(tx: Tx, settings: MarketSettings, changedBy: string): Promise<number> {
  const { id } = await insertRow(tx, marketSettings, { settings, changedBy, createdAt: tx.now })
  return id
}

interface NewFees extends MarketFees {
  currency: Currency
  effectiveFrom: Date
  settingsId: number
  createdBy: string
}

async function insertFees(tx: Tx, fees: NewFees): Promise<void> {
  await tx.insert(feeRates).values({ ...fees, createdAt: tx.now })
}

/** Versions of the settings and who made them, newest first. */
function findVersions(db: Db, { limit, cursor }: { limit: number; cursor?: number | undefined }) {
  return db
    .select({ version: marketSettings, changedBy: publicColumns(users) })
    .from(marketSettings)
    .leftJoin(users, eq(users.id, marketSettings.changedBy))
    .where(cursor === undefined ? undefined : lt(marketSettings.id, cursor))
    .orderBy(desc(marketSettings.id))
    .limit(limit)
}

/** All fees that were ever set, oldest first. */
function findFeeChanges(db: Db) {
  return db.select().from(feeRates).orderBy(asc(feeRates.id))
}

/** Whether somebody can still agree, pay or be paid in this currency. Offers need a request that is open. */
async function isUsed(tx: Tx, currency: Currency): Promise<boolean> {
  const { rows } = await tx.execute<{ isUsed: boolean }>(sql`
    select exists (
        select from ${wantedItems} where currency = ${currency} and status in ('open', 'reserved')
      ) or exists (
        select from ${payments} where currency = ${currency} and (
          status in ('held_in_escrow', 'disputed', 'under_review')
          or status = 'pending' and waiting_until is not null
          or refund_cents > 0 and refunded_at is null
        )
      ) or exists (
        select from ${payouts} where currency = ${currency} and status not in ('paid', 'cancelled')
      ) as "isUsed"`)
  return rows[0]?.isUsed ?? true
}
