import type { Urgency } from '@sought/contract/request-filters'

/** Short labels for cards, and long ones for the item page. */
export const urgencyLabels = {
  low: { short: 'Flexible timing', long: 'Not urgent' },
  medium: { short: 'Moderate urgency', long: 'Somewhat urgent' },
  high: { short: 'Urgent need', long: 'Very urgent' },
} as const satisfies Record<Urgency, { short: string; long: string }>
