import { type BoardFilters, paths } from '@sought/contract/paths'
import { RADIUS_KM_DEFAULT, Urgency } from '@sought/contract/request-filters'
import { X } from 'lucide-react'
import { Link } from 'wouter'
import { urgencyLabels } from '../../lib/urgency.ts'
import { Chip } from '../../ui/chip.tsx'

interface ActiveFilter {
  label: string
  /** The filters without this one. */
  without: BoardFilters
}

/** What is filtered besides the search and the category, which have their own controls. */
export function activeFilters(filters: BoardFilters): ActiveFilter[] {
  const { minBudget, maxBudget, near, radiusKm, location, since, hasImage } = filters
  const urgency = Urgency.safeParse(filters.urgency).data
  const active: (ActiveFilter | false | undefined | '')[] = [
    minBudget && { label: `At least ${minBudget}`, without: { ...filters, minBudget: undefined } },
    maxBudget && { label: `At most ${maxBudget}`, without: { ...filters, maxBudget: undefined } },
    near && {
      label: `Within ${radiusKm ?? RADIUS_KM_DEFAULT} km of ${near}`,
      without: { ...filters, near: undefined, radiusKm: undefined },
    },
    location && { label: `Location: ${location}`, without: { ...filters, location: undefined } },
    urgency && { label: urgencyLabels[urgency].short, without: { ...filters, urgency: undefined } },
    since && { label: `Posted since ${since}`, without: { ...filters, since: undefined } },
    hasImage && {
      label: hasImage === 'true' ? 'With a picture' : 'Without a picture',
      without: { ...filters, hasImage: undefined },
    },
  ]
  return active.filter((filter) => typeof filter === 'object')
}

/** A chip for each filter, which removes it. */
export function ActiveFilters({ filters }: { filters: BoardFilters }) {
  const active = activeFilters(filters)
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
        <Link href={paths.home({ search: filters.search, category: filters.category, sort: filters.sort })}>
          Clear filters
        </Link>
      </li>
    </ul>
  )
}
