import { RotateCw } from 'lucide-react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

export interface ErrorStateProps {
  title?: string | undefined
  message?: string | undefined
  onRetry?: (() => void) | undefined
  retryLabel?: string | undefined
  /** The retry is running. */
  busy?: boolean | undefined
}

/** Says what could not be loaded, with a button to retry. */
export function ErrorState({
  title = 'This could not be loaded',
  message = 'The connection may have dropped. Please try again.',
  onRetry,
  retryLabel = 'Try Again',
  busy,
}: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        drawing="torn"
        title={title}
        action={
          onRetry && (
            <Button variant="secondary" busy={busy} onClick={onRetry}>
              <RotateCw aria-hidden="true" />
              {retryLabel}
            </Button>
          )
        }
      >
        {message}
      </EmptyState>
    </div>
  )
}
