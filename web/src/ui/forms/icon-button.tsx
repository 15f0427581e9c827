import type { ComponentProps, ComponentType } from 'react'
import { classNames } from '../base/class-names.ts'
import { useReadiness } from '../base/hydration.ts'
import { Slot } from '../base/slot.tsx'

const sizes = {
  sm: 'size-9 [&_svg]:size-[1.125rem]',
  md: 'size-11 [&_svg]:size-5',
} as const

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** What the icon means, for screen readers. Wrap the button in a `Tooltip` to show it to everyone. */
  label: string
  Icon?: ComponentType<{ 'aria-hidden': 'true' }> | undefined
  size?: keyof typeof sizes | undefined
  asChild?: boolean | undefined
}

export function IconButton({
  label,
  Icon,
  size = 'md',
  asChild = false,
  className,
  children,
  ...rest
}: IconButtonProps) {
  const readiness = useReadiness()
  const classes = classNames(
    'relative inline-grid shrink-0 place-items-center rounded-control text-ink transition-colors duration-150',
    'hover:bg-sunken disabled:cursor-not-allowed disabled:text-ink-soft disabled:hover:bg-transparent',
    'aria-[current=page]:text-accent',
    sizes[size],
    className,
  )
  return asChild ? (
    <Slot className={classes} aria-label={label} {...rest}>
      {children}
    </Slot>
  ) : (
    <button type="button" className={classes} aria-label={label} {...readiness} {...rest}>
      {Icon && <Icon aria-hidden="true" />}
      {children}
    </button>
  )
}
