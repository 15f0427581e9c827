import { DeskStatus, DisputeSort, DisputeView } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { useCallback, useMemo } from 'react'
import { useLocation, useSearchParams } from 'wouter'

/** Stored in the URL, so that a link or a reload shows the same list. */
export interface DeskFilter {
  search: string
  status: DeskStatus | undefined
  show: DisputeView | undefined
  sort: DisputeSort
  /** The number of pages shown, one below the other. */
  page: number
}

export function useDeskFilter(): [DeskFilter, (change: Partial<DeskFilter>) => void] {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const filter = useMemo(() => parseFilter(query), [query])
  const changeFilter = useCallback(
    (change: Partial<DeskFilter>) => {
      // A new search or status shows only the first page again.
      const { search, status, show, sort, page } = { ...filter, page: 1, ...change }
      const query = {
        search,
        ...(status && { status }),
        ...(show && { show }),
        ...(sort !== 'newest' && { sort }),
        ...(page > 1 && { page }),
      }
      navigate(paths.adminDisputes(query), { replace: true })
    },
    [filter, navigate],
  )
  return [filter, changeFilter]
}

export function parseFilter(query: URLSearchParams): DeskFilter {
  const page = Number(query.get('page'))
  return {
    search: query.get('search') ?? '',
    status: DeskStatus.safeParse(query.get('status')).data,
    show: DisputeView.safeParse(query.get('show')).data,
    sort: DisputeSort.safeParse(query.get('sort')).data ?? 'newest',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}
