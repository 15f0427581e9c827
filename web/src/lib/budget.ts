import type { Currency } from '@sought/contract/platform'
import type { WantedItem } from '@sought/contract/requests'
import { formatAmount } from './money.ts'

/** A budget as a range, a single amount, or 'Open budget'. */
export function formatBudget(
  { minBudget, maxBudget }: Pick<WantedItem, 'minBudget' | 'maxBudget'>,
  currency: Currency,
): string {
  if (maxBudget === 0) return minBudget === 0 ? 'Open budget' : `From ${formatAmount(minBudget, currency)}`
  if (minBudget === 0 || minBudget === maxBudget) return formatAmount(maxBudget, currency)
  return `${formatAmount(minBudget, currency)} – ${formatAmount(maxBudget, currency)}`
}
