import type { Currency } from '@sought/contract/platform'

const symbols = { usd: '$', myr: 'RM' } as const satisfies Record<Currency, string>

const exact = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** An offer, payment, fee or payout: integer cents, always with both decimals. */
export function formatCents(cents: number, currency: Currency): string {
  return signed(cents, currency, exact.format(Math.abs(cents) / 100))
}

/** A budget, kept in the main unit as people typed it: decimals only where there are cents. */
export function formatAmount(mainUnits: number, currency: Currency): string {
  const size = Math.abs(mainUnits)
  const cents = Math.round(size * 100)
  return signed(
    mainUnits,
    currency,
    cents % 100 === 0 ? whole.format(cents / 100) : exact.format(cents / 100),
  )
}

export function currencySymbol(currency: Currency): string {
  return symbols[currency]
}

function signed(value: number, currency: Currency, digits: string): string {
  return `${value < 0 ? '−' : ''}${symbols[currency]}${digits}`
}
