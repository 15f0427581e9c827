import { useState } from 'react'
import { readStored, writeStored } from '../../data/browser-storage.ts'

/** The buyer's unsent entries on the delivery screen. */
export interface DeliveryDraft {
  /** Null until the buyer chooses. Until then the stars show the default. */
  rating: number | null
  feedback: string
  disputeReason: string
}

export const DEFAULT_RATING = 5

const EMPTY: DeliveryDraft = { rating: null, feedback: '', disputeReason: '' }

const keyOf = (userId: string, paymentId: number) => `sought:delivery:${userId}:${paymentId}`

/** Stored in this browser, so that entries survive leaving the screen. */
export function useDeliveryDraft(userId: string, paymentId: number) {
  const key = keyOf(userId, paymentId)
  const [draft, setDraft] = useState(() => loadDraft(key))
  const change = (changed: Partial<DeliveryDraft>) => {
    const next = { ...draft, ...changed }
    setDraft(next)
    storeDraft(key, next)
  }
  return { draft, change, forget: () => storeDraft(key, EMPTY) }
}

/** Whether there is a rating to send with the confirmation. Untouched stars are not a rating. */
export const hasRating = ({ rating, feedback }: DeliveryDraft) => rating !== null || feedback.trim() !== ''

export const ratingOf = ({ rating, feedback }: DeliveryDraft) => ({
  rating: rating ?? DEFAULT_RATING,
  feedback: feedback.trim(),
})

const loadDraft = (key: string) =>
  readStored(key, (stored: Partial<DeliveryDraft>): DeliveryDraft => ({ ...EMPTY, ...stored }), EMPTY)

const storeDraft = (key: string, draft: DeliveryDraft) =>
  writeStored(key, hasRating(draft) || draft.disputeReason ? draft : undefined)
