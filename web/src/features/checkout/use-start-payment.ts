import type { ReplyOf } from '@sought/contract/call'
import { createEscrowPayment, createPaymentIntent } from '@sought/contract/payments'
import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type CallError, send } from '../../data/client.ts'
import type { Order } from './order.ts'
import type { EnteredAddress } from './use-delivery-step.ts'

const DEBOUNCE_MS = 500

type Started = ReplyOf<typeof createEscrowPayment>

interface Intent {
  order: Order
  address: EnteredAddress | null
  signal: AbortSignal
}

interface StartOptions {
  address: EnteredAddress | null
  enabled: boolean
}

/**
 * Starts the payment, or returns the one already started, 500 ms after the amount or the address last changed. A
 * change replaces a start that is still running. Nothing is cached, because the payment may have been paid by the next
 * visit.
 */
export function useStartPayment({ itemId, offerId, amount }: Order, { address, enabled }: StartOptions) {
  const { mutate, reset, data, error } = useMutation<Started, CallError, Intent>({
    mutationFn: startPayment,
    gcTime: 0,
  })
  const [attempt, setAttempt] = useState(1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt starts the same payment again.
  useEffect(() => {
    if (!enabled) return
    const running = new AbortController()
    const order = { itemId, amount, ...(offerId !== undefined && { offerId }) }
    const timer = setTimeout(() => mutate({ order, address, signal: running.signal }), DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      running.abort()
      reset()
    }
  }, [itemId, offerId, amount, address, enabled, attempt, mutate, reset])
  const retry = useCallback(() => setAttempt((count) => count + 1), [])
  return { data, error, retry }
}

function startPayment({ order: { offerId, ...item }, address, signal }: Intent): Promise<Started> {
  const body = { ...item, ...address }
  return offerId === undefined
    ? send(createPaymentIntent, { body }, signal)
    : send(createEscrowPayment, { body: { ...body, offerId } }, signal)
}
