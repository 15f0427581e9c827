import type { SupportTopic, TicketStatus } from '@sought/contract/support'
import type { BadgeTone } from '../../ui/display/badge.tsx'

export const topicLabels = {
  buying: 'Buying',
  selling: 'Selling',
  payments: 'Payments and escrow',
  disputes: 'Problems and disputes',
  account: 'Account and security',
  other: 'Something else',
} as const satisfies Record<SupportTopic, string>

/** The meaning of a status for the person who asked, and for our team. */
export const ticketBadges = {
  open: { label: 'Waiting for us', deskLabel: 'Needs an answer', tone: 'attention' },
  answered: { label: 'Answered', deskLabel: 'Answered', tone: 'accent' },
  closed: { label: 'Closed', deskLabel: 'Closed', tone: 'outline' },
} as const satisfies Record<TicketStatus, { label: string; deskLabel: string; tone: BadgeTone }>
