import type { Call, InputOf, ReplyOf } from '@sought/contract/call'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { explainLimit } from './account-limits.ts'
import { refresh, refreshAfter } from './calls.ts'
import { type CallError, send } from './client.ts'
import { applyChanges, type OptimisticChanges } from './optimistic-changes.ts'
import { type ToastContent, toast } from './toasts.ts'
import { isUnauthenticated } from './unauthenticated.ts'
import { verifyEmailToast } from './verify-email-toast.ts'

export interface ActionOptions<Input, Reply> {
  /** The toast after success, if any. */
  success?: ToastContent | ((reply: Reply, input: Input) => ToastContent)
  /**
   * The toast after a failure. A string is the description under the title 'Error'. A function can use
   * the server's message, or return null when the screen itself shows the error, such as at a field.
   */
  failure: string | ToastContent | ((error: CallError) => ToastContent | null)
  optimistic?: OptimisticChanges<Input>
  /** Runs after success, before the refresh, and only while the component is still on screen. */
  onDone?: (reply: Reply, input: Input) => void
  /** Runs if the session has ended. Only public screens need it, because private screens redirect signed-out users. */
  onSignedOut?: () => void
}

/** The usual failure toast: the server's message under a title. */
export const explainFailure =
  (title: string, fallback = 'Please try again.') =>
  ({ userMessage }: CallError): ToastContent => ({ title, description: userMessage ?? fallback })

type ActionInput<C extends Call> = keyof InputOf<C> extends never ? [] : [input: InputOf<C>]

/**
 * Makes a call that changes something and shows the outcome in a toast:
 *
 *     const { run, isPending } = useAction(rejectOffer, {
 *       success: { title: 'Offer Rejected' },
 *       failure: (error) => ({ title: error.userMessage ?? 'Error', description: 'Failed to reject offer.' }),
 *       onDone: () => setOpen(false),
 *     })
 *     <Button busy={isPending} onClick={() => void run({ params: { id } })}>Reject</Button>
 *
 * What the call changes is then refreshed, also after a failure, because another user may have been faster. `run`
 * resolves to whether the call succeeded, after the refresh, and never rejects. A second press while the first is
 * pending does nothing. The toast appears even if the component was removed in the meantime.
 * If the session has ended there is no failure toast: see handleUnauthenticated.
 */
export function useAction<C extends Call>(call: C, options: ActionOptions<InputOf<C>, ReplyOf<C>>) {
  const { run, ...state } = useSubmission(call, (input: InputOf<C>) => send(call, input), options)
  return { run: (...[input]: ActionInput<C>) => run(input ?? ({} as InputOf<C>)), ...state }
}

/** Like `useAction`, but the given function makes the call. */
export function useSubmission<Input, Reply>(
  call: Call,
  sendInput: (input: Input) => Promise<Reply>,
  options: ActionOptions<Input, Reply>,
) {
  const { success, failure, optimistic, onDone, onSignedOut } = options
  const cache = useQueryClient()
  const isMounted = useIsMounted()
  const isRunning = useRef(false)

  const { mutateAsync, isPending, isSuccess, error, reset } = useMutation<
    Reply,
    CallError,
    Input,
    (() => void) | undefined
  >({
    mutationFn: sendInput,
    onMutate: (input) => optimistic && applyChanges(cache, optimistic(input)),
    onError: (_error, _input, undo) => undo?.(),
    onSuccess: async (reply, input) => {
      if (success) toast(typeof success === 'function' ? success(reply, input) : success)
      if (isMounted.current) onDone?.(reply, input)
      await refreshAfter(cache, call)
    },
  })

  async function showFailure(error: CallError): Promise<void> {
    if (isUnauthenticated(error)) return onSignedOut?.()
    // The user closed the dialog that asked to confirm their identity or to accept the terms.
    if (error.code === 'confirm_identity' || error.code === 'policy_not_accepted') return
    const limit = explainLimit(error)
    if (limit) void refresh(cache, ['account'])
    const content = limit
      ? { title: 'Not possible', description: limit }
      : error.code === 'verify_email_first'
        ? verifyEmailToast(error)
        : failureToast(failure, error)
    if (content) toast({ ...content, variant: 'destructive' })
    await refreshAfter(cache, call)
  }

  async function run(input: Input): Promise<boolean> {
    // React has not disabled the button yet if a second click follows immediately.
    if (isRunning.current) return false
    isRunning.current = true
    const finished = mutateAsync(input).finally(() => {
      isRunning.current = false
    })
    try {
      await finished
      return true
    } catch (error) {
      // Not in onError: the button must be ready for a retry when the toast appears.
      await showFailure(error as CallError)
      return false
    }
  }
  return { run, isPending, isSuccess, error, reset }
}

export function failureToast(
  failure: ActionOptions<never, never>['failure'],
  error: CallError,
): ToastContent | null {
  if (typeof failure === 'string') return { title: 'Error', description: failure }
  return typeof failure === 'function' ? failure(error) : failure
}

function useIsMounted() {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return isMounted
}
