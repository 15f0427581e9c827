import { isDeepStrictEqual } from 'node:util'
import { MarketSettings, type SettingsChange } from '@sought/contract/market-settings'
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
  withDefaults,
} from '../../../database/market-settings.ts'
import { insertRow } from '../../../database/rows.ts'
import { feeRates, marketSettings, users } from '../../../database/schema.ts'
import { reencodePicture } from '../../../files/images.ts'
import { insertPublicPicture, pictureFile, storeFile } from '../../../files/stored-files.ts'
import type { Actor } from '../../../http/session.ts'
import type { Services } from '../../../services.ts'
import { by, recordAudit } from '../../users/audit-log.ts'
import { asPublicUser, publicColumns } from '../../users/public-user.ts'

/** The settings with the current and the scheduled fees. */
export async function readSettings(db: Db, now: Date, { settingDefaults }: Config) {
  const [settings, allFees] = await Promise.all([findSettings(db), findAllFees(db)])
  return {
    ...withDefaults(settings, settingDefaults),
    ...presentFees(feesAt(allFees, now)),
    scheduledFees: findScheduled(allFees, now).map(presentFees),
  }
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
function findScheduled(all: DatedFees[], now: Date): DatedFees[] {
  return all.filter(
    ({ effectiveFrom, rates }, index) =>
      effectiveFrom > now && !isDeepStrictEqual(rates, all[index - 1]?.rates),
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
  const { platformFeePercent, processingFeePercent, processingFeeCents, minimumFee, feeTiers, ...others } =
    change
  const { feesFrom, ...fields } = others
  const before = await findSettings(tx)
  const after: MarketSettings = { ...before, ...fields }
  requireLongerHold(after)
  const effectiveFrom = startOfFees(feesFrom, now)
  requireFuture(effectiveFrom, now)
  if (fields.goodwillApprovalCents !== undefined) {
    if (!mayChangeGoodwill(before, fields.goodwillApprovalCents, admin)) {
      await proposeGoodwillLimit(tx, before, fields.goodwillApprovalCents, admin)
      return null
    }
    delete after.proposedGoodwillApprovalCents
    delete after.goodwillApprovalProposedBy
  }
  const feesBefore = await findFees(tx, effectiveFrom)
  const fees = {
    ...feesBefore,
    ...(platformFeePercent !== undefined && { platformFeeBasisPoints: inBasisPoints(platformFeePercent) }),
    ...(processingFeePercent !== undefined && {
      processingFeeBasisPoints: inBasisPoints(processingFeePercent),
    }),
    ...(processingFeeCents !== undefined && { processingFeeCents }),
    ...(minimumFee !== undefined && { minimumFeeCents: minimumFee }),
    ...(feeTiers !== undefined && { feeTiers }),
  }
  const changedFields = [
    ...changesBetween(before, after),
    ...changesBetween(inPercent(feesBefore), inPercent(fees)),
  ].map(({ field }) => field)
  if (changedFields.length > 0) {
    const settingsId = await addVersion(tx, after, changedFields, admin)
    if (!isDeepStrictEqual(fees, feesBefore))
      await insertFees(tx, { ...fees, effectiveFrom, settingsId, createdBy: admin.id })
  }
  return readSettings(tx, now, config)
}

/** Anyone can lower the limit. Raising it needs an admin who proposes the value and another one who sends it too. */
function mayChangeGoodwill(before: MarketSettings, cents: number, admin: Actor): boolean {
  const { goodwillApprovalCents, proposedGoodwillApprovalCents, goodwillApprovalProposedBy } = before
  if (cents <= goodwillApprovalCents) return true
  return cents === proposedGoodwillApprovalCents && goodwillApprovalProposedBy !== admin.id
}

async function proposeGoodwillLimit(tx: Tx, before: MarketSettings, cents: number, admin: Actor) {
  if (before.proposedGoodwillApprovalCents === cents) return
  const proposal = { proposedGoodwillApprovalCents: cents, goodwillApprovalProposedBy: admin.id }
  await addVersion(tx, { ...before, ...proposal }, ['proposedGoodwillApprovalCents'], admin)
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

/** The changed fields, in the order of the settings. Who proposed a change is who saved that version. */
function changesBetween(before: Settings, after: Settings) {
  return Object.keys({ ...after, ...before })
    .map((field) => ({ field, from: before[field] ?? null, to: after[field] ?? null }))
    .filter(({ field, from, to }) => field !== 'goodwillApprovalProposedBy' && !isDeepStrictEqual(from, to))
}

type FeeChange = Awaited<ReturnType<typeof findFeeChanges>>[number]

/** The changes in each version of the settings, newest first. */
export async function settingsHistory(db: Db, page: { limit: number; cursor?: number | undefined }) {
  // One more than the page: each version is compared with the previous one.
  const [versions, feeChanges] = await Promise.all([
    findVersions(db, { ...page, limit: page.limit + 1 }),
    findFeeChanges(db),
  ])
  return versions.slice(0, page.limit).map(({ version, changedBy }, index) => {
    const before = MarketSettings.parse(versions[index + 1]?.version.settings ?? {})
    const fees = feeChanges.find(({ settingsId }) => settingsId === version.id)
    return {
      id: version.id,
      changedBy: changedBy && asPublicUser(changedBy),
      createdAt: version.createdAt,
      changes: [
        ...changesBetween(before, MarketSettings.parse(version.settings)),
        ...(fees ? changesBetween(inPercent(feesReplacedBy(fees, feeChanges)), inPercent(fees)) : []),
      ],
      feesFrom: fees?.effectiveFrom ?? null,
    }
  })
}

/** The earlier fees that would have been in force at the time when the new ones start. */
function feesReplacedBy(fees: FeeChange, all: FeeChange[]): FeeChange {
  const [replaced] = all
    .filter(({ id, effectiveFrom }) => id < fees.id && effectiveFrom <= fees.effectiveFrom)
    .sort((a, b) => b.effectiveFrom.getTime() - a.effectiveFrom.getTime() || b.id - a.id)
  if (!replaced) throw new Error('there are no fees')
  return replaced
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
