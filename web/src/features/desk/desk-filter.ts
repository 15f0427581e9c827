import { DeskStatus, DisputeView } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import { useCallback, useMemo } from 'react'
import { useLocation, useSearchParams } from 'wouter'

/** Stored in the URL, so that a link or a reload shows the same list. */
export interface DeskFilter {
  search: string
  status: DeskStatus | undefined
  show: DisputeView | undefined
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
      const { search, status, show, page } = { ...filter, page: 1, ...change }
      const query = { search, ...(status && { status }), ...(show && { show }), ...(page > 1 && { page }) }
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
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}
