import type { ReactNode } from 'react'
import { Link } from 'wouter'

/** A link within a text. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link href={to} className="link">
      {children}
    </Link>
  )
}
