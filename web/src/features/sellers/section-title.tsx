import type { ReactNode } from 'react'
import { Badge } from '../../ui/display/badge.tsx'

/** The title of a payout method, with a badge if it is in use. */
export function SectionTitle({
  badge,
  children,
}: {
  badge: string | false | undefined
  children: ReactNode
}) {
  return (
    <span className="flex flex-wrap items-center gap-3">
      {children}
      {badge && (
        <Badge tone="accent" className="font-plain">
          {badge}
        </Badge>
      )}
    </span>
  )
}
