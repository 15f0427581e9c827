import { type CurrentUser, getCurrentUser } from '@sought/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { getQueryKey } from '../../data/calls.ts'

/** Updates the current user everywhere, including the header, with a reply of the server. */
export function useSetCurrentUser(): (user: CurrentUser) => void {
  const cache = useQueryClient()
  return useCallback((user) => cache.setQueryData(getQueryKey(getCurrentUser), user), [cache])
}
