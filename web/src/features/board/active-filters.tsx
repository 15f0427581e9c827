import { type Currency, isCurrency } from '@sought/contract/currencies'
import { type BoardFilters, paths } from '@sought/contract/paths'
import { RADIUS_KM_DEFAULT, Urgency } from '@sought/contract/request-filters'
import { X } from 'lucide-react'
import { Link } from 'wouter'
import { formatUtcDate } from '../../format/dates.ts'
import { formatAmount } from '../../format/money.ts'
import { useCurrencies } from '../../shared/market/currency.ts'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { urgencyLabels } from '../../shared/requests/urgency.ts'
import { Chip } from '../../ui/forms/chip.tsx'

interface ActiveFilter {
  label: string
  /** The filters without this one. */
  without: BoardFilters
}

/** The currency of the budgets. Without one, they are in the market's first. */
export const currencyOf = (
  { currency = '' }: BoardFilters,
  [first = 'usd']: readonly Currency[],
): Currency => (isCurrency(currency) ? currency : first)

/** The active filters besides the search and the category, which have their own controls. */
export function activeFilters(filters: BoardFilters, currency: Currency): ActiveFilter[] {
  const { minBudget, maxBudget, near, radiusKm, location, since, hasImage } = filters
  const urgency = Urgency.safeParse(filters.urgency).data
  const active: (ActiveFilter | false | undefined | '')[] = [
    minBudget && {
      label: `At least ${amountOf(minBudget, currency)}`,
      without: { ...filters, minBudget: undefined },
    },
    maxBudget && {
      label: `At most ${amountOf(maxBudget, currency)}`,
      without: { ...filters, maxBudget: undefined },
    },
    filters.currency && {
      label: `In ${filters.currency.toUpperCase()}`,
      without: { ...filters, currency: undefined },
    },
    near && {
      label: `Within ${radiusKm ?? RADIUS_KM_DEFAULT} km of ${near}`,
      without: { ...filters, near: undefined, radiusKm: undefined },
    },
    location && { label: `Location: ${location}`, without: { ...filters, location: undefined } },
    urgency && { label: urgencyLabels[urgency].short, without: { ...filters, urgency: undefined } },
    since && { label: `Posted since ${dateOf(since)}`, without: { ...filters, since: undefined } },
    hasImage && {
      label: imageLabels[hasImage] ?? `Picture: ${hasImage}`,
      without: { ...filters, hasImage: undefined },
    },
  ]
  return active.filter((filter) => typeof filter === 'object')
}

const imageLabels: Record<string, string> = { true: 'With a picture', false: 'Without a picture' }

/** The address may contain an invalid amount or date. */
const amountOf = (text: string, currency: Currency) =>
  Number.isNaN(Number(text)) ? text : formatAmount(Number(text), currency)
const dateOf = (text: string) => (Number.isNaN(Date.parse(text)) ? text : formatUtcDate(text))

/** A chip for each filter, which removes it. */
export function ActiveFilters({ filters }: { filters: BoardFilters }) {
  const active = activeFilters(filters, currencyOf(filters, useCurrencies()))
  if (active.length === 0) return null
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {active.map(({ label, without }) => (
        <li key={label} className="min-w-0">
          <Chip asChild pressed={false} className="max-w-full gap-2">
            <Link href={paths.home(without)}>
              <span className="sr-only">Remove </span>
              <span className="truncate">{label}</span>
              <X aria-hidden="true" className="size-4 shrink-0" />
            </Link>
          </Chip>
        </li>
      ))}
      <li>
        <LinkButton
          to={paths.home({ search: filters.search, category: filters.category, sort: filters.sort })}
          variant="quiet"
          size="sm"
        >
          Clear filters
        </LinkButton>
      </li>
    </ul>
  )
}
