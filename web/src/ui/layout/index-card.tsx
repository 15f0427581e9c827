import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { Card, CardRule } from './card.tsx'

export interface IndexCardProps {
  /** The title, or a `CardLink` with the title to make the whole card a link. */
  title: ReactNode
  /** The budget tag. */
  tag?: ReactNode
  /** Above the title: the category and the time. */
  overline?: ReactNode
  picture?: ReactNode
  urgent?: boolean | undefined
  interactive?: boolean | undefined
  headingLevel?: 'h2' | 'h3' | undefined
  /** The description. */
  children?: ReactNode
  /** The last line: the location and the urgency. */
  foot?: ReactNode
  className?: string | undefined
}

/** A request as an index card, with its budget as a tag. */
export function IndexCard({
  title,
  tag,
  overline,
  picture,
  urgent = false,
  interactive = true,
  headingLevel: Heading = 'h3',
  children,
  foot,
  className,
}: IndexCardProps) {
  return (
    <Card asChild padding="none" interactive={interactive} className={classNames('flex flex-col', className)}>
      <article>
        {picture && (
          <div className="aspect-[16/10] overflow-hidden rounded-t-card bg-sunken [&_img]:size-full [&_img]:object-cover">
            {picture}
          </div>
        )}
        <div className="flex grow flex-col px-5 pt-4 pb-5">
          {overline && (
            <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-fine text-ink-soft">
              {overline}
            </div>
          )}
          <Heading className="line-clamp-2 font-display font-strong text-lead leading-snug">{title}</Heading>
          <CardRule urgent={urgent} className="-mx-5 mt-3 mb-1" />
          <div className={classNames('-mx-5 grow px-5', !picture && 'ruled min-h-24')}>
            <div className={classNames('text-ink-soft', picture ? 'line-clamp-2 pt-1' : 'line-clamp-4')}>
              {children}
            </div>
          </div>
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 pt-4">
            <div className="line-clamp-2 min-w-16 flex-1 text-fine text-ink-soft">{foot}</div>
            {tag && <div className="-mr-7 ml-auto max-w-[calc(100%+1.75rem)] shrink-0">{tag}</div>}
          </div>
        </div>
      </article>
    </Card>
  )
}

export function IndexCardSkeleton({ picture = false }: { picture?: boolean }) {
  return (
    <Card padding="none" className="flex flex-col">
      {picture && <Skeleton className="aspect-[16/10] rounded-b-none" />}
      <div className="flex grow flex-col px-5 pt-4 pb-5">
        <Skeleton className="mb-3 h-5 w-1/2" />
        <Skeleton className="h-6 w-4/5" />
        <CardRule className="-mx-5 mt-3 mb-1" />
        <div className="-mx-5 ruled min-h-24 grow px-5 pt-1">
          <Skeleton className="mb-2 h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </div>
        <div className="flex items-center justify-between gap-3 pt-4">
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="tag-shape -mr-7 h-7 w-24" />
        </div>
      </div>
    </Card>
  )
}
