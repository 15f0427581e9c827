import { PAYOUT_WAIT_HOURS } from '@sought/contract/sellers'
import { sql } from 'drizzle-orm'
import { users } from '../../../database/schema.ts'

/**
 * The time until which a seller's payouts wait, because their payout account was changed or because they are new.
 */
export const payoutsWaitUntil =
  sql<Date | null>`greatest(${users.payoutsWaitUntil}, ${users.payoutsDelayedUntil})`.mapWith(
    users.payoutsWaitUntil,
  )

/** The time until which payouts wait after the payout account was changed at `changedAt`. */
export const payoutsWaitFrom = (changedAt: Date) =>
  new Date(changedAt.getTime() + PAYOUT_WAIT_HOURS * 3_600_000)
