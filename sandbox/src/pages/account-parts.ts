import * as z from 'zod'
import { TEST_BANK_ACCOUNTS } from '../accounts/account-settings.ts'
import type { Balances } from '../balance.ts'
import { formatMoney } from '../money.ts'
import type { Stored } from '../objects.ts'
import { bankFailure, findBanks } from '../payouts/payouts.ts'
import { form, selectField } from './action.ts'
import { type Html, html } from './html.ts'
import { badge } from './table.ts'

/* Shared parts of the pages for the platform's balance and for connected accounts. */

export const BankForm = z.strictObject({ account_number: z.string() })

/** Lets the developer choose one of Stripe's test bank accounts. */
export const bankForm = (action: string): Html => form(action, bankField(), 'Replace')

export function bankField(first: [value: string, text: string][] = []): Html {
  const options = Object.entries(TEST_BANK_ACCOUNTS).map(
    ([number, failure]) => [number, failure ? `${number}: fails, ${failure}` : `${number}: works`] as const,
  )
  return selectField('Bank account', 'account_number', [...first, ...options])
}

export function formatBank(account: Stored<'account'>): Html | string {
  const banks = findBanks(account).map((bank) => {
    const failure = bankFailure(account, bank)
    return html`${bank.currency.toUpperCase()} ···· ${bank.last4} ${bank.status === 'errored' && badge('failed')} ${failure && `(payouts fail: ${failure})`} `
  })
  return banks.length > 0 ? html`${banks}` : 'none'
}

export function formatBalance(
  balances: Balances,
  part: 'available' | 'pending',
  defaultCurrency = 'usd',
): string {
  const amounts = [...balances].map(([currency, amounts]) => formatMoney(amounts[part], currency))
  return amounts.join(', ') || formatMoney(0, defaultCurrency)
}
