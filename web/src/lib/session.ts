import { type CurrentUser, getCurrentUser, getIsAdmin } from '@sought/contract/accounts'
import { USER_CACHE_MS } from '@sought/contract/constants'
import { useQuery } from '@tanstack/react-query'
import { queryKeyOf, useRead } from './calls.ts'
import { CallError, send } from './client.ts'

/** Who is here: not known yet, nobody, or somebody. */
export type Session =
  | { state: 'loading' }
  | { state: 'signed-out' }
  | { state: 'signed-in'; user: CurrentUser }

/** Signed in means that the current user's record loads without error (spec §4). */
export function useSession(): Session {
  const { data, isPending } = useQuery({
    queryKey: queryKeyOf(getCurrentUser),
    queryFn: currentUser,
    staleTime: USER_CACHE_MS,
    // Every screen asks; a failure is not asked about again by each of them.
    retryOnMount: false,
  })
  if (isPending) return { state: 'loading' }
  return data ? { state: 'signed-in', user: data } : { state: 'signed-out' }
}

/** That nobody is signed in is an answer, not an error. */
async function currentUser(): Promise<CurrentUser | null> {
  try {
    return await send(getCurrentUser, {})
  } catch (error) {
    if (error instanceof CallError && error.status === 401) return null
    throw error
  }
}

/** Whether the server says so; a failure counts as no. */
export function useIsAdmin(): { loading: boolean; isAdmin: boolean } {
  const signedIn = useSession().state === 'signed-in'
  const answer = useRead(getIsAdmin, undefined, { enabled: signedIn })
  return { loading: signedIn && answer.isPending, isAdmin: answer.data?.isAdmin ?? false }
}
