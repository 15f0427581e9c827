import { Popover as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

export interface PopoverProps {
  /** The button that opens it. */
  trigger: ReactElement
  /** Wraps the trigger, for example in a tooltip. */
  aroundTrigger?: ((trigger: ReactElement) => ReactNode) | undefined
  /** The name for screen readers. */
  label: string
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  align?: 'start' | 'end' | undefined
  children: ReactNode
}

/** A panel next to its button, for content that a menu cannot have: headings, links, buttons. */
export function Popover({
  trigger,
  aroundTrigger = (it) => it,
  label,
  open,
  onOpenChange,
  align = 'end',
  children,
}: PopoverProps) {
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      {aroundTrigger(<Radix.Trigger asChild>{trigger}</Radix.Trigger>)}
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={8}
          collisionPadding={12}
          // Resizing the window may hide the button, and then the popover has to disappear too.
          hideWhenDetached
          className="z-50 flex max-h-(--radix-popover-content-available-height) w-[min(26rem,calc(100vw-1.5rem))] animate-appear flex-col rounded-control bg-paper text-ink shadow-lift outline-none ring-1 ring-line"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
