import { getCurrentUser } from '@sought/contract/accounts'
import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from './calls.ts'
import { CallError } from './client.ts'

/** Whether a call failed because nobody is signed in. A wrong password is also a 401, but does not count. */
export function isUnauthenticated(error: unknown): boolean {
  return error instanceof CallError && error.code === 'signed_out'
}

/**
 * The single rule for calls that fail because the session has ended: from then on the user counts as signed out.
 * The screen's rule for signed-out visitors (app/signed-out-rules.ts) then shows its toast and redirects.
 * The query client applies this to every query and mutation. Only code that calls `send` or `upload` outside of
 * them has to call it: `if (handleUnauthenticated(cache, error)) return`.
 */
export function handleUnauthenticated(cache: QueryClient, error: unknown): boolean {
  if (!isUnauthenticated(error)) return false
  cache.setQueryData(getQueryKey(getCurrentUser), null)
  return true
}
