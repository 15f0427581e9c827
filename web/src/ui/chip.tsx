import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

export interface ChipProps extends ComponentProps<'button'> {
  pressed: boolean
}

/** A filter that can be turned on and off. */
export function Chip({ pressed, className, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      className={classNames(
        'inline-flex min-h-9 shrink-0 items-center rounded-control border px-3.5 whitespace-nowrap transition-colors duration-150',
        pressed
          ? 'border-ink bg-ink text-ground'
          : 'border-line-strong bg-transparent text-ink hover:border-ink hover:bg-paper',
        className,
      )}
      {...rest}
    />
  )
}
