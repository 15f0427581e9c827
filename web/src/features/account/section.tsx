import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  /** For links to the section. */
  id?: string
  /** A sentence under the title. */
  description?: ReactNode
  children: ReactNode
}

/** A section of a tab, with its title on the left. On narrow screens the title is above. */
export function Section({ title, id, description, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-label={title}
      className="grid scroll-mt-24 grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-5 border-line border-t py-8 first:border-t-0 first:pt-2 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <header>
        <h2 className="font-display font-strong text-title">{title}</h2>
        {description && <p className="mt-1 max-w-column text-ink-soft">{description}</p>}
      </header>
      <div className="max-w-column">{children}</div>
    </section>
  )
}
