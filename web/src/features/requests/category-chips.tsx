import { paths } from '@sought/contract/paths'
import { listCategories } from '@sought/contract/requests'
import { useLocation } from 'wouter'
import { useRead } from '../../lib/calls.ts'
import { Chip } from '../../ui/chip.tsx'

interface Filter {
  search?: string | undefined
  category?: string | undefined
}

/** All categories, or one; pressing the one that is on lets it go. */
export function CategoryChips({ filter }: { filter: Filter }) {
  const [, navigate] = useLocation()
  const categories = useRead(listCategories)
  const choose = (category?: string) => navigate(paths.home({ ...filter, category }))
  return (
    <fieldset className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:px-0">
      <legend className="sr-only">Categories</legend>
      <Chip pressed={!filter.category} onClick={() => choose()}>
        All Categories
      </Chip>
      {categories.data?.map(({ name }) => (
        <Chip
          key={name}
          pressed={filter.category === name}
          onClick={() => choose(filter.category === name ? undefined : name)}
        >
          {name}
        </Chip>
      ))}
    </fieldset>
  )
}
