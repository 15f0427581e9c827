import { useCurrency } from '../../lib/currency.ts'
import { formatCents } from '../../lib/money.ts'

const counts = new Intl.NumberFormat('en-US')

/** Writes a count, or an amount in the currency of the market. */
export function useFormat() {
  const currency = useCurrency()
  return (value: number, unit: 'count' | 'cents' = 'count') =>
    unit === 'cents' ? formatCents(value, currency) : counts.format(value)
}
