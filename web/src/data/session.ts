import { type CurrentUser, getCurrentUser, getIsAdmin } from '@sought/contract/accounts'
import type { StaffRole } from '@sought/contract/call'
import { useQuery } from '@tanstack/react-query'
import { getCacheOptions, getQueryKey, useRead } from './calls.ts'
import { send } from './client.ts'
import { isUnauthenticated } from './unauthenticated.ts'

export type Session =
  | { state: 'loading' }
  | { state: 'signed-out' }
  | { state: 'signed-in'; user: CurrentUser }

/** A user is signed in when the current user loads without error. */
export function useSession(): Session {
  const { data, isPending } = useQuery({
    queryKey: getQueryKey(getCurrentUser),
    queryFn: loadCurrentUser,
    ...getCacheOptions(getCurrentUser),
    // Many components use this hook. After an error, they should not all repeat the request.
    retryOnMount: false,
  })
  if (isPending) return { state: 'loading' }
  return data ? { state: 'signed-in', user: data } : { state: 'signed-out' }
}

/** Null if nobody is signed in, which is not an error here. */
async function loadCurrentUser(): Promise<CurrentUser | null> {
  try {
    return await send(getCurrentUser, {})
  } catch (error) {
    if (isUnauthenticated(error)) return null
    throw error
  }
}

/** Whether the user has entered keywords or categories as a seller. */
export const sellsSomething = ({ selling }: CurrentUser): boolean =>
  selling.keywords.length + selling.categories.length > 0

/** The user's role in the team. If the check fails, they have none. */
export function useIsAdmin(): { isLoading: boolean; role: StaffRole | null; needsSecondFactor: boolean } {
  const isSignedIn = useSession().state === 'signed-in'
  const answer = useRead(getIsAdmin, undefined, { enabled: isSignedIn })
  const { role = null, needsSecondFactor = false } = answer.data ?? {}
  return { isLoading: isSignedIn && answer.isPending, role, needsSecondFactor }
}
