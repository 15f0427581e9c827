import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

const tones = {
  accent: 'bg-accent text-accent-ink',
  quiet: 'bg-sunken text-ink',
} as const

const sizes = {
  md: 'py-1 text-body whitespace-nowrap',
  lg: 'py-1.5 text-title [--point:1rem]',
} as const

export interface TagProps {
  tone?: keyof typeof tones | undefined
  size?: keyof typeof sizes | undefined
  className?: string | undefined
  children: ReactNode
}

/** The tag that shows the budget of a request. */
export function Tag({ tone = 'accent', size = 'md', className, children }: TagProps) {
  return (
    <span
      className={classNames(
        'tag-shape inline-flex max-w-full items-center font-display font-strong tabular-nums leading-tight',
        tones[tone],
        sizes[size],
        className,
      )}
    >
      {children}
    </span>
  )
}
