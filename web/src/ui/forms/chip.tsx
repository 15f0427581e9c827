import type { ComponentProps } from 'react'
import { classNames } from '../base/class-names.ts'
import { useReadiness } from '../base/hydration.ts'
import { Slot } from '../base/slot.tsx'

export interface ChipProps extends ComponentProps<'button'> {
  pressed: boolean
  /** Styles its only child, a link to the filtered list. */
  asChild?: boolean | undefined
}

/** A filter that can be turned on and off. */
export function Chip({ pressed, asChild = false, className, ...rest }: ChipProps) {
  const readiness = useReadiness()
  const classes = classNames(
    'inline-flex min-h-9 shrink-0 items-center rounded-control border px-3.5 whitespace-nowrap no-underline transition-colors duration-150',
    pressed
      ? 'border-ink bg-ink text-ground'
      : 'border-line-strong bg-transparent text-ink hover:border-ink hover:bg-paper',
    className,
  )
  if (asChild) return <Slot aria-current={pressed || undefined} className={classes} {...rest} />
  return <button type="button" aria-pressed={pressed} className={classes} {...readiness} {...rest} />
}
