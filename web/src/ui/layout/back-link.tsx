import { ArrowLeft } from 'lucide-react'
import { type ComponentProps, cloneElement, type ReactElement, type ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { useReadiness } from '../base/hydration.ts'
import { Slot } from '../base/slot.tsx'

/** The back link above a title. A button or, with `asChild`, the link of the caller. */
export function BackLink({
  asChild = false,
  className,
  children,
  ...rest
}: ComponentProps<'button'> & { asChild?: boolean | undefined }) {
  const readiness = useReadiness()
  const classes = classNames(
    'group -ml-2 inline-flex min-h-9 items-center gap-1.5 rounded-control px-2 font-strong text-fine text-ink-soft no-underline hover:bg-sunken hover:text-ink',
    className,
  )
  const arrow = <ArrowLeft aria-hidden="true" className="size-4" />
  if (asChild) {
    const link = children as ReactElement<{ children?: ReactNode }>
    return (
      <Slot className={classes} {...rest}>
        {cloneElement(link, undefined, arrow, link.props.children)}
      </Slot>
    )
  }
  return (
    <button type="button" className={classes} {...readiness} {...rest}>
      {arrow}
      {children}
    </button>
  )
}
