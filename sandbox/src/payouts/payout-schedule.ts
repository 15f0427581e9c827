import type Stripe from 'stripe'
import { SOURCE_TYPES } from '../balance.ts'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { payablePart } from '../money.ts'
import { lockObject, scheduleSettlement, toUnixSeconds } from '../objects.ts'
import { findBanks, lockAccountBalance, nextMidnight, ownerOf, recordPayout } from './payouts.ts'

/* Automatic payouts: made at midnight UTC, for each account whose schedule is not manual. */

/** Starts the daily payouts of an account that can pay out, or ends them. */
export async function schedulePayouts(tx: Tx, { id, payouts_enabled }: Stripe.Account): Promise<void> {
  await scheduleSettlement(tx, id, payouts_enabled ? nextMidnight(tx.now) : null)
}

/** On a payout day, pays out the available balance, and debits the bank account if the balance is negative. */
export async function makeDailyPayouts(tx: Tx, cause: Cause, id: string): Promise<void> {
  const account = await lockObject(tx, 'account', id)
  await schedulePayouts(tx, account.body)
  const settings = account.body.settings?.payouts
  if (!settings || !account.body.payouts_enabled) return
  for (const bank of findBanks(account).filter(({ status }) => status !== 'errored'))
    for (const sourceType of SOURCE_TYPES) {
      const balance = await lockAccountBalance(tx, id, bank.currency, sourceType)
      const available = payablePart(balance, bank.currency)
      const pays = available > 0 && isPayoutDay(settings.schedule, tx.now)
      const debits = available < 0 && settings.debit_negative_balances
      if (!pays && !debits) continue
      const about = { amount: available, currency: bank.currency, sourceType, automatic: true }
      await markPaidOut(tx, await recordPayout(tx, cause, account, bank, about), ownerOf(id))
    }
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']

function isPayoutDay(schedule: Stripe.Account.Settings.Payouts.Schedule, now: Date): boolean {
  switch (schedule.interval) {
    case 'daily':
      return true
    case 'weekly':
      return schedule.weekly_payout_days?.includes(WEEKDAYS[now.getUTCDay()] ?? '') ?? false
    case 'monthly':
      return schedule.monthly_payout_days?.some((day) => isDayOfMonth(day, now)) ?? false
    default:
      return false
  }
}

/** The 29th to 31st count as the last day of a shorter month. */
function isDayOfMonth(day: number, now: Date): boolean {
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate()
  return now.getUTCDate() === Math.min(day, last)
}

/** Records which transactions an automatic payout contains. */
async function markPaidOut(tx: Tx, payout: Stripe.Payout, owner: string | null): Promise<void> {
  await tx.query(
    `update sandbox.movements set payout = $1
     where account is not distinct from $2 and currency = $3 and available_on <= $4 and payout is null
       and source_type = $5`,
    [payout.id, owner, payout.currency, toUnixSeconds(tx.now), payout.source_type],
  )
}
