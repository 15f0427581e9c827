import { Button } from './button.tsx'

export interface LoadMoreProps {
  hasMore: boolean
  busy?: boolean | undefined
  onMore: () => void
  label?: string | undefined
  /** Said once there is nothing left, when the list was long enough for that to be news. */
  endNote?: string | undefined
}

/** The foot of a list that goes on. */
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
