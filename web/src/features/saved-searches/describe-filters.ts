import type { Currency } from '@sought/contract/platform'
import { RADIUS_KM_DEFAULT } from '@sought/contract/request-filters'
import type { SearchFilters } from '@sought/contract/saved-searches'
import { formatUtcDate } from '../../format/dates.ts'
import { formatAmount } from '../../format/money.ts'
import { urgencyLabels } from '../../shared/requests/urgency.ts'

/** The filters in words, such as '“brass lamp” · Music · up to $200'. */
export function describeFilters(filters: SearchFilters, currency: Currency): string {
  const { search, category, urgency, location, near, radiusKm = RADIUS_KM_DEFAULT, since, hasImage } = filters
  return [
    search && `“${search}”`,
    category,
    urgency && urgencyLabels[urgency].short,
    describeBudget(filters, currency),
    location && `in ${location}`,
    near && `within ${radiusKm} km of ${near}`,
    since && `posted since ${formatUtcDate(since)}`,
    hasImage !== undefined && (hasImage ? 'with a picture' : 'without a picture'),
  ]
    .filter(Boolean)
    .join(' · ')
}

function describeBudget({ minBudget, maxBudget }: SearchFilters, currency: Currency): string {
  if (minBudget && maxBudget)
    return `${formatAmount(minBudget, currency)} – ${formatAmount(maxBudget, currency)}`
  if (minBudget) return `from ${formatAmount(minBudget, currency)}`
  return maxBudget ? `up to ${formatAmount(maxBudget, currency)}` : ''
}
