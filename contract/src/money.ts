import type { Currency } from './platform.ts'

const symbols = { usd: '$', myr: 'RM' } as const satisfies Record<Currency, string>

const twoDecimals = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Formats cents with two decimals, on screens and in emails. */
export function formatCents(cents: number, currency: Currency): string {
  return addCurrencySymbol(cents, currency, twoDecimals.format(Math.abs(cents) / 100))
}

export function addCurrencySymbol(value: number, currency: Currency, digits: string): string {
  return `${value < 0 ? '−' : ''}${symbols[currency]}${digits}`
}

export function getCurrencySymbol(currency: Currency): string {
  return symbols[currency]
}
