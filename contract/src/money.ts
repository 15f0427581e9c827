import type { Currency } from './platform.ts'

const symbols = { usd: '$', myr: 'RM' } as const satisfies Record<Currency, string>

const exact = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** An offer, payment, fee or payout: integer cents, always with both decimals. The screens and the mails say it alike. */
export function formatCents(cents: number, currency: Currency): string {
  return addCurrencySymbol(cents, currency, exact.format(Math.abs(cents) / 100))
}

export function addCurrencySymbol(value: number, currency: Currency, digits: string): string {
  return `${value < 0 ? '−' : ''}${symbols[currency]}${digits}`
}

export function getCurrencySymbol(currency: Currency): string {
  return symbols[currency]
}
