import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { Slot } from '../base/slot.tsx'

const paddings = { none: '', md: 'p-5', lg: 'p-5 sm:p-7' } as const

export interface CardProps extends ComponentProps<'div'> {
  padding?: keyof typeof paddings | undefined
  /** Has a hover effect, for cards whose title is a `CardLink`. */
  interactive?: boolean | undefined
  asChild?: boolean | undefined
}

export function Card({
  padding = 'md',
  interactive = false,
  asChild = false,
  className,
  ...rest
}: CardProps) {
  const Root = asChild ? Slot : 'div'
  return (
    <Root
      className={classNames(
        'relative rounded-card bg-paper shadow-card',
        interactive &&
          'transition-[translate,box-shadow] duration-200 ease-settle hover:-translate-y-0.5 hover:shadow-lift motion-reduce:hover:translate-y-0',
        interactive &&
          'has-[.card-link:focus-visible]:outline-2 has-[.card-link:focus-visible]:outline-accent has-[.card-link:focus-visible]:outline-offset-2',
        paddings[padding],
        className,
      )}
      {...rest}
    />
  )
}

/** The line under the head of an index card. Marigold if the request is urgent. */
export function CardRule({
  urgent = false,
  className,
}: {
  urgent?: boolean
  className?: string | undefined
}) {
  return (
    <div
      aria-hidden="true"
      className={classNames('h-0.75 border-y', urgent ? 'border-signal bg-signal' : 'border-line', className)}
    />
  )
}

/** Makes the whole card clickable, with this link as its only focusable element. */
export function CardLink({
  asChild = false,
  className,
  ...rest
}: ComponentProps<'a'> & { asChild?: boolean }) {
  const Root = asChild ? Slot : 'a'
  return (
    <Root
      className={classNames(
        'card-link text-inherit no-underline outline-none after:absolute after:inset-0',
        className,
      )}
      {...rest}
    />
  )
}

/** The title of a card, with optional content to its right. */
export function CardHeader({
  title,
  aside,
  children,
}: {
  title: ReactNode
  aside?: ReactNode
  children?: ReactNode
}) {
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="min-w-0">
        <h2 className="font-display font-strong text-title">{title}</h2>
        {children && <p className="mt-1 text-ink-soft">{children}</p>}
      </div>
      {aside}
    </header>
  )
}
