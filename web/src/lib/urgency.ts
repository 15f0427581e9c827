import type { Urgency } from '@sought/contract/requests'

/** The words for each urgency (spec §9): the short ones on cards, the others where there is room. */
export const urgencyLabels = {
  low: { short: 'Flexible timing', long: 'Not urgent' },
  medium: { short: 'Moderate urgency', long: 'Somewhat urgent' },
  high: { short: 'Urgent need', long: 'Very urgent' },
} as const satisfies Record<Urgency, { short: string; long: string }>
