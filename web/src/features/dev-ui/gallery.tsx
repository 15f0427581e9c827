import type { ReactNode } from 'react'

export function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section
      aria-labelledby={idOf(title)}
      className="grid gap-x-10 gap-y-6 border-line border-t py-10 lg:grid-cols-[11rem_minmax(0,1fr)]"
    >
      <h2 id={idOf(title)} className="scroll-mt-24 font-display font-strong text-title">
        {title}
      </h2>
      <div className="grid min-w-0 grid-cols-1 gap-8">{children}</div>
    </section>
  )
}

export function Example({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      <p className="text-fine text-ink-soft">{label}</p>
      {children}
    </div>
  )
}

export function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>
}

export function Columns({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 items-start gap-6 md:grid-cols-2">{children}</div>
}

function idOf(title: string): string {
  return `group-${title.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`
}
