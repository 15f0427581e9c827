import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { canGoBack } from './navigation-history.ts'

export interface BackButtonProps {
  /** Where to go if the previous page is not on this site. */
  fallback?: string | undefined
  children?: ReactNode
}

export function BackButton({ fallback = paths.home(), children = 'Back' }: BackButtonProps) {
  const [, navigate] = useLocation()
  const goBack = () => {
    if (canGoBack()) window.history.back()
    else navigate(fallback)
  }
  return <BackLink onClick={goBack}>{children}</BackLink>
}

interface BackToProps {
  href: string
  className?: string
  children: ReactNode
}

/** Back to a certain page, wherever the user comes from. */
export function BackTo({ href, className, children }: BackToProps) {
  return (
    <BackLink asChild className={className}>
      <Link href={href}>{children}</Link>
    </BackLink>
  )
}
