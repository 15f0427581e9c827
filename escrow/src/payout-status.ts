/** Statuses of a payout to a seller. */
export const PAYOUT_STATUSES = [
  /** Not sent yet. */
  'owed',
  /** A transfer is in progress. Its method and destination are fixed. */
  'sending',
  'paid',
  /** The bank is deciding about the buyer's payment. Until then, nothing is sent. */
  'frozen',
  /** The transfer was reversed in the provider's dashboard. Only an admin can send it again. */
  'reversed',
  /** A refund or a chargeback used up all of it. */
  'cancelled',
] as const

export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]
