import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { useReturnFocus } from '../base/return-focus.ts'
import { IconButton } from '../forms/icon-button.tsx'

const widths = { slip: 'sm:max-w-slip', column: 'sm:max-w-column', desk: 'sm:max-w-desk' } as const

export interface DialogProps {
  title: ReactNode
  description?: ReactNode
  /** The button that opens it. Without one, control it with `open`. */
  trigger?: ReactElement | undefined
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  width?: keyof typeof widths | undefined
  /** Buttons, which stay visible below the scrolling content. */
  actions?: ReactNode
  children?: ReactNode
}

/** A full-screen sheet on phones, a centred card on larger screens. */
export function Dialog({
  title,
  description,
  trigger,
  open,
  onOpenChange,
  width = 'column',
  actions,
  children,
}: DialogProps) {
  const { trigger: triggerRef, events } = useReturnFocus()
  return (
    <Radix.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      {trigger && (
        <Radix.Trigger asChild ref={triggerRef}>
          {trigger}
        </Radix.Trigger>
      )}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear overflow-y-auto bg-scrim sm:grid sm:place-items-center sm:p-6">
          <Radix.Content
            {...(description ? {} : { 'aria-describedby': undefined })}
            {...events}
            className={classNames(
              'flex h-dvh w-full animate-rise flex-col bg-paper text-ink outline-none',
              'sm:h-auto sm:max-h-[calc(100dvh-3rem)] sm:rounded-card sm:shadow-lift',
              widths[width],
            )}
          >
            <header className="flex items-start gap-4 border-line border-b py-4 pr-3 pl-5 sm:pl-7">
              <div className="min-w-0 grow py-1.5">
                <Radix.Title className="font-display font-strong text-title">{title}</Radix.Title>
                {description && (
                  <Radix.Description className="mt-1 text-ink-soft">{description}</Radix.Description>
                )}
              </div>
              <Radix.Close asChild>
                <IconButton label="Close" Icon={X} />
              </Radix.Close>
            </header>
            <div className="grow overflow-y-auto overscroll-contain px-5 py-5 sm:px-7 sm:py-6">
              {children}
            </div>
            {actions && (
              <footer className="border-line border-t px-5 py-3 sm:px-7 sm:py-4">
                <DialogActions>{actions}</DialogActions>
              </footer>
            )}
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** The main button comes last. If the buttons do not fit next to each other, it is on top. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap-reverse gap-x-3 gap-y-2 max-sm:*:grow max-sm:*:px-3 sm:justify-end">
      {children}
    </div>
  )
}

/** Wraps a button that only closes the dialog. */
export function DialogClose({ children }: { children: ReactElement }) {
  return <Radix.Close asChild>{children}</Radix.Close>
}
