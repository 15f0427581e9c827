import { getCurrentUser } from '@sought/contract/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { refresh } from './calls.ts'
import { CallError } from './client.ts'

/**
 * Tells whether a call failed because the session has ended. If so, who is here is asked anew, and the
 * screen's own rule for visitors takes over.
 */
export function useSessionEnded(): (error: unknown) => boolean {
  const cache = useQueryClient()
  return useCallback(
    (error) => {
      if (!(error instanceof CallError) || error.status !== 401) return false
      void refresh(cache, [getCurrentUser])
      return true
    },
    [cache],
  )
}
