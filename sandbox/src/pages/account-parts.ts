import * as z from 'zod'
import { TEST_BANK_ACCOUNTS } from '../accounts/account-settings.ts'
import type { Balances } from '../balance.ts'
import { formatMoney } from '../money.ts'
import type { Stored } from '../objects.ts'
import { findBank } from '../payouts.ts'
import { form, selectField } from './action.ts'
import { type Html, html } from './html.ts'
import { badge } from './table.ts'

/* Shared parts of the pages for the platform's balance and for connected accounts. */

export const BankForm = z.strictObject({ account_number: z.string() })

/** Lets the developer choose one of Stripe's test bank accounts. */
export function bankForm(action: string): Html {
  const options = Object.entries(TEST_BANK_ACCOUNTS).map(
    ([number, failure]) => [number, failure ? `${number}: fails, ${failure}` : `${number}: works`] as const,
  )
  return form(action, selectField('Bank account', 'account_number', options), 'Replace')
}

export function formatBank(account: Stored<'account'>): Html | string {
  const bank = findBank(account)
  if (!bank) return 'none'
  const { bankFailure } = account.hidden
  return html`···· ${bank.last4} ${bank.status === 'errored' && badge('failed')} ${bankFailure && `(payouts fail: ${bankFailure})`}`
}

export function formatBalance(
  balances: Balances,
  part: 'available' | 'pending',
  defaultCurrency = 'usd',
): string {
  const amounts = [...balances].map(([currency, amounts]) => formatMoney(amounts[part], currency))
  return amounts.join(', ') || formatMoney(0, defaultCurrency)
}
