import type { Currency } from '@sought/contract/currencies'
import { DELIVERY_METHODS } from '@sought/escrow/delivery'
import { sql } from 'drizzle-orm'
import { bigint, customType, integer, numeric, text, timestamp } from 'drizzle-orm/pg-core'

/*
 * Columns used in many tables. The tables here declare only the shape of rows. Keys, indexes and checks are declared
 * only in the migrations.
 */

export const id = () => integer().generatedByDefaultAsIdentity().primaryKey()
/** Millisecond precision, the same as JavaScript's Date. */
export const moment = () => timestamp({ withTimezone: true, precision: 3 })
export const createdAt = () => moment().notNull().defaultNow()
export const updatedAt = () => moment().notNull().defaultNow()
/** In the smallest unit of its currency. Columns from before have names in cents, which mean the same (ADR 100). */
export const amount = (column?: string) =>
  column ? bigint(column, { mode: 'number' }) : bigint({ mode: 'number' })
/** Unless a row is inserted with one, the database enters the currency of its payment or its request. */
export const currency = () => text().$type<Currency>().notNull()
export const budget = () => numeric({ precision: 12, scale: 2, mode: 'number' })
/** Search compares words byte by byte, independent of the database locale (ADR 30). */
export const word = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })
/** Literals for `in (…)`. */
export const quoteAll = (values: readonly string[]) => sql.raw(values.map((value) => `'${value}'`).join(', '))

/** The delivery method, and the seller's days to ship. */
export const deliveryTerms = () => ({
  delivery: text({ enum: DELIVERY_METHODS }).notNull().default('arranged'),
  shipWithinDays: integer(),
})
