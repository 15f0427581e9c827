import { DropdownMenu } from 'radix-ui'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  align?: 'start' | 'end' | undefined
  /** The name of the menu for screen readers, if the trigger does not say it. */
  label?: string | undefined
  children: ReactNode
}

export function Menu({ trigger, align = 'end', label, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={8}
          collisionPadding={12}
          {...(label ? { 'aria-label': label, 'aria-labelledby': undefined } : {})}
          className="z-50 min-w-56 max-w-slip animate-appear rounded-control bg-paper p-1.5 text-ink shadow-lift ring-1 ring-line"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export interface MenuItemProps extends ComponentProps<typeof DropdownMenu.Item> {
  tone?: 'plain' | 'danger' | undefined
}

/** A menu item. With `asChild` it is a link. */
export function MenuItem({ tone = 'plain', className, ...rest }: MenuItemProps) {
  return (
    <DropdownMenu.Item
      className={classNames(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-card px-3 no-underline outline-none [&_svg]:size-[1.125rem] [&_svg]:shrink-0 [&_svg]:text-ink-soft',
        'data-[highlighted]:bg-sunken data-[disabled]:cursor-not-allowed data-[disabled]:text-ink-soft',
        tone === 'danger' ? 'text-danger data-[highlighted]:bg-danger-wash [&_svg]:text-danger' : 'text-ink',
        className,
      )}
      {...rest}
    />
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <DropdownMenu.Label className="px-3 py-2">{children}</DropdownMenu.Label>
}

export function MenuSeparator() {
  return <DropdownMenu.Separator className="-mx-1.5 my-1.5 h-px bg-line" />
}
