import { PAYOUT_WAIT_HOURS } from '@sought/contract/sellers'
import { sql } from 'drizzle-orm'
import { payments, users } from '../../../database/schema.ts'

/**
 * Until when a payout waits, because the seller has changed their account or is new, or because the buyer or their card
 * was new.
 */
export const payoutsWaitUntil =
  sql<Date | null>`greatest(${users.payoutsWaitUntil}, ${users.payoutsDelayedUntil}, ${payments.payoutWaitsUntil})`.mapWith(
    users.payoutsWaitUntil,
  )

/** The time until which payouts wait after the payout account was changed at `changedAt`. */
export const payoutsWaitFrom = (changedAt: Date) =>
  new Date(changedAt.getTime() + PAYOUT_WAIT_HOURS * 3_600_000)
