import { type BoardFilters, paths } from '@sought/contract/paths'
import { listCategories } from '@sought/contract/requests'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { Chip } from '../../ui/forms/chip.tsx'

/** Filters by category. The active chip clears the filter. */
export function CategoryChips({ filter }: { filter: BoardFilters }) {
  const categories = useRead(listCategories)
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone the chips are one row to swipe through, and the active one may be out of sight.
    if (!filter.category || !categories.data) return
    const chip = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (chip) nav.current?.scrollTo?.({ left: chip.offsetLeft - chip.offsetWidth })
  }, [filter.category, categories.data])
  return (
    <nav
      ref={nav}
      aria-label="Categories"
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:px-0"
    >
      <Chip asChild pressed={!filter.category}>
        <Link href={paths.home({ ...filter, category: undefined })}>All Categories</Link>
      </Chip>
      {categories.data?.map(({ name }) => {
        const isActive = filter.category === name
        return (
          <Chip key={name} asChild pressed={isActive}>
            <Link href={paths.home({ ...filter, category: isActive ? undefined : name })}>{name}</Link>
          </Chip>
        )
      })}
    </nav>
  )
}
