import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { Drawing, type DrawingName } from '../display/drawing.tsx'

export interface EmptyStateProps {
  drawing?: DrawingName | undefined
  title: string
  /** A sentence that says what to do next. */
  children?: ReactNode
  action?: ReactNode
  headingLevel?: 'h1' | 'h2' | 'h3' | undefined
  className?: string | undefined
}

export function EmptyState({
  drawing = 'board',
  title,
  children,
  action,
  headingLevel: Heading = 'h2',
  className,
}: EmptyStateProps) {
  return (
    <div
      className={classNames(
        'mx-auto grid max-w-slip justify-items-center gap-2 px-4 py-10 text-center',
        className,
      )}
    >
      <Drawing name={drawing} className="mb-3" />
      <Heading className="font-display font-strong text-title">{title}</Heading>
      {children && <p className="text-ink-soft">{children}</p>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-3">{action}</div>}
    </div>
  )
}
