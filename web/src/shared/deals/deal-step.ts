import { paths } from '@sought/contract/paths'
import type { Payment } from '@sought/contract/payments'
import type { Delivery } from '@sought/escrow/delivery'
import type { Party } from './payment-status.ts'

type Dates = Pick<Payment, 'delivery' | 'shipBy' | 'shippedAt' | 'deliveredAt'>

const toDate = (at: string | null) => (at === null ? null : new Date(at))

/** The delivery of a payment in the form that the rules in escrow/ need. */
export function parseDelivery({ delivery, shipBy, shippedAt, deliveredAt }: Dates): Delivery {
  return {
    delivery,
    shipBy: toDate(shipBy),
    shippedAt: toDate(shippedAt),
    deliveredAt: toDate(deliveredAt),
  }
}

export interface DealStep {
  label: string
  to: string
  /** Whether the deal waits for this party. */
  isWaiting: boolean
}

type Deal = Dates & Pick<Payment, 'id' | 'status' | 'needsCheck' | 'cancelRequestedAt'>

/** The next step of a party in a paid deal, as one button. */
export function getDealStep(deal: Deal, party: Party): DealStep {
  const step = (label: string) => ({ label, to: paths.deal(deal.id), isWaiting: true })
  const none = { label: 'View Deal', to: paths.deal(deal.id), isWaiting: false }
  if (deal.status !== 'held_in_escrow') return none
  const isUnshipped = deal.delivery === 'shipping' && deal.shippedAt === null
  if (party === 'seller') {
    if (deal.cancelRequestedAt !== null) return step('Answer Cancellation Request')
    if (isUnshipped) return step('Ship Item')
    return deal.delivery === 'in_person' ? step('Enter Handover Code') : none
  }
  if (isUnshipped || deal.needsCheck) return none
  if (deal.delivery === 'in_person') return step('Show Handover Code')
  return { label: 'Confirm Delivery', to: paths.delivery(deal.id), isWaiting: true }
}
