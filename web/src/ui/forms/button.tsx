import type { ComponentProps, MouseEvent } from 'react'
import { classNames } from '../base/class-names.ts'
import { useIsHydrated } from '../base/hydration.ts'
import { Slot } from '../base/slot.tsx'
import { Spinner } from '../feedback/spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'sm' | 'md' | 'lg'

const base =
  'relative inline-flex items-center justify-center gap-2 rounded-control border text-center leading-tight font-strong ' +
  'no-underline select-none transition-colors duration-150 active:translate-y-px motion-reduce:active:translate-y-0 ' +
  'disabled:cursor-not-allowed disabled:border-transparent disabled:bg-sunken disabled:text-ink-soft disabled:active:translate-y-0 ' +
  '[&_svg]:shrink-0'

const variants = {
  primary: 'border-transparent bg-accent text-accent-ink hover:bg-accent-deep',
  secondary: 'border-line-strong bg-paper text-ink hover:border-ink hover:bg-sunken',
  quiet:
    'border-transparent bg-transparent text-accent hover:bg-accent-wash hover:text-accent-deep disabled:bg-transparent',
  danger: 'border-transparent bg-danger text-danger-ink hover:bg-danger-deep',
} satisfies Record<ButtonVariant, string>

const sizes = {
  sm: 'min-h-9 px-3 py-1 text-fine [&_svg]:size-4',
  md: 'min-h-11 px-5 py-2 text-body [&_svg]:size-[1.125rem]',
  lg: 'min-h-13 px-7 py-2 text-body [&_svg]:size-5',
} satisfies Record<ButtonSize, string>

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant | undefined
  size?: ButtonSize | undefined
  /** Shows a spinner. The button keeps its width and focus, and ignores clicks. */
  busy?: boolean | undefined
  /** Fills the width of its container. */
  wide?: boolean | undefined
  /** Styles its only child, such as a link, as a button. */
  asChild?: boolean | undefined
}

export function Button({
  variant = 'primary',
  size = 'md',
  busy = false,
  wide = false,
  asChild = false,
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  // On pages from the server, the browser itself can submit forms with a method, before the code has loaded or
  // without it.
  const isReady = useIsHydrated() || rest.formMethod !== undefined
  const classes = classNames(base, variants[variant], sizes[size], wide && 'w-full', className)
  if (asChild) {
    return (
      <Slot className={classes} onClick={onClick} {...rest}>
        {children}
      </Slot>
    )
  }

  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      className={classNames(classes, busy && 'cursor-progress')}
      aria-busy={busy || undefined}
      aria-disabled={busy || !isReady || undefined}
      onClick={press}
      {...rest}
      disabled={rest.disabled || (rest.type === 'submit' && !isReady)}
    >
      {busy ? (
        <>
          <span className="absolute inset-0 grid place-items-center">
            <Spinner />
          </span>
          <span className="inline-flex items-center gap-2 opacity-0">{children}</span>
        </>
      ) : (
        children
      )}
    </button>
  )
}
