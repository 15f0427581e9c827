import type { MarketSettings } from '@sought/contract/market-settings'
import type { FeeRates } from '@sought/escrow/fees'
import { asc, desc, eq, lt, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../database/database.ts'
import { insertRow } from '../../../database/rows.ts'
import { feeRates, marketSettings, users } from '../../../database/schema.ts'
import { publicColumns } from '../../users/public-user.ts'

/** Serializes changes, because each one is based on the settings before it. */
export async function lockSettings(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('market_settings', 0))`)
}

export async function insertSettings(tx: Tx, settings: MarketSettings, changedBy: string): Promise<number> {
  const { id } = await insertRow(tx, marketSettings, { settings, changedBy, createdAt: tx.now })
  return id
}

interface NewFees extends FeeRates {
  effectiveFrom: Date
  settingsId: number
  createdBy: string
}

export async function insertFees(tx: Tx, fees: NewFees): Promise<void> {
  await tx.insert(feeRates).values({ ...fees, createdAt: tx.now })
}

/** Versions of the settings and who made them, newest first. */
export function findVersions(db: Db, { limit, cursor }: { limit: number; cursor?: number | undefined }) {
  return db
    .select({ version: marketSettings, changedBy: publicColumns(users) })
    .from(marketSettings)
    .leftJoin(users, eq(users.id, marketSettings.changedBy))
    .where(cursor === undefined ? undefined : lt(marketSettings.id, cursor))
    .orderBy(desc(marketSettings.id))
    .limit(limit)
}

/** All fees that were ever set, oldest first. */
export function findFeeChanges(db: Db) {
  return db.select().from(feeRates).orderBy(asc(feeRates.id))
}
