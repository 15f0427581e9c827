import { type ReactNode, use } from 'react'
import { classNames } from '../base/class-names.ts'
import { SiteName, Title } from '../base/title.tsx'

const widths = {
  /** A short form. */
  slip: 'max-w-slip',
  /** Text to read, or a longer form. */
  column: 'max-w-column',
  /** Two columns. */
  desk: 'max-w-desk',
  /** The full width of the noticeboard. */
  board: 'max-w-board',
} as const

export interface PageProps {
  /** The title in the browser tab. Also the heading, unless `heading` is given. */
  title: string
  /** A heading that differs from the title; null if the screen has its own h1. */
  heading?: ReactNode
  /** A sentence under the heading. */
  lead?: ReactNode
  /** A `BackButton`. */
  back?: ReactNode
  /** To the right of the heading. */
  actions?: ReactNode
  width?: keyof typeof widths | undefined
  className?: string | undefined
  children?: ReactNode
}

export function Page({
  title,
  heading = title,
  lead,
  back,
  actions,
  width = 'desk',
  className,
  children,
}: PageProps) {
  return (
    <div className={classNames('mx-auto w-full px-4 py-8 sm:px-6 md:py-12', widths[width], className)}>
      <Title>{`${title} · ${use(SiteName)}`}</Title>
      {back && <div className="mb-3 print:hidden">{back}</div>}
      {heading !== null && (
        <div className="mb-8 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
          <div className="min-w-0">
            <h1 className="font-display font-strong text-heading tracking-[-0.012em] [overflow-wrap:anywhere]">
              {heading}
            </h1>
            {lead && (
              <p className="mt-2 max-w-column text-ink-soft text-lead [overflow-wrap:anywhere]">{lead}</p>
            )}
          </div>
          {actions && <div className="flex flex-wrap gap-3 print:hidden">{actions}</div>}
        </div>
      )}
      {children}
    </div>
  )
}
