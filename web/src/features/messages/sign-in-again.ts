import { goToSignIn } from '@sought/contract/accounts'
import { CallError } from '../../lib/client.ts'
import { rememberDestination } from '../../lib/return-to.ts'
import { toast } from '../../lib/toasts.ts'

const REDIRECT_MS = 500

/** If a call failed because the session has ended, says so and leads to the sign-in screen (spec §8). */
export function signInAgain(error: unknown): boolean {
  if (!(error instanceof CallError) || error.status !== 401) return false
  rememberDestination(window.location.pathname + window.location.search)
  toast({
    title: 'Unauthorized',
    description: 'You are logged out. Logging in again...',
    variant: 'destructive',
  })
  setTimeout(() => window.location.assign(goToSignIn.path), REDIRECT_MS)
  return true
}
