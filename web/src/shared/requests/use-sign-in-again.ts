import { paths } from '@sought/contract/paths'
import { useLocation } from 'wouter'
import { toastFailure } from '../../data/toasts.ts'

/** For owners whose session ended on the page of their request. Signing in leads back to it. */
export function useSignInAgain(): () => void {
  const [here, navigate] = useLocation()
  return () => {
    toastFailure('Login Required', 'Please log in again to change your request')
    navigate(paths.auth({ returnTo: here }))
  }
}
