import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface ProseSection {
  id: string
  title: string
}

export interface ProseProps {
  /** The headings to jump to, in order; each h2 within carries its id. */
  sections?: readonly ProseSection[] | undefined
  children: ReactNode
  className?: string | undefined
}

/** Long text to read: a measure of some seventy letters, and from tablets up the contents beside it. */
export function Prose({ sections = [], children, className }: ProseProps) {
  const text = <div className="prose min-w-0 max-w-[40rem]">{children}</div>
  if (sections.length === 0) return <div className={className}>{text}</div>
  return (
    <div className={classNames('grid gap-x-14 gap-y-8 lg:grid-cols-[15rem_minmax(0,1fr)]', className)}>
      <nav
        aria-label="On this page"
        className="lg:sticky lg:top-24 lg:max-h-[calc(100dvh-8rem)] lg:self-start lg:overflow-y-auto"
      >
        <p className="mb-2 font-strong">On this page</p>
        <ol className="grid border-line border-l">
          {sections.map((section) => (
            <li key={section.id}>
              <a
                href={`#${section.id}`}
                className="-ml-px block border-transparent border-l-2 py-1.5 pl-4 text-fine text-ink-soft no-underline hover:border-accent hover:text-ink focus-visible:-outline-offset-2"
              >
                {section.title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {text}
    </div>
  )
}
