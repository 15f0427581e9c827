import type { OwnOffer } from '@sought/contract/offers'
import { paths } from '@sought/contract/paths'
import type { BadgeTone } from '../../ui/display/badge.tsx'

/** The states of an offer, in words for its seller. */
export const offerStates = {
  pending: { label: 'Waiting for the buyer', tone: 'neutral' },
  countered: { label: 'Counter-offer from the buyer', tone: 'attention' },
  awaiting_payment: { label: 'Accepted, waiting for payment', tone: 'accent' },
  payment_processing: { label: 'Payment is being processed', tone: 'accent' },
  paid: { label: 'Paid into escrow: deliver now', tone: 'attention' },
  disputed: { label: 'In dispute', tone: 'danger' },
  completed: { label: 'Completed', tone: 'accent' },
  settled: { label: 'Dispute resolved', tone: 'neutral' },
  refunded: { label: 'Refunded to the buyer', tone: 'neutral' },
  replaced: { label: 'Replaced', tone: 'outline' },
  rejected: { label: 'Rejected', tone: 'outline' },
  withdrawn: { label: 'Withdrawn', tone: 'outline' },
  expired: { label: 'Expired', tone: 'outline' },
  request_closed: { label: 'Request no longer open', tone: 'outline' },
} satisfies Record<OwnOffer['state'], { label: string; tone: BadgeTone }>

const stepLabels = {
  ship: 'Open Deal',
  answer_counter: 'Answer Counter-Offer',
  read_messages: 'Read Messages',
  view_dispute: 'View Dispute',
  offer_again: 'Make Another Offer',
  none: 'Open Conversation',
} satisfies Record<OwnOffer['nextStep'], string>

/** Before a payment, every step takes place in the conversation with the buyer. */
export function getNextLink({ nextStep, wantedItemId, buyerId, paymentId }: OwnOffer) {
  const conversation = paths.messages({ itemId: wantedItemId, userId: buyerId })
  const label = stepLabels[nextStep]
  if (paymentId !== null && nextStep === 'ship') return { label, to: paths.deal(paymentId) }
  if (paymentId !== null && nextStep === 'view_dispute') return { label, to: paths.dispute(paymentId) }
  return { label, to: conversation }
}
