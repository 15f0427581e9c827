import { useEffect, useEffectEvent, useId, useState } from 'react'
import { Button } from '../../ui/forms/button.tsx'
import { ConfirmDialog, type ConfirmDialogProps } from '../../ui/overlays/confirm-dialog.tsx'
import { Dialog, DialogClose, type DialogProps } from '../../ui/overlays/dialog.tsx'
import type { FormState } from './entry-form.ts'
import { FormFields, type FormProps } from './form.tsx'

type FormParts = Pick<FormProps, 'form' | 'name' | 'children'>

interface FormDialogProps
  extends FormParts,
    Pick<FormProps, 'disabled' | 'submitLabel'>,
    Pick<DialogProps, 'title' | 'description' | 'trigger' | 'width' | 'open' | 'onOpenChange'> {}

/** A form in a dialog. It is reset whenever the dialog opens, and the dialog closes after success. */
export function FormDialog({ form, name, submitLabel, disabled, children, ...dialog }: FormDialogProps) {
  const id = useId()
  return (
    <Dialog
      {...dialog}
      {...useOpen(form, dialog)}
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={id} busy={form.isBusy} disabled={disabled}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <FormFields id={id} form={form} name={name}>
        {children}
      </FormFields>
    </Dialog>
  )
}

interface ConfirmFormProps
  extends FormParts,
    Pick<
      ConfirmDialogProps,
      'title' | 'description' | 'confirmLabel' | 'cancelLabel' | 'tone' | 'trigger' | 'open' | 'onOpenChange'
    > {}

/** A confirmation dialog with fields. It keeps their values while it is closed. */
export function ConfirmForm({ form, name, children, ...dialog }: ConfirmFormProps) {
  return (
    <ConfirmDialog
      {...dialog}
      {...useOpen(form, dialog, { keepsEntries: true })}
      busy={form.isBusy}
      onConfirm={() => form.submit()}
    >
      <FormFields form={form} name={name}>
        {children}
      </FormFields>
    </ConfirmDialog>
  )
}

interface OpenState {
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
}

function useOpen(form: FormState, { open, onOpenChange }: OpenState, options?: { keepsEntries: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const change = (opened: boolean) => {
    if (opened) form.restart(options)
    setIsOpen(opened)
    onOpenChange?.(opened)
  }
  const close = useEffectEvent(() => change(false))
  const { successCount = 0 } = form
  const [initialCount] = useState(successCount)
  useEffect(() => {
    if (successCount > initialCount) close()
  }, [successCount, initialCount])
  return { open: open ?? isOpen, onOpenChange: change }
}
