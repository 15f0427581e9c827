import type Stripe from 'stripe'
import * as z from 'zod'
import { buildSettings, PAYOUT_INTERVALS } from '../accounts/account-settings.ts'
import type { Cause } from '../cause.ts'
import type { Tx } from '../database.ts'
import { emitEvent } from '../events.ts'
import { invalidRequest } from '../http/api-error.ts'
import { boolean, integer, list } from '../http/params.ts'
import { type Call, route } from '../http/route.ts'
import { getObject, lockObject, saveObject } from '../objects.ts'
import { PLATFORM_ID } from '../platform-account.ts'

/* How the balance of the platform, or of a connected account, is paid out. */

const MAX_DELAY_DAYS = 31

export const ScheduleParams = z.strictObject({
  interval: z.enum(PAYOUT_INTERVALS).optional(),
  monthly_payout_days: list(
    integer.refine((day) => day >= 1 && day <= 31, 'Invalid day of the month'),
  ).optional(),
  weekly_payout_days: list(z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'])).optional(),
})

const delayDays = integer.refine((days) => days >= 0 && days <= MAX_DELAY_DAYS, 'Between 0 and 31 days')

const UpdateParams = z.strictObject({
  payments: z
    .strictObject({
      debit_negative_balances: boolean.optional(),
      payouts: z
        .strictObject({ schedule: ScheduleParams.optional(), statement_descriptor: z.string().optional() })
        .optional(),
      settlement_timing: z.strictObject({ delay_days_override: delayDays.optional() }).optional(),
    })
    .optional(),
})

type Payouts = Stripe.Account.Settings.Payouts

export interface PayoutChange {
  schedule?: z.output<typeof ScheduleParams> | undefined
  debitNegativeBalances?: boolean | undefined
  statementDescriptor?: string | undefined
  delayDays?: number | undefined
}

async function retrieveSettings({ tx, account }: Call): Promise<Stripe.BalanceSettings> {
  return present((await getObject(tx, 'account', account ?? PLATFORM_ID)).body)
}

async function updateSettings({
  tx,
  cause,
  account,
  params: { payments = {} },
}: Call<z.output<typeof UpdateParams>>): Promise<Stripe.BalanceSettings> {
  const changed = await changePayoutSettings(tx, cause, account ?? PLATFORM_ID, {
    schedule: payments.payouts?.schedule,
    debitNegativeBalances: payments.debit_negative_balances,
    statementDescriptor: payments.payouts?.statement_descriptor,
    delayDays: payments.settlement_timing?.delay_days_override,
  })
  return present(changed)
}

export async function changePayoutSettings(
  tx: Tx,
  cause: Cause,
  id: string,
  change: PayoutChange,
): Promise<Stripe.Account> {
  const account = await lockObject(tx, 'account', id)
  const body = applyPayoutChange(account.body, change)
  await saveObject(tx, { ...account, body })
  await emitEvent(tx, cause, 'account.updated', body, id === PLATFORM_ID ? {} : { account: id })
  return body
}

/** The account with changed payout settings. */
export function applyPayoutChange(account: Stripe.Account, change: PayoutChange): Stripe.Account {
  const { settings, payouts } = settingsOf(account)
  const schedule = buildSchedule(payouts.schedule, change)
  return {
    ...account,
    settings: {
      ...settings,
      payouts: {
        debit_negative_balances: change.debitNegativeBalances ?? payouts.debit_negative_balances,
        schedule,
        statement_descriptor: change.statementDescriptor ?? payouts.statement_descriptor,
      },
    },
  }
}

const DEFAULT_PAYOUTS = { interval: 'daily', delayDays: 2, debitNegativeBalances: true } as const

function settingsOf({ settings }: Stripe.Account): { settings: Stripe.Account.Settings; payouts: Payouts } {
  const defaults = buildSettings(DEFAULT_PAYOUTS)
  return { settings: settings ?? defaults, payouts: settings?.payouts ?? defaults.payouts }
}

function buildSchedule(before: Payouts['schedule'], { schedule = {}, delayDays }: PayoutChange) {
  const interval = schedule.interval ?? before.interval
  const weekly = schedule.weekly_payout_days ?? before.weekly_payout_days
  const monthly = schedule.monthly_payout_days ?? before.monthly_payout_days
  if (interval === 'weekly' && !weekly?.length) throw missing('weekly_payout_days', interval)
  if (interval === 'monthly' && !monthly?.length) throw missing('monthly_payout_days', interval)
  return {
    delay_days: delayDays ?? before.delay_days,
    interval,
    ...(interval === 'weekly' && weekly && { weekly_payout_days: weekly }),
    ...(interval === 'monthly' && monthly && { monthly_payout_days: monthly }),
  }
}

const missing = (param: string, interval: string) =>
  invalidRequest(`You must provide ${param} for the interval ${interval}.`, {
    code: 'parameter_missing',
    param: `payments[payouts][schedule][${param}]`,
  })

function present(account: Stripe.Account): Stripe.BalanceSettings {
  const { payouts } = settingsOf(account)
  const { delay_days, interval, monthly_payout_days, weekly_payout_days } = payouts.schedule
  return {
    object: 'balance_settings',
    payments: {
      debit_negative_balances: payouts.debit_negative_balances,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: {
          interval,
          ...(monthly_payout_days && { monthly_payout_days }),
          ...(weekly_payout_days && { weekly_payout_days }),
        },
        statement_descriptor: payouts.statement_descriptor,
        status: account.payouts_enabled ? 'enabled' : 'disabled',
      },
      settlement_timing: { delay_days, start_of_day: null },
    },
  }
}

const forConnectedAccounts = { forConnectedAccounts: true }

export const balanceSettingsRoutes = [
  route('GET', '/v1/balance_settings', z.strictObject({}), retrieveSettings, forConnectedAccounts),
  route('POST', '/v1/balance_settings', UpdateParams, updateSettings, forConnectedAccounts),
]
