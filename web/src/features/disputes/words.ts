import type { Dispute } from '@sought/contract/disputes'
import type { PaymentStatus } from '@sought/contract/payments'
import type { Currency } from '@sought/contract/platform'
import { parseCents } from '../../lib/amount.ts'
import { formatCents } from '../../lib/money.ts'
import type { BadgeTone } from '../../ui/badge.tsx'
import type { Priority } from './priority.ts'

const statuses: Partial<Record<PaymentStatus, { label: string; tone: BadgeTone }>> = {
  disputed: { label: 'New Dispute', tone: 'danger' },
  under_review: { label: 'Under Review', tone: 'neutral' },
  resolved_buyer: { label: 'Resolved - Buyer', tone: 'accent' },
  resolved_seller: { label: 'Resolved - Seller', tone: 'accent' },
  resolved_partial: { label: 'Resolved - Partial', tone: 'accent' },
}

/** The names of spec §4; any other status is shown as it is. */
export function statusLook(status: PaymentStatus): { label: string; tone: BadgeTone } {
  return statuses[status] ?? { label: status, tone: 'neutral' }
}

export const priorityLabels = {
  high: 'High priority',
  medium: 'Medium priority',
  low: 'Low priority',
} satisfies Record<Priority, string>

export const priorityTones = {
  high: 'signal',
  medium: 'attention',
  low: 'outline',
} satisfies Record<Priority, BadgeTone>

export const isResolved = ({ status }: Pick<Dispute, 'status'>): boolean => status.startsWith('resolved')

/** What it is about, if only by number. */
export const titleOf = ({
  wantedItems,
  wantedItemId,
}: Pick<Dispute, 'wantedItems' | 'wantedItemId'>): string => wantedItems?.title || `Item #${wantedItemId}`

const happenings: Record<string, string | undefined> = {
  filed: 'Dispute filed',
  chargeback: 'The card’s bank asked for the money back',
  evidence: 'Evidence added',
  answered: 'Statement added',
  withdrawn: 'Dispute withdrawn',
  settlement_proposed: 'Settlement proposed',
  settled: 'Settlement accepted',
  under_review: 'Under review',
  request_more_info: 'More information requested',
  refund_full: 'Decided: full refund',
  refund_partial: 'Decided: partial refund',
  release_seller: 'Decided: released to the seller',
  split_difference: 'Decided: difference split',
}

/** What a line of the timeline tells; one that we have no words for is shown as it is. */
export const happening = (action: string): string => happenings[action] ?? action

/** A settlement's line begins with its amount, which is kept without a currency: money is shown alike everywhere. */
export const settlementWords = (details: string, currency: Currency): string =>
  details.replace(/^\d+\.\d{2}(?= )/, (amount) => formatCents(parseCents(amount) ?? 0, currency))
