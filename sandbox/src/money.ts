/** An amount in the currency of an account's balance. */
export interface Settled {
  amount: number
  currency: string
  /** What the amount was multiplied with. Null if nothing was converted. */
  exchangeRate: number | null
}

/** An amount in the smallest unit of its currency, such as `$12.34`. */
export function formatMoney(amount: number, currency: string): string {
  return formatOf(currency).format(amount / 10 ** decimalsOf(currency))
}

/** How many decimals a currency has, such as 2 for dollars. */
export const decimalsOf = (currency: string): number =>
  formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2

const formatOf = (currency: string) => new Intl.NumberFormat('en-US', { style: 'currency', currency })
