import { Component, type ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useMarket } from '../shared/market/market.ts'
import { ErrorState } from '../ui/feedback/error-state.tsx'

/**
 * Catches errors of a screen, most often code that failed to load. Navigating elsewhere shows the other screen.
 */
export function ScreenErrorBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const search = useSearch()
  return <Boundary address={`${path}?${search}`}>{children}</Boundary>
}

interface BoundaryProps {
  address: string
  children: ReactNode
}

class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  static getDerivedStateFromError = () => ({ hasFailed: true })
  override state = { hasFailed: false }

  override componentDidUpdate(previous: BoundaryProps, { hasFailed }: { hasFailed: boolean }) {
    // Keeps the error if the screen at the new address is the one that failed.
    if (hasFailed && previous.address !== this.props.address) this.setState({ hasFailed: false })
  }

  override render() {
    return this.state.hasFailed ? <ScreenError /> : this.props.children
  }
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
