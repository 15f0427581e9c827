import { type ReactElement, useState } from 'react'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx'

const REFERENCE_MAX_LENGTH = 200

interface MarkPaidDialogProps {
  amount: string
  description: string
  busy: boolean
  onConfirm: (reference: string) => Promise<unknown>
  trigger: ReactElement
}

/** An admin confirms a bank transfer, with its reference. */
export function MarkPaidDialog({ amount, description, busy, onConfirm, trigger }: MarkPaidDialogProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [reference, setReference] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const confirm = async () => {
    const trimmed = reference.trim()
    setIsMissing(trimmed === '')
    if (trimmed === '') return
    await onConfirm(trimmed)
    setIsOpen(false)
  }
  return (
    <ConfirmDialog
      title={`Have you paid ${amount}?`}
      description={description}
      confirmLabel={`Mark ${amount} Paid`}
      cancelLabel="Not Yet"
      busy={busy}
      open={isOpen}
      onOpenChange={setIsOpen}
      onConfirm={() => void confirm()}
      trigger={trigger}
    >
      <TextField
        label="Reference"
        hint="The bank’s reference number of the transfer."
        maxLength={REFERENCE_MAX_LENGTH}
        autoComplete="off"
        value={reference}
        error={isMissing ? 'Please enter the reference of the transfer' : undefined}
        onChange={({ target }) => {
          setReference(target.value)
          setIsMissing(false)
        }}
      />
    </ConfirmDialog>
  )
}
