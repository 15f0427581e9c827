import { Button } from './button.tsx'

export interface LoadMoreProps {
  hasMore: boolean
  busy?: boolean | undefined
  onMore: () => void
  label?: string | undefined
  /** Shown at the end of a long list. */
  endNote?: string | undefined
}

/** The button below a list that loads the next page. */
export function LoadMore({ hasMore, busy, onMore, label = 'Show more', endNote }: LoadMoreProps) {
  if (!hasMore && !endNote) return null
  return (
    <div className="flex justify-center pt-8">
      {hasMore ? (
        <Button variant="secondary" busy={busy} onClick={onMore} className="min-w-44">
          {label}
        </Button>
      ) : (
        <p className="text-fine text-ink-soft">{endNote}</p>
      )}
    </div>
  )
}
