import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Button, type ButtonProps } from '../../ui/forms/button.tsx'

interface LinkButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'wide' | 'className' | 'children'> {
  to: string
}

/** A link that looks like a button. */
export function LinkButton({ to, children, ...look }: LinkButtonProps) {
  return (
    <Button asChild {...look}>
      <Link href={to}>{children}</Link>
    </Button>
  )
}

/** A link within a text. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link href={to} className="link">
      {children}
    </Link>
  )
}
