import { paths } from '@sought/contract/paths'
import { useLocation } from 'wouter'
import { useSession } from '../../data/session.ts'
import { toast } from '../../data/toasts.ts'

/** Runs an action that requires an account. Visitors are asked to sign in, and then return to this page. */
export function useSignInFirst(): (wish: string, act: () => void) => void {
  const [here, navigate] = useLocation()
  const { state } = useSession()
  return (wish, act) => {
    if (state === 'signed-in') return act()
    toast({ title: 'Login Required', description: `Please log in to ${wish}`, variant: 'destructive' })
    navigate(paths.auth({ returnTo: here }))
  }
}
