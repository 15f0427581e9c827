import { addCurrencySymbol, formatCents, getCurrencySymbol } from '@sought/contract/money'
import type { Currency } from '@sought/contract/platform'

export { formatCents, getCurrencySymbol }

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** Formats a budget, which is stored in dollars, not cents. Decimals are shown only if there are cents. */
export function formatAmount(mainUnits: number, currency: Currency): string {
  const cents = Math.round(Math.abs(mainUnits) * 100)
  if (cents % 100 === 0) return addCurrencySymbol(mainUnits, currency, whole.format(cents / 100))
  return formatCents(Math.sign(mainUnits) * cents, currency)
}
