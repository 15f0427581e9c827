import { Component, type ReactNode } from 'react'
import { ErrorState } from '../ui/error-state.tsx'

/** Catches what a screen throws, most often a chunk that did not arrive, and offers to load the page anew. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <ErrorState
        title="This screen did not load"
        message="The connection may have dropped, or Sought was updated meanwhile."
        retryLabel="Reload"
        onRetry={() => window.location.reload()}
      />
    )
  }
}
