import type { InputOf } from '@sought/contract/call'
import {
  type acceptSettlement,
  type answerDispute,
  getDispute,
  type proposeSettlement,
  type withdrawDispute,
} from '@sought/contract/disputes'
import { getPayment, listPayments } from '@sought/contract/payments'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, useSend } from '../../lib/calls.ts'
import { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'

type StepCall =
  | typeof answerDispute
  | typeof withdrawDispute
  | typeof proposeSettlement
  | typeof acceptSettlement

interface StepOptions {
  /** What the toast says did not work. */
  failed: string
  onDone: () => void
}

const touched = [getDispute, getPayment, listPayments]

/** A step of one of the parties. A refusal is said in the server's words, and how things stand is read again. */
export function useDisputeStep<C extends StepCall>(call: C, { failed, onDone }: StepOptions) {
  const send = useSend(call)
  const cache = useQueryClient()
  const sessionEnded = useSessionEnded()

  async function take(input: InputOf<C>): Promise<void> {
    try {
      await send.mutateAsync(input)
      onDone()
    } catch (error) {
      if (sessionEnded(error)) return
      const said = error instanceof CallError ? error.said : null
      toast({ title: failed, description: said ?? 'Please try again.', variant: 'destructive' })
    }
    await refresh(cache, touched)
  }
  return { take, busy: send.isPending }
}
