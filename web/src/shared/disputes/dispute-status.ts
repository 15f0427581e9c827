import type { Dispute } from '@sought/contract/disputes'
import type { PaymentStatus } from '@sought/contract/payments'
import type { BadgeTone } from '../../ui/display/badge.tsx'

interface StatusBadge {
  label: string
  tone: BadgeTone
}

const badges: Partial<Record<PaymentStatus, StatusBadge>> = {
  disputed: { label: 'New Dispute', tone: 'danger' },
  under_review: { label: 'Under Review', tone: 'neutral' },
  resolved_buyer: { label: 'Resolved - Buyer', tone: 'accent' },
  resolved_seller: { label: 'Resolved - Seller', tone: 'accent' },
  resolved_partial: { label: 'Resolved - Partial', tone: 'accent' },
}

/** A status without a label is shown unchanged. */
export function disputeStatusBadge(status: PaymentStatus): StatusBadge {
  return badges[status] ?? { label: status, tone: 'neutral' }
}

export const isResolved = ({ status }: Pick<Dispute, 'status'>): boolean => status.startsWith('resolved')

export const disputeTitle = ({
  wantedItems,
  wantedItemId,
}: {
  wantedItems: { title: string } | null
  wantedItemId: number
}): string => wantedItems?.title || `Item #${wantedItemId}`
