import { type CurrentUser, getCurrentUser } from '@sought/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { queryKeyOf } from '../../lib/calls.ts'

/** Shows everywhere, the header included, what the server has just said of the person. */
export function useShowUser(): (user: CurrentUser) => void {
  const cache = useQueryClient()
  return useCallback((user) => cache.setQueryData(queryKeyOf(getCurrentUser), user), [cache])
}
