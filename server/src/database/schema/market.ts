import { POLICIES } from '@sought/contract/constants'
import { EXPORT_KINDS, EXPORT_STATUSES } from '@sought/contract/exports'
import type { MarketSettings } from '@sought/contract/market-settings'
import type { FeeTier } from '@sought/escrow/fees'
import { sql } from 'drizzle-orm'
import { bigint, date, integer, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import { amount, createdAt, currency, id, moment } from './columns.ts'

/** Every version of the market's settings. The latest is in force. A trigger refuses changes and deletions. */
export const marketSettings = pgTable('market_settings', {
  id: id(),
  settings: jsonb().$type<MarketSettings>().notNull(),
  /** Null for the market's first version. */
  changedBy: text(),
  createdAt: createdAt(),
})

/**
 * The fees and their start times. If two rows have the same start, the later row applies. A trigger refuses
 * changes, deletions and starts in the past, so the fees of accepted deals never change.
 */
export const feeRates = pgTable('fee_rates', {
  id: id(),
  effectiveFrom: moment().notNull(),
  currency: currency().default(sql`market_currency()`),
  platformFeeBasisPoints: integer().notNull(),
  processingFeeBasisPoints: integer().notNull(),
  processingFeeCents: amount().notNull(),
  minimumFeeCents: amount().notNull().default(0),
  feeTiers: jsonb().$type<FeeTier[]>().notNull().default([]),
  /** The version of the settings that set these fees. Null for the market's first fees. */
  settingsId: integer(),
  /** Null for the market's first fees. */
  createdBy: text(),
  createdAt: createdAt(),
})

/** The operator's own policy texts. Without one, the built-in text is version 0. */
export const policyVersions = pgTable('policy_versions', {
  id: id(),
  policy: text({ enum: POLICIES }).notNull(),
  version: integer().notNull(),
  text: text().notNull(),
  effectiveFrom: moment().notNull(),
  createdBy: text().notNull(),
  createdAt: createdAt(),
  /** All users up to this id were notified that the version is scheduled. */
  announcedUpTo: text().notNull().default(''),
  /** When all users were notified that it is scheduled. */
  announcedAt: moment(),
  /** All users up to this id were notified that the version is in force. */
  notifiedUpTo: text().notNull().default(''),
  /** When all users were notified. */
  notifiedAt: moment(),
})

/** The versions of policies that users have accepted, and when. */
export const policyConsents = pgTable('policy_consents', {
  userId: text().notNull(),
  policy: text({ enum: POLICIES }).notNull(),
  version: integer().notNull(),
  createdAt: createdAt(),
})

/** Files for accountants, created by a job. */
export const exportJobs = pgTable('export_jobs', {
  id: id(),
  kind: text({ enum: EXPORT_KINDS }).notNull(),
  year: smallint().notNull(),
  status: text({ enum: EXPORT_STATUSES }).notNull().default('running'),
  /** In percent. */
  progress: smallint().notNull().default(0),
  fileId: text(),
  requestedBy: text().notNull(),
  createdAt: createdAt(),
  endedAt: moment(),
})

/**
 * Figures of the market by day and by month in UTC: for all requests, each category and each country (ADR 84). A
 * job adds figure_changes to them.
 */
export const marketFigures = pgTable('market_figures', {
  slice: text({ enum: ['all', 'category', 'country'] }).notNull(),
  grain: text({ enum: ['day', 'month'] }).notNull(),
  /** The day, or the first day of the month. */
  start: date().notNull(),
  /** The category or the country. Empty for all requests, and if it is unknown. */
  name: text().notNull(),
  figure: text().notNull(),
  value: bigint({ mode: 'number' }).notNull(),
})

/**
 * Changes of figures, written by triggers in the transaction of the counted change. A job adds them to
 * market_figures.
 */
export const figureChanges = pgTable('figure_changes', {
  id: bigint({ mode: 'number' }).generatedByDefaultAsIdentity().primaryKey(),
  /**
   * A figure, or `moved` if a request was deleted or got another category or country, or `recount` to count
   * everything.
   */
  figure: text().notNull(),
  /** Null for users, who have no request. */
  wantedItemId: integer(),
  day: date(),
  change: bigint({ mode: 'number' }),
  /** For a moved request: its previous category. */
  category: text(),
  country: text(),
})
