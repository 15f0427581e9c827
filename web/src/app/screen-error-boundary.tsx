import type { ReactNode } from 'react'
import { ErrorBoundary } from 'react-error-boundary'
import { useLocation, useSearch } from 'wouter'
import { useMarket } from '../shared/market/market.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'

/**
 * Catches errors of a screen, most often code that failed to load. Navigating elsewhere shows the other screen.
 */
export function ScreenErrorBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const search = useSearch()
  return (
    <ErrorBoundary fallback={<ScreenError />} resetKeys={[path, search]}>
      {children}
    </ErrorBoundary>
  )
}

function ScreenError() {
  return (
    <ErrorState
      title="This screen did not load"
      message={`The connection may have dropped, or ${useMarket().name} has been updated. Reload the page to try again.`}
      retryLabel="Reload"
      onRetry={() => window.location.reload()}
    />
  )
}
