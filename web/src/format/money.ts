export { formatAmount, formatMoney, getCurrencySymbol } from '@sought/contract/money'

/** An amount in any currency of the card provider, which may be negative. */
export const formatProviderCents = (cents: number, currency: string) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
