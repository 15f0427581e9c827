import { useState } from 'react'

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

function loadDraft(key: string): DeliveryDraft {
  try {
    return { ...EMPTY, ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return EMPTY
  }
}

function storeDraft(key: string, draft: DeliveryDraft): void {
  try {
    if (hasRating(draft) || draft.disputeReason) localStorage.setItem(key, JSON.stringify(draft))
    else localStorage.removeItem(key)
  } catch {
    // Storage is full or disabled. The form still works.
  }
}
