import type { InputOf } from '@sought/contract/call'
import {
  type confirmDelivery,
  type confirmDeliveryManually,
  type disputePayment,
  getPayment,
  listPayments,
} from '@sought/contract/payments'
import { getWantedItem } from '@sought/contract/requests'
import { useQueryClient } from '@tanstack/react-query'
import { refresh, useSend } from '../../lib/calls.ts'
import { CallError } from '../../lib/client.ts'
import { toast } from '../../lib/toasts.ts'
import { useSessionEnded } from '../../lib/use-session-ended.ts'

type MoveCall = typeof confirmDelivery | typeof confirmDeliveryManually | typeof disputePayment

interface MoveOptions {
  /** What the toast says did not work. */
  failed: string
  onDone: () => void
}

const touched = [getPayment, listPayments, getWantedItem]

/** Moves a payment on. A refusal is said in the server's words, and how things stand is read again. */
export function usePaymentMove<C extends MoveCall>(call: C, { failed, onDone }: MoveOptions) {
  const send = useSend(call, { refreshes: touched })
  const cache = useQueryClient()
  const sessionEnded = useSessionEnded()

  async function move(input: InputOf<C>): Promise<void> {
    try {
      await send.mutateAsync(input)
      onDone()
    } catch (error) {
      if (sessionEnded(error)) return
      const said = error instanceof CallError ? error.userMessage : null
      toast({ title: failed, description: said ?? 'Please try again.', variant: 'destructive' })
      await refresh(cache, touched)
    }
  }
  return { move, busy: send.isPending }
}
