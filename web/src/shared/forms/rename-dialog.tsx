import { useState } from 'react'
import type * as z from 'zod/mini'
import { Button } from '../../ui/forms/button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useContractForm } from './form.ts'

interface Name {
  name: string
}

interface RenameDialogProps {
  title: string
  name: string
  /** The rules for a name. */
  schema: z.ZodMiniType<Name, Name>
  busy: boolean
  /** Resolves to a falsy value if the name was not changed. */
  onRename: (body: Name) => Promise<unknown>
}

/**
 * A button that asks for a new name. The dialog closes immediately, and opens again if the name was not changed.
 */
export function RenameDialog({ title, name, schema, busy, onRename }: RenameDialogProps) {
  const [isOpen, setIsOpen] = useState(false)
  const form = useContractForm<Name, Name>(schema, { name })
  const rename = async (body: Name) => {
    setIsOpen(false)
    if (!(await onRename(body))) setIsOpen(true)
  }
  return (
    <Dialog
      title={title}
      width="slip"
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button variant="secondary" size="sm" aria-label={`Rename ${name}`}>
          Rename
        </Button>
      }
    >
      <form
        noValidate
        aria-label={title}
        onSubmit={form.handleSubmit((body) => void rename(body))}
        className="grid gap-5"
      >
        <TextField label="Name" error={form.formState.errors.name?.message} {...form.register('name')} />
        <Button type="submit" wide busy={busy}>
          Save Name
        </Button>
      </form>
    </Dialog>
  )
}
