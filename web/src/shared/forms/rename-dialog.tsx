import type { ComponentProps } from 'react'
import { useState } from 'react'
import { Button } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import type { FormState } from './entry-form.ts'
import { Form } from './form.tsx'

interface RenameDialogProps {
  title: string
  name: string
  form: FormState & {
    isPending: boolean
    isSuccess: boolean
    field: (name: 'name') => Partial<ComponentProps<typeof TextField>>
  }
}

/** A button with a dialog for a new name. It closes before the reply, because the list shows the name at once. */
export function RenameDialog({ title, name, form }: RenameDialogProps) {
  const [isOpen, setIsOpen] = useState(false)
  const change = (open: boolean) => {
    if (open) form.restart()
    setIsOpen(open)
  }
  return (
    <Dialog
      title={title}
      width="slip"
      open={isOpen && !form.isPending && !form.isSuccess}
      onOpenChange={change}
      trigger={
        <Button variant="secondary" size="sm" aria-label={`Rename ${name}`}>
          Rename
        </Button>
      }
    >
      <Form form={form} name={title} submitLabel="Save Name" wide>
        <TextField label="Name" {...form.field('name')} />
      </Form>
    </Dialog>
  )
}
