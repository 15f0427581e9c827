import type { ReactNode } from 'react'

/** A part of a page with its heading. */
export function TitledSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mb-4 font-display font-strong text-title">{title}</h2>
      {children}
    </section>
  )
}
