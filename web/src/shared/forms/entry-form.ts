import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ReactNode, useState } from 'react'
import {
  type DefaultValues,
  type Field,
  type FieldError,
  type FieldErrors,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  get,
  type RegisterOptions,
  useForm,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import type { FieldIssue } from '../../data/client.ts'
import type { ConfirmDialogProps } from '../../ui/overlays/confirm-dialog.tsx'

/** The props that `Form` and `FormDialog` need from a form. */
export interface FormState {
  submit: (event?: { preventDefault: () => void }) => void
  isBusy: boolean
  /** Errors that belong to no visible field. */
  problem: ReactNode
  /** The confirmation dialog before sending. Null while it is closed. */
  question?: ConfirmDialogProps | null
  failureCount: number
  successCount?: number
  /** Clears the errors of the last attempt and, unless `keepsEntries` is set, the entries. */
  restart: (options?: { keepsEntries: boolean }) => void
}

export interface EntryOptions<Entered extends FieldValues, Valid> {
  /** The schema of the contract. Omitted if every entry is valid. */
  schema?: z.ZodMiniType<Valid, Entered>
  /** The initial values. */
  values: DefaultValues<Entered>
  /** Runs after a submit with invalid fields. */
  onInvalid?: () => void
}

export type EntryForm<Entered extends FieldValues, Valid = Entered> = FormState &
  Omit<ReturnType<typeof useEntryForm<Entered, Valid>>, keyof FormState>

/**
 * The fields of a form and their validation. Forms that make a call use `useContractForm`.
 *
 * Fields are validated with the same schema as on the server: on submit, and after that on every change. They are not
 * validated on blur, because an error that appears on blur would move the button that the user is just pressing.
 */
export function useEntryForm<Entered extends FieldValues, Valid = Entered>({
  schema,
  values,
  onSubmit,
  onInvalid,
}: EntryOptions<Entered, Valid> & { onSubmit: (valid: Valid) => void | Promise<void> }) {
  const form = useForm<Entered, unknown, Valid>({
    ...(schema && { resolver: standardSchemaResolver(schema) }),
    defaultValues: values,
    // `Form` focuses the first invalid field itself, because it does so after errors of the server too.
    shouldFocusError: false,
  })
  const { errors, isSubmitted, isSubmitting, submitCount } = form.formState
  const [elsewhere, setElsewhere] = useState<readonly string[]>([])
  const [refusedCount, setRefusedCount] = useState(0)
  // The fields on screen. Errors of other fields are shown above the button.
  const shown = new Set<string>()

  const submitEntries = form.handleSubmit(onSubmit, (found) => {
    const hidden = Object.keys(found).filter((name) => !shown.has(name))
    setElsewhere(hidden.flatMap((name) => messageAt(found, name) ?? []))
    onInvalid?.()
  })

  function errorOf(name: FieldPath<Entered>): string | undefined {
    shown.add(name)
    return messageAt(errors, name)
  }

  return {
    ...form,
    submit(event?: { preventDefault: () => void }): void {
      event?.preventDefault()
      setElsewhere([])
      // With a schema, the next validation replaces the old errors.
      if (!schema) form.clearErrors()
      void submitEntries()
    },
    /** The props of an input element. */
    field: <Name extends FieldPath<Entered>>(name: Name, rules?: RegisterOptions<Entered, Name>) => ({
      ...form.register(name, rules),
      error: errorOf(name),
    }),
    /** The props of a controlled field, for fields without an input element or with formatted values. */
    control: <Name extends FieldPath<Entered>>(name: Name) => ({
      value: form.watch(name),
      error: errorOf(name),
      onValueChange: (value: FieldPathValue<Entered, Name>) => {
        form.clearErrors(name)
        form.setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted })
      },
    }),
    /** `setFocus` waits for a timer, and letters that are typed before it would be lost. */
    focusNow(name: FieldPath<Entered>): void {
      const field: Field | undefined = get(form.control._fields, name)
      field?._f.ref.focus?.()
    },
    /** Shows errors of the server at their fields. */
    showIssues(issues: readonly FieldIssue[]): void {
      const others = issues.filter(({ path, message }) => {
        const name = findShown(path, shown)
        if (name) form.setError(name as FieldPath<Entered>, { message })
        return !name
      })
      setElsewhere(others.map(({ message }) => message))
      setRefusedCount((count) => count + 1)
    },
    isBusy: isSubmitting,
    problem: elsewhere.join('\n'),
    failureCount: submitCount + refusedCount,
    restart({ keepsEntries = false } = {}): void {
      form.reset(keepsEntries ? undefined : values, { keepValues: keepsEntries })
      setElsewhere([])
    },
  }
}

/** Finds the visible field for a path in the body, such as 'images' for 'images.0.url'. */
function findShown(path: string, shown: ReadonlySet<string>): string | undefined {
  const names = path.split('.')
  return names.map((_, cut) => names.slice(0, names.length - cut).join('.')).find((name) => shown.has(name))
}

/** For a list, returns the error of the list itself or of its first invalid entry. */
function messageAt(errors: FieldErrors, name: string): string | undefined {
  const error: FieldError | (FieldError[] & { root?: FieldError }) | undefined = get(errors, name)
  return Array.isArray(error) ? (error.root ?? error.find(Boolean))?.message : error?.message
}
