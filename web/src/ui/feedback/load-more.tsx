import type { MouseEvent } from 'react'
import { classNames } from '../base/class-names.ts'
import { Button } from '../forms/button.tsx'
import { Spinner } from './spinner.tsx'

export interface LoadMoreProps {
  hasMore: boolean
  busy?: boolean | undefined
  onMore: () => void
  /** The address of the next page, for visitors without JavaScript and for search engines. */
  href?: string | undefined
  label?: string | undefined
  /** Shown at the end of a long list. */
  endNote?: string | undefined
  className?: string | undefined
}

/** Loads the next page of a list. A link if the next page has an address, otherwise a button. */
export function LoadMore({
  hasMore,
  busy,
  onMore,
  href,
  label = 'Show more',
  endNote,
  className,
}: LoadMoreProps) {
  if (!hasMore && !endNote) return null
  return (
    <div className={classNames('flex justify-center', className ?? 'pt-8')}>
      {hasMore && !href && (
        <Button variant="secondary" busy={busy} onClick={onMore} className="min-w-44">
          {label}
        </Button>
      )}
      {hasMore && href && <NextPage {...{ href, busy, onMore, label }} />}
      {!hasMore && <p className="text-fine text-ink-soft">{endNote}</p>}
    </div>
  )
}

function NextPage({ href, busy, onMore, label }: Pick<LoadMoreProps, 'href' | 'busy' | 'onMore' | 'label'>) {
  const load = (event: MouseEvent) => {
    // With these keys, the browser opens the link in a new tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (!busy) onMore()
  }
  return (
    <Button asChild variant="secondary" onClick={load} className="min-w-44">
      <a rel="next" href={href} aria-busy={busy}>
        {busy && <Spinner />}
        {label}
      </a>
    </Button>
  )
}
