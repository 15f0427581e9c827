import type { InputOf, ReplyOf } from '@sought/contract/call'
import type { createEscrowPayment, createPaymentIntent } from '@sought/contract/payments'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getQueryKey } from '../../data/calls.ts'
import { type CallError, send } from '../../data/client.ts'

const DEBOUNCE_MS = 500

type StartCall = typeof createEscrowPayment | typeof createPaymentIntent

export type StartedPayment = ReplyOf<StartCall>

/**
 * Starts the payment, or returns the one already started, 500 ms after the amount last changed. The reply is not
 * cached, because the payment may have been paid by the next visit.
 */
export function useStartPayment<C extends StartCall>(
  call: C,
  input: InputOf<C>,
  { enabled }: { enabled: boolean },
): UseQueryResult<ReplyOf<C>, CallError> {
  const isUnchanged = useIsUnchanged(JSON.stringify(input), DEBOUNCE_MS)
  return useQuery({
    queryKey: getQueryKey(call, input),
    queryFn: ({ signal }) => send(call, input, signal),
    enabled: enabled && isUnchanged,
    gcTime: 0,
  })
}

/** Whether a value has not changed for this long. */
function useIsUnchanged(value: string, forMs: number): boolean {
  const [debounced, setDebounced] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), forMs)
    return () => clearTimeout(timer)
  }, [value, forMs])
  return debounced === value
}
