import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import type { RefusalCode } from '@sought/contract/refusals'
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
import { type CallError, send } from '../../data/client.ts'
import { type ActionOptions, failureToast, useSubmission } from '../../data/use-action.ts'
import type { ConfirmDialogProps } from '../../ui/overlays/confirm-dialog.tsx'

/** The question before sending. */
export type Question = Pick<
  ConfirmDialogProps,
  'title' | 'description' | 'confirmLabel' | 'tone' | 'children'
>

interface FormOptions<C extends Call, Entered extends FieldValues, Valid>
  extends ActionOptions<Valid, ReplyOf<C>> {
  /** The schema of the contract. Forms in which nothing can be wrong need none. */
  schema?: z.ZodMiniType<Valid, Entered>
  /** The initial values. */
  values: DefaultValues<Entered>
  /** Runs before sending, such as to wait for uploads. Null sends nothing: the fields then have to say why. */
  prepare?: (valid: Valid) => Promise<Valid | null>
  /** Asks before sending. Null sends at once. */
  confirm?: (valid: Valid) => Question | null
  /** Refusals about one field. They are shown there instead of in a toast. */
  refusals?: { [Code in RefusalCode]?: FieldPath<Entered> }
  /** What the form shows about a failure until the next attempt. */
  explain?: (error: CallError) => ReactNode
  /** Runs if fields are not valid. */
  onInvalid?: () => void
  /** Runs after success and the refresh, even if the form is gone by then. */
  onSuccess?: (valid: Valid) => void
}

/** The input of the call. Uploads make the call themselves. */
type Outgoing<C extends Call, Valid> =
  | { input: (valid: Valid) => InputOf<C>; send?: undefined }
  | { send: (valid: Valid) => Promise<ReplyOf<C>>; input?: undefined }

/** What `Form` and `FormDialog` need. */
export type FormState = Pick<
  ReturnType<typeof useContractForm>,
  'submit' | 'isBusy' | 'problem' | 'question' | 'failureCount' | 'successCount' | 'restart'
>

/**
 * A form that makes a call:
 *
 *     const form = useContractForm(appealRuling, {
 *       schema: RulingAppeal,
 *       values: { reason: '' },
 *       input: (body) => ({ params: { paymentId: String(dispute.id) }, body }),
 *       failure: explainFailure('Failed to send your appeal'),
 *     })
 *     <Form form={form} name="Appeal" submitLabel="Send Appeal">
 *       <TextArea label="Why is the ruling wrong?" {...form.field('reason')} />
 *     </Form>
 *
 * It is validated with the same schema as on the server: on submit, and then with every change. Not on blur, because an
 * error that appears while a button is being pressed would move the button away. Issues that the server answers are
 * shown at their fields. The options of `useAction` decide about toasts.
 */
export function useContractForm<C extends Call, Entered extends FieldValues, Valid = Entered>(
  call: C,
  options: FormOptions<C, Entered, Valid> & Outgoing<C, Valid>,
) {
  const { schema, values, prepare, confirm, refusals = {}, explain, onInvalid, onSuccess } = options
  const form = useForm<Entered, unknown, Valid>({
    ...(schema && { resolver: standardSchemaResolver(schema) }),
    defaultValues: values,
    // `Form` focuses the first invalid field on the screen, also after an answer of the server.
    shouldFocusError: false,
  })
  const [asked, setAsked] = useState<{ valid: Valid; question: Question } | null>(null)
  const [elsewhere, setElsewhere] = useState<readonly string[]>([])
  const [refusedCount, setRefusedCount] = useState(0)
  const [successCount, setSuccessCount] = useState(0)
  // The fields that this rendering shows.
  const shown = new Set<string>()

  const sendValid = (valid: Valid) => (options.send ? options.send(valid) : send(call, options.input(valid)))

  const { run, isPending, isSuccess, error, reset } = useSubmission(sendValid, {
    ...options,
    failure: (refused) => (showAtFields(refused) ? null : failureToast(options.failure, refused)),
    onDone: (reply, sent) => {
      setSuccessCount((count) => count + 1)
      options.onDone?.(reply, sent)
    },
  })

  /** Shows a refusal at the fields that it is about. Returns whether that says everything. */
  function showAtFields({ code, userMessage, issues }: CallError): boolean {
    const field = code ? refusals[code] : undefined
    if (field) form.setError(field, { message: userMessage ?? '' })
    const others = issues.filter(({ path, message }) => {
      const name = findShown(path, shown)
      if (name) form.setError(name as FieldPath<Entered>, { message })
      return !name
    })
    setElsewhere(others.map(({ message }) => message))
    setRefusedCount((count) => count + 1)
    return field !== undefined
  }

  async function submitPrepared(valid: Valid): Promise<void> {
    const prepared = prepare ? await prepare(valid) : valid
    if (prepared && (await run(prepared))) onSuccess?.(prepared)
  }

  const submitValid = form.handleSubmit(
    async (valid) => {
      const question = confirm?.(valid)
      if (question) setAsked({ valid, question })
      else await submitPrepared(valid)
    },
    (errors) => {
      setElsewhere(
        Object.keys(errors).flatMap((name) => (shown.has(name) ? [] : (messageAt(errors, name) ?? []))),
      )
      onInvalid?.()
    },
  )

  const { errors, isSubmitted, isSubmitting, submitCount } = form.formState

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
      void submitValid()
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
    isBusy: isPending || isSubmitting,
    isSuccess,
    error,
    /** What is wrong with no field of its own. */
    problem: (error && explain?.(error)) || elsewhere.join('\n') || null,
    /** The question to ask before sending. */
    question: asked && {
      ...asked.question,
      busy: isPending,
      onOpenChange: () => setAsked(null),
      onConfirm: async () => {
        await submitPrepared(asked.valid)
        setAsked(null)
      },
    },
    failureCount: submitCount + refusedCount,
    successCount,
    /** Forgets the last attempt, and what was entered unless that is to be kept. */
    restart({ keepsEntries = false } = {}): void {
      form.reset(keepsEntries ? undefined : values, { keepValues: keepsEntries })
      setElsewhere([])
      reset()
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
  const error: FieldError | FieldError[] | undefined = get(errors, name)
  return Array.isArray(error)
    ? ((error as { root?: FieldError }).root?.message ?? error.find(Boolean)?.message)
    : error?.message
}
