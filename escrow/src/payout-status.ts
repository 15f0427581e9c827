/** Statuses of a payout to a seller. */
export const PAYOUT_STATUSES = [
  /** To be sent. */
  'owed',
  /** A transfer is under way. Its method and destination are fixed. */
  'sending',
  'paid',
  /** The bank is deciding about the buyer's payment. Nothing is sent until then. */
  'frozen',
  /** The transfer was reversed in the provider's dashboard. Only an admin can send it again. */
  'reversed',
  /** A refund or a chargeback took all of it. */
  'cancelled',
] as const

export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]
