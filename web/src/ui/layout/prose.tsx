import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

export interface ProseSection {
  id: string
  title: string
}

export interface ProseProps {
  /** The table of contents. Each section has an h2 with its id. */
  sections?: readonly ProseSection[] | undefined
  children: ReactNode
  className?: string | undefined
}

/** Long text with a table of contents next to it, or collapsed above it on phones. */
export function Prose({ sections = [], children, className }: ProseProps) {
  const text = <div className="prose min-w-0 max-w-[40rem]">{children}</div>
  if (sections.length === 0) return <div className={className}>{text}</div>
  const contents = <Contents sections={sections} />
  return (
    <div className={classNames('grid gap-x-14 gap-y-8 lg:grid-cols-[15rem_minmax(0,1fr)]', className)}>
      <nav aria-label="On this page" className="lg:hidden">
        <details className="group rounded-control border border-line-strong bg-paper">
          <summary className="flex min-h-11 list-none items-center justify-between px-4 font-strong [&::-webkit-details-marker]:hidden">
            On this page
            <ChevronDown aria-hidden="true" className="size-5 text-ink-soft group-open:rotate-180" />
          </summary>
          <div className="px-4 pb-3">{contents}</div>
        </details>
      </nav>
      <nav
        aria-label="On this page"
        className="sticky top-24 hidden max-h-[calc(100dvh-8rem)] self-start overflow-y-auto lg:block"
      >
        <p className="mb-2 font-strong">On this page</p>
        {contents}
      </nav>
      {text}
    </div>
  )
}

function Contents({ sections }: { sections: readonly ProseSection[] }) {
  return (
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
  )
}
