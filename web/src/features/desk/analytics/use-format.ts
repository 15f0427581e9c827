import { formatMoney } from '../../../format/money.ts'
import { useFirstCurrency } from '../../../shared/market/currency.ts'

const counts = new Intl.NumberFormat('en-US')

/** Formats a count, or an amount in the market's currency. */
export function useFormat() {
  const currency = useFirstCurrency()
  return (value: number, unit: 'count' | 'cents' = 'count') =>
    unit === 'cents' ? formatMoney(value, currency) : counts.format(value)
}
