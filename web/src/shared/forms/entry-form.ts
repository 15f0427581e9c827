import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { type ReactNode, useState } from 'react'
import {
  type DefaultValues,
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

/** What `Form` and `FormDialog` need. */
export interface FormState {
  submit: (event?: { preventDefault: () => void }) => void
  isBusy: boolean
  /** What is wrong with no field of its own. */
  problem: ReactNode
  /** The question before sending, while it is asked. */
  question?: ConfirmDialogProps | null
  failureCount: number
  successCount?: number
  /** Forgets the last attempt, and what was entered unless that is to be kept. */
  restart: (options?: { keepsEntries: boolean }) => void
}

export interface EntryOptions<Entered extends FieldValues, Valid> {
  /** The schema of the contract. Forms in which nothing can be wrong need none. */
  schema?: z.ZodMiniType<Valid, Entered>
  /** The initial values. */
  values: DefaultValues<Entered>
  /** Runs if fields are not valid. */
  onInvalid?: () => void
}

export type EntryForm<Entered extends FieldValues, Valid = Entered> = FormState &
  Omit<ReturnType<typeof useEntryForm<Entered, Valid>>, keyof FormState>

/**
 * The entries of a form. Forms that make a call use `useContractForm`.
 *
 * They are validated with the same schema as on the server: on submit, and then with every change. Not on blur, because
 * an error that appears while a button is being pressed would move the button away.
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
    // `Form` focuses the first invalid field on the screen, also after an answer of the server.
    shouldFocusError: false,
  })
  const { errors, isSubmitted, isSubmitting, submitCount } = form.formState
  const [elsewhere, setElsewhere] = useState<readonly string[]>([])
  const [refusedCount, setRefusedCount] = useState(0)
  // The fields that this rendering shows.
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
      // A schema replaces the errors of the last attempt.
      if (!schema) form.clearErrors()
      void submitEntries()
    },
    /** The props of an input element. */
    field: <Name extends FieldPath<Entered>>(name: Name, rules?: RegisterOptions<Entered, Name>) => ({
      ...form.register(name, rules),
      error: errorOf(name),
    }),
    /** The props of a field that is not an input element, or that changes what is entered. */
    control: <Name extends FieldPath<Entered>>(name: Name) => ({
      value: form.watch(name),
      error: errorOf(name),
      onValueChange: (value: FieldPathValue<Entered, Name>) => {
        form.clearErrors(name)
        form.setValue(name, value, { shouldDirty: true, shouldValidate: isSubmitted })
      },
    }),
    /** Shows what the server answered at the fields. */
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

/** The field at a path of the body, such as 'images' for 'images.0.url'. */
function findShown(path: string, shown: ReadonlySet<string>): string | undefined {
  const names = path.split('.')
  return names.map((_, cut) => names.slice(0, names.length - cut).join('.')).find((name) => shown.has(name))
}

/** The error of a list may be that of the list or of its first wrong entry. */
function messageAt(errors: FieldErrors, name: string): string | undefined {
  const error: FieldError | (FieldError[] & { root?: FieldError }) | undefined = get(errors, name)
  return Array.isArray(error) ? (error.root ?? error.find(Boolean))?.message : error?.message
}
