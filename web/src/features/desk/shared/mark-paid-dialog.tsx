import { TRANSFER_REFERENCE_MAX_LENGTH } from '@sought/contract/fields'
import type { ReactElement } from 'react'
import type { FormState } from '../../../shared/forms/entry-form.ts'
import { ConfirmForm } from '../../../shared/forms/form-dialog.tsx'
import { TextField, type TextFieldProps } from '../../../ui/forms/text-field.tsx'

interface MarkPaidDialogProps {
  form: FormState & { field: (name: 'reference') => Partial<TextFieldProps> }
  amount: string
  description: string
  trigger: ReactElement
}

/** An admin confirms a bank transfer, with its reference. */
export function MarkPaidDialog({ form, amount, description, trigger }: MarkPaidDialogProps) {
  return (
    <ConfirmForm
      form={form}
      title={`Have you paid ${amount}?`}
      description={description}
      confirmLabel={`Mark ${amount} Paid`}
      cancelLabel="Not Yet"
      trigger={trigger}
    >
      <TextField
        label="Reference"
        hint="The bank’s reference number of the transfer."
        maxLength={TRANSFER_REFERENCE_MAX_LENGTH}
        autoComplete="off"
        {...form.field('reference')}
      />
    </ConfirmForm>
  )
}
