import type { ReplyOf } from '@sought/contract/call'
import { createEscrowPayment, createPaymentIntent } from '@sought/contract/payments'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getQueryKey } from '../../data/calls.ts'
import { type CallError, send } from '../../data/client.ts'
import type { Order } from './order.ts'
import type { EnteredAddress } from './use-delivery-step.ts'

const DEBOUNCE_MS = 500

interface StartOptions {
  address: EnteredAddress | null
  enabled: boolean
}

/**
 * Starts the payment, or returns the one already started, 500 ms after the amount last changed. The reply is not
 * cached, because the payment may have been paid by the next visit.
 */
export function useStartPayment(
  { offerId, ...item }: Order,
  { address, enabled }: StartOptions,
): UseQueryResult<ReplyOf<typeof createEscrowPayment>, CallError> {
  const body = { ...item, ...address }
  const isUnchanged = useIsUnchanged(JSON.stringify([offerId, body]), DEBOUNCE_MS)
  return useQuery({
    queryKey: [...getQueryKey(createEscrowPayment), offerId, body],
    queryFn: ({ signal }) =>
      offerId === undefined
        ? send(createPaymentIntent, { body }, signal)
        : send(createEscrowPayment, { body: { ...body, offerId } }, signal),
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
