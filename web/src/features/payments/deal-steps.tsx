import type { ReactNode } from 'react'

/** What a party does next, in words, above what they need for it. */
export function StepText({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="font-display font-strong text-title [overflow-wrap:anywhere]">{title}</h2>
      <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">{children}</p>
    </div>
  )
}
