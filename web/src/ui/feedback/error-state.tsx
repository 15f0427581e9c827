import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../forms/button.tsx'
import { EmptyState } from './empty-state.tsx'

export interface ErrorStateProps {
  title?: string | undefined
  message?: string | undefined
  /** The id of the failed request, which our team can find in the log. */
  reference?: string | null | undefined
  onRetry?: (() => void) | undefined
  retryLabel?: string | undefined
  /** Whether the retry is running. */
  busy?: boolean | undefined
  /** A link to another page, beside the retry. */
  back?: ReactNode
}

/** Says what could not be loaded, with a button to retry. */
export function ErrorState({
  title = 'This could not be loaded',
  reference,
  message = reference
    ? 'Something went wrong. Please try again.'
    : 'The connection may have dropped. Please try again.',
  onRetry,
  retryLabel = 'Try Again',
  busy,
  back,
}: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        drawing="torn"
        title={title}
        action={
          (onRetry || back) && (
            <>
              {onRetry && (
                <Button variant="secondary" busy={busy} onClick={onRetry}>
                  <RotateCw aria-hidden="true" />
                  {retryLabel}
                </Button>
              )}
              {back}
            </>
          )
        }
      >
        {message}
        {reference && <span className="mt-2 block text-fine">Reference: {reference}</span>}
      </EmptyState>
    </div>
  )
}
