import type { InputOf, ReplyOf } from '@sought/contract/call'
import {
  listManualPayouts,
  type lookUpBankDetails,
  type markPayoutPaid,
  type undoPayoutPaid,
} from '@sought/contract/payouts'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, useSend } from '../../lib/calls.ts'
import { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'

type StepCall = typeof lookUpBankDetails | typeof markPayoutPaid | typeof undoPayoutPaid

/** A step on a payout. A refusal is said in the server's words, and the lists are read again. */
export function usePayoutStep<C extends StepCall>(call: C, onDone: (reply: ReplyOf<C>) => void) {
  const send = useSend(call)
  const cache = useQueryClient()
  const sessionEnded = useSessionEnded()
  async function take(input: InputOf<C>): Promise<void> {
    try {
      onDone(await send.mutateAsync(input))
    } catch (error) {
      if (sessionEnded(error)) return
      const said = error instanceof CallError ? error.said : null
      toast({ title: 'Payout Failed', description: said ?? 'Please try again.', variant: 'destructive' })
    }
    await refresh(cache, [listManualPayouts])
  }
  return { take, busy: send.isPending }
}
