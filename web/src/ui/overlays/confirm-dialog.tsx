import { AlertDialog } from 'radix-ui'
import { type ReactElement, type ReactNode, useState } from 'react'
import { useReturnFocus } from '../base/return-focus.ts'
import { Button } from '../forms/button.tsx'
import { DialogActions } from './dialog.tsx'

export interface ConfirmDialogProps {
  title: ReactNode
  /** What will happen, and whether it can be undone. */
  description: ReactNode
  /** Says what happens, never 'OK'. */
  confirmLabel: string
  cancelLabel?: string | undefined
  tone?: 'plain' | 'danger' | undefined
  busy?: boolean | undefined
  /** If it returns a promise, the dialog is busy until that resolves, and then closes. */
  onConfirm: () => unknown
  trigger?: ReactElement | undefined
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  /** Fields to fill in before confirming. */
  children?: ReactNode
}

/** Asks before an action that cannot be undone. The focus starts on Cancel. If `open` is given, the caller closes it. */
export function ConfirmDialog({
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'plain',
  busy,
  onConfirm,
  trigger,
  open,
  onOpenChange,
  children,
}: ConfirmDialogProps) {
  const { events } = useReturnFocus()
  const [isOpen, setIsOpen] = useState(false)
  const [isRunning, setIsRunning] = useState(false)
  const change = (opened: boolean) => {
    setIsOpen(opened)
    onOpenChange?.(opened)
  }
  const confirm = async () => {
    const result = onConfirm()
    if (result instanceof Promise) {
      setIsRunning(true)
      await result
      setIsRunning(false)
      change(false)
    } else if (open === undefined) change(false)
  }
  return (
    <AlertDialog.Root open={open ?? isOpen} onOpenChange={change}>
      {trigger && <AlertDialog.Trigger asChild>{trigger}</AlertDialog.Trigger>}
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-40 grid animate-appear items-end overflow-y-auto bg-scrim sm:place-items-center sm:p-6">
          <AlertDialog.Content
            {...events}
            className="w-full animate-rise rounded-t-card bg-paper p-5 text-ink shadow-lift outline-none sm:max-w-slip sm:rounded-card sm:p-7"
          >
            <AlertDialog.Title className="font-display font-strong text-title">{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-ink-soft">{description}</AlertDialog.Description>
            {children && <div className="mt-5">{children}</div>}
            <div className="mt-6">
              <DialogActions>
                <AlertDialog.Cancel asChild>
                  <Button variant="secondary">{cancelLabel}</Button>
                </AlertDialog.Cancel>
                <Button
                  variant={tone === 'danger' ? 'danger' : 'primary'}
                  busy={busy || isRunning}
                  onClick={() => void confirm()}
                >
                  {confirmLabel}
                </Button>
              </DialogActions>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Overlay>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
