import type { Currency } from './platform.ts'

const symbols = { usd: '$', myr: 'RM', eur: '€' } as const satisfies Record<Currency, string>

/** Formats cents with two decimals, on screens and in emails. */
export function formatCents(cents: number, currency: Currency): string {
  return addCurrencySymbol(cents, currency, groupThousands((Math.abs(cents) / 100).toFixed(2)))
}

/** Formats an amount in the smallest unit of any currency, with its code if the market does not use it. */
export function formatBankAmount(amount: number, currency: string): string {
  if (Object.hasOwn(symbols, currency)) return formatCents(amount, currency as Currency)
  const digits = WITHOUT_DECIMALS.includes(currency) ? String(amount) : (amount / 100).toFixed(2)
  return `${groupThousands(digits)} ${currency.toUpperCase()}`
}

/** The currencies of sellers whose smallest unit is the main unit. */
const WITHOUT_DECIMALS = ['jpy', 'krw', 'vnd', 'clp']

/** Without Intl, because creating a page's first formatter takes longer than starting all of our code. */
const groupThousands = (digits: string) => digits.replace(/\B(?=(\d{3})+(\.|$))/g, ',')

function addCurrencySymbol(value: number, currency: Currency, digits: string): string {
  return `${value < 0 ? '−' : ''}${symbols[currency]}${digits}`
}

/** Formats a budget, which is stored in whole units, not cents. Decimals are shown only if there are cents. */
export function formatAmount(mainUnits: number, currency: Currency): string {
  const cents = Math.round(Math.abs(mainUnits) * 100)
  if (cents % 100 === 0) return addCurrencySymbol(mainUnits, currency, groupThousands(String(cents / 100)))
  return formatCents(Math.sign(mainUnits) * cents, currency)
}

/** A budget as a range, a single amount, or 'Open budget'. */
export function formatBudget(
  { minBudget, maxBudget }: { minBudget: number; maxBudget: number },
  currency: Currency,
): string {
  if (maxBudget === 0) return minBudget === 0 ? 'Open budget' : `From ${formatAmount(minBudget, currency)}`
  if (minBudget === 0 || minBudget === maxBudget) return formatAmount(maxBudget, currency)
  return `${formatAmount(minBudget, currency)} – ${formatAmount(maxBudget, currency)}`
}

export function getCurrencySymbol(currency: Currency): string {
  return symbols[currency]
}
