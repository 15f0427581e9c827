import type { ReactNode } from 'react'

interface SectionProps {
  title: string
  /** A sentence under the title. */
  about?: ReactNode
  children: ReactNode
}

/** A part of a tab: what it is at the left, what can be done at the right; on narrow screens one below the other. */
export function Section({ title, about, children }: SectionProps) {
  return (
    <section
      aria-label={title}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-12 gap-y-5 border-line border-t py-8 first:border-t-0 first:pt-2 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <header>
        <h2 className="font-display font-strong text-title">{title}</h2>
        {about && <p className="mt-1 max-w-column text-ink-soft">{about}</p>}
      </header>
      <div className="max-w-column">{children}</div>
    </section>
  )
}
