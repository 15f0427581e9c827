import { type CurrentUser, getCurrentUser, getIsAdmin } from '@sought/contract/accounts'
import { USER_CACHE_MS } from '@sought/contract/constants'
import { useRead } from './calls.ts'

/** Who is here: not known yet, nobody, or somebody. */
export type Session =
  | { state: 'loading' }
  | { state: 'signed-out' }
  | { state: 'signed-in'; user: CurrentUser }

/** Signed in means that the current user's record loads without error (spec §4). */
export function useSession(): Session {
  const user = useRead(getCurrentUser, undefined, { staleMs: USER_CACHE_MS })
  if (user.isPending) return { state: 'loading' }
  if (user.isError) return { state: 'signed-out' }
  return { state: 'signed-in', user: user.data }
}

/** Whether the server says so; a failure counts as no. */
export function useIsAdmin(): { loading: boolean; isAdmin: boolean } {
  const signedIn = useSession().state === 'signed-in'
  const answer = useRead(getIsAdmin, undefined, { enabled: signedIn })
  return { loading: signedIn && answer.isPending, isAdmin: answer.data?.isAdmin ?? false }
}
