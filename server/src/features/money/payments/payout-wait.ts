import type { DeploymentDefaults } from '@sought/contract/market-settings'
import { sql } from 'drizzle-orm'
import type { Tx } from '../../../database/database.ts'
import { chargebacks, payments, users } from '../../../database/schema.ts'
import type { Payment } from './stored-payment.ts'

/** An account is new for this long. */
const NEW_ACCOUNT_DAYS = 30
const HOUR_MS = 3_600_000

type Paying = Pick<Payment, 'buyerId' | 'cardFingerprint'>

/**
 * Until when the payout of a payment waits at least: a stolen card should be found out before the money is gone (ADR
 * 90). Null if the buyer and the card are known, or if the market wants no wait.
 */
export async function findPayoutWait(
  tx: Tx,
  paying: Paying,
  { payoutDelayHours }: Pick<DeploymentDefaults, 'payoutDelayHours'>,
): Promise<Date | null> {
  if (payoutDelayHours === 0) return null
  const delayMs = payoutDelayHours * HOUR_MS
  const isKnown = await isKnownBuyer(tx, paying, new Date(tx.now.getTime() - delayMs))
  return isKnown ? null : new Date(tx.now.getTime() + delayMs)
}

/**
 * The account is not new, and the buyer has used the card before: for a deal that was charged before `since`, went to
 * the seller and had no chargeback.
 */
async function isKnownBuyer(tx: Tx, { buyerId, cardFingerprint }: Paying, since: Date): Promise<boolean> {
  const { rows } = await tx.execute<{ known: boolean }>(sql`
    select exists (
      select from ${users} where id = ${buyerId}
        and created_at <= ${tx.now.toISOString()}::timestamptz - ${NEW_ACCOUNT_DAYS} * interval '1 day'
    ) and exists (
      select from ${payments} payment where card_fingerprint = ${cardFingerprint} and buyer_id = ${buyerId}
        and charged_at <= ${since.toISOString()}::timestamptz and status in ('completed', 'resolved_seller')
        and not exists (select from ${chargebacks} where payment_id = payment.id)
    ) as known`)
  return rows[0]?.known ?? false
}
