import { paths } from '@sought/contract/paths'
import { useEffect } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { toast } from '../../lib/toasts.ts'

/** Says how the onboarding ended, as the address tells it, and then clears the address (spec §4). */
export function useReturnFromOnboarding(): void {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const ended =
    query.get('success') === 'true' ? 'success' : query.get('refresh') === 'true' ? 'refresh' : null
  useEffect(() => {
    if (!ended) return
    toast(words[ended])
    navigate(paths.sellerSetup(), { replace: true })
  }, [ended, navigate])
}

const words = {
  success: { title: 'Setup Complete!', description: 'Your account is being checked, and is ready soon.' },
  refresh: {
    title: 'Setup Incomplete',
    description: 'Please go through the setup again to receive payments.',
    variant: 'destructive',
  },
} as const
