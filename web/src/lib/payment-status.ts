import type { PaymentStatus } from '@sought/contract/payments'
import type { BadgeTone } from '../ui/badge.tsx'
import type { PaymentPlace } from '../ui/payment-path.tsx'

/** Where the payment path shows the money for each status. */
export const paymentPlaces = {
  pending: 'paying',
  held_in_escrow: 'escrow',
  completed: 'released',
  disputed: 'disputed',
  under_review: 'disputed',
  resolved_buyer: 'refunded',
  resolved_seller: 'released-after-dispute',
  resolved_partial: 'shared',
} satisfies Record<PaymentStatus, PaymentPlace>

export const paymentTones = {
  pending: 'outline',
  held_in_escrow: 'accent',
  completed: 'accent',
  disputed: 'danger',
  under_review: 'danger',
  resolved_buyer: 'neutral',
  resolved_seller: 'neutral',
  resolved_partial: 'neutral',
} satisfies Record<PaymentStatus, BadgeTone>

const labels: Partial<Record<PaymentStatus, string>> = {
  pending: 'Processing',
  held_in_escrow: 'In Escrow',
  completed: 'Payment Released',
}

/** The labels of spec §4. Any other status is shown as it is. */
export function getPaymentLabel(status: PaymentStatus): string {
  return labels[status] ?? status
}
