/**
 * Statuses of a payment that has no dispute. `refunded`: the deal was cancelled, or another payment had already paid
 * for the request.
 */
export const UNDISPUTED_STATUSES = ['pending', 'held_in_escrow', 'completed', 'refunded'] as const

export const RESOLVED_STATUSES = ['resolved_buyer', 'resolved_seller', 'resolved_partial'] as const

/** Statuses of a payment that is or was disputed. The admin desk lists these payments. */
export const DISPUTE_STATUSES = ['disputed', 'under_review', ...RESOLVED_STATUSES] as const

/** The money has left escrow permanently. */
export const ENDED_STATUSES = ['completed', 'refunded', ...RESOLVED_STATUSES] as const

export const PAYMENT_STATUSES = [...UNDISPUTED_STATUSES, ...DISPUTE_STATUSES] as const

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]
