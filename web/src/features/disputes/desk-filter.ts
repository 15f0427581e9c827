import { DisputeStatus } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { useCallback, useMemo } from 'react'
import { useLocation, useSearchParams } from 'wouter'

/** What the desk shows: it all stands in the address, so that a link or a reload shows the same. */
export interface DeskFilter {
  search: string
  status: DisputeStatus | undefined
  /** How many pages are open, one below the other. */
  page: number
}

export function useDeskFilter(): [DeskFilter, (change: Partial<DeskFilter>) => void] {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const filter = useMemo(() => readFilter(query), [query])
  const change = useCallback(
    (part: Partial<DeskFilter>) => {
      // Another search or status is another list: it begins with its first page.
      const { search, status, page } = { ...filter, page: 1, ...part }
      const query = { search, ...(status && { status }), ...(page > 1 && { page }) }
      navigate(paths.adminDisputes(query), { replace: true })
    },
    [filter, navigate],
  )
  return [filter, change]
}

export function readFilter(query: URLSearchParams): DeskFilter {
  const page = Number(query.get('page'))
  return {
    search: query.get('search') ?? '',
    status: DisputeStatus.safeParse(query.get('status')).data,
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}
