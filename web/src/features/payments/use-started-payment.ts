import type { InputOf, ReplyOf } from '@sought/contract/call'
import type { createEscrowPayment, createPaymentIntent } from '@sought/contract/payments'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { queryKeyOf } from '../../lib/calls.ts'
import { type CallError, send } from '../../lib/client.ts'
import { useSettled } from './use-settled.ts'

const DEBOUNCE_MS = 500

type StartCall = typeof createEscrowPayment | typeof createPaymentIntent

export type StartedPayment = ReplyOf<StartCall>

/**
 * Starts the payment, or finds the one that was started before, half a second after the amount last
 * changed (spec §5). It is asked for anew with every visit, and its secret is forgotten with the screen:
 * since the last one it may have been paid.
 */
export function useStartedPayment<C extends StartCall>(
  call: C,
  input: InputOf<C>,
): UseQueryResult<ReplyOf<C>, CallError> {
  const settled = useSettled(JSON.stringify(input), DEBOUNCE_MS)
  return useQuery({
    queryKey: queryKeyOf(call, input),
    queryFn: ({ signal }) => send(call, input, signal),
    enabled: settled,
    gcTime: 0,
  })
}
