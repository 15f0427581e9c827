import { Button } from './button.tsx'
import { classNames } from './class-names.ts'

export interface LoadMoreProps {
  hasMore: boolean
  busy?: boolean | undefined
  onMore: () => void
  label?: string | undefined
  /** Shown at the end of a long list. */
  endNote?: string | undefined
  className?: string | undefined
}

/** The button below a list that loads the next page. */
export function LoadMore({ hasMore, busy, onMore, label = 'Show more', endNote, className }: LoadMoreProps) {
  if (!hasMore && !endNote) return null
  return (
    <div className={classNames('flex justify-center', className ?? 'pt-8')}>
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
