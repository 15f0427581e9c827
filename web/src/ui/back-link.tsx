import { ArrowLeft } from 'lucide-react'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'

/** The way back, above a title. A button, or with `asChild` the caller's own link. */
export function BackLink({
  asChild = false,
  className,
  children,
  ...rest
}: ComponentProps<'button'> & { asChild?: boolean | undefined }) {
  const look = classNames(
    'group -ml-2 inline-flex min-h-9 items-center gap-1.5 rounded-control px-2 font-strong text-fine text-ink-soft no-underline hover:bg-sunken hover:text-ink',
    className,
  )
  const arrow = <ArrowLeft aria-hidden="true" className="size-4" />
  return asChild ? (
    <Slot.Root className={look} {...rest}>
      {arrow}
      <Slot.Slottable>{children}</Slot.Slottable>
    </Slot.Root>
  ) : (
    <button type="button" className={look} {...rest}>
      {arrow}
      {children}
    </button>
  )
}
