import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import type { RefusalCode } from '@sought/contract/refusals'
import { type ReactNode, useState } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { type CallError, send } from '../../data/client.ts'
import { type ActionOptions, failureToast, useSubmission } from '../../data/use-action.ts'
import type { ConfirmDialogProps } from '../../ui/overlays/confirm-dialog.tsx'
import { type EntryOptions, useEntryForm } from './entry-form.ts'

type Question = Omit<ConfirmDialogProps, 'busy' | 'onConfirm' | 'trigger' | 'open' | 'onOpenChange'>

interface FormOptions<C extends Call, Entered extends FieldValues, Valid>
  extends EntryOptions<Entered, Valid>,
    ActionOptions<Valid, ReplyOf<C>> {
  /** Runs before sending, for example to wait for uploads. If it returns null, nothing is sent, and fields show why. */
  prepare?: (valid: Valid) => Promise<Valid | null>
  /** Returns the confirmation dialog to show before sending. Null sends at once. */
  confirm?: (valid: Valid) => Question | null
  /** Refusals that are shown at a field instead of in a toast. */
  refusals?: { [Code in RefusalCode]?: FieldPath<Entered> }
  /** Returns the explanation of a failure, which the form shows until the next attempt. */
  explain?: (error: CallError) => ReactNode
  /** Runs after success and the refresh, even if the form was closed in the meantime. */
  onSuccess?: (valid: Valid) => void
}

/** The input of the call, by default with the entries as its body, or a function that makes the call, for uploads. */
type Outgoing<C extends Call, Valid> =
  | ({ body: Valid } extends InputOf<C> ? { input?: undefined; send?: undefined } : never)
  | { input: (valid: Valid) => InputOf<C>; send?: undefined }
  | { send: (valid: Valid) => Promise<ReplyOf<C>>; input?: undefined }

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
 * Validation errors of the server are shown at their fields. Toasts are configured with the options of `useAction`.
 */
export function useContractForm<C extends Call, Entered extends FieldValues, Valid = Entered>(
  call: C,
  options: FormOptions<C, Entered, Valid> & Outgoing<C, Valid>,
) {
  const { prepare, confirm, refusals = {}, explain, onSuccess } = options
  const [asked, setAsked] = useState<{ valid: Valid; question: Question } | null>(null)
  const [successCount, setSuccessCount] = useState(0)
  const form = useEntryForm<Entered, Valid>({
    ...options,
    onSubmit: async (valid) => {
      const question = confirm?.(valid)
      if (question) setAsked({ valid, question })
      else await submit(valid)
    },
  })
  const { send: sendOwn, input = (body: Valid) => ({ body }) as InputOf<C> } = options
  const sendValid = (valid: Valid) => (sendOwn ? sendOwn(valid) : send(call, input(valid)))
  const { run, isPending, isSuccess, error, reset } = useSubmission(call, sendValid, {
    ...options,
    failure: (refused) => {
      form.showIssues(refused.issues)
      const field = refused.code ? refusals[refused.code] : undefined
      if (!field) return failureToast(options.failure, refused)
      form.setError(field, { message: refused.userMessage ?? '' })
      return null
    },
    onDone: (reply, valid) => {
      setSuccessCount((count) => count + 1)
      options.onDone?.(reply, valid)
    },
  })

  async function submit(valid: Valid): Promise<void> {
    const prepared = prepare ? await prepare(valid) : valid
    if (prepared && (await run(prepared))) onSuccess?.(prepared)
  }

  return {
    ...form,
    isPending,
    isBusy: isPending || form.isBusy,
    isSuccess,
    error,
    problem: (error && explain?.(error)) || form.problem,
    question: asked && {
      ...asked.question,
      onOpenChange: () => setAsked(null),
      onConfirm: () => submit(asked.valid),
    },
    successCount,
    restart(kept?: { keepsEntries: boolean }): void {
      form.restart(kept)
      reset()
    },
  }
}
