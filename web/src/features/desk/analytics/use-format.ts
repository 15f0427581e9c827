import { isCurrency } from '@sought/contract/currencies'
import { useSearchParams } from 'wouter'
import { formatMoney } from '../../../format/money.ts'
import { useFirstCurrency } from '../../../shared/market/currency.ts'

const counts = new Intl.NumberFormat('en-US')

/** The chosen currency. The address names it. */
export function useChosenCurrency() {
  const chosen = useSearchParams()[0].get('currency') ?? ''
  const first = useFirstCurrency()
  return isCurrency(chosen) ? chosen : first
}

/** Formats a count, or an amount in the chosen currency. */
export function useFormat() {
  const currency = useChosenCurrency()
  return (value: number, unit: 'count' | 'cents' = 'count') =>
    unit === 'cents' ? formatMoney(value, currency) : counts.format(value)
}
