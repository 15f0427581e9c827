import { paths } from '@sought/contract/paths'
import { listCategories } from '@sought/contract/requests'
import { useLocation } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import { Chip } from '../../ui/chip.tsx'

interface Filter {
  search?: string | undefined
  category?: string | undefined
}

/** Filters by category. Pressing the active chip clears the filter. */
export function CategoryChips({ filter }: { filter: Filter }) {
  const [, navigate] = useLocation()
  const categories = useRead(listCategories)
  const filterBy = (category?: string) => navigate(paths.home({ ...filter, category }))
  return (
    <fieldset className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:px-0">
      <legend className="sr-only">Categories</legend>
      <Chip pressed={!filter.category} onClick={() => filterBy()}>
        All Categories
      </Chip>
      {categories.data?.map(({ name }) => (
        <Chip
          key={name}
          pressed={filter.category === name}
          onClick={() => filterBy(filter.category === name ? undefined : name)}
        >
          {name}
        </Chip>
      ))}
    </fieldset>
  )
}
