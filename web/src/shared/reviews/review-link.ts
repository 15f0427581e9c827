import { paths } from '@sought/contract/paths'
import type { PaymentWithItem } from '@sought/contract/payments'
import type { Party } from '../deals/payment-status.ts'
import { getRatingPath } from './rating-path.ts'

/** The page where a party reviews the other one. Null if they already have, or if it is too early or too late. */
export function getReviewLink(payment: PaymentWithItem, party: Party): { to: string; label: string } | null {
  const { id, rated, reviewedBySeller, reviewUntil } = payment
  if (reviewUntil === null || new Date(reviewUntil) <= new Date()) return null
  if (party === 'buyer') return rated ? null : { to: getRatingPath(payment), label: 'Rate Seller' }
  return reviewedBySeller ? null : { to: paths.review(id), label: 'Review Buyer' }
}
