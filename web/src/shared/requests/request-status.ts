import type { WantedItem } from '@sought/contract/requests'
import type { BadgeTone } from '../../ui/display/badge.tsx'

type Status = WantedItem['status']

export const requestStates = {
  open: { label: 'Open', tone: 'accent' },
  expired: { label: 'Expired', tone: 'outline' },
  reserved: { label: 'Reserved', tone: 'neutral' },
  fulfilled: { label: 'Fulfilled', tone: 'neutral' },
  closed: { label: 'Closed', tone: 'outline' },
} as const satisfies Record<Status, { label: string; tone: BadgeTone }>

/** Why a request accepts no more offers. */
export const requestNotices = {
  expired: 'This request has expired.',
  reserved: 'This request is reserved: its payment is in escrow.',
  fulfilled: 'This request has been fulfilled.',
  closed: 'This request is closed.',
} as const satisfies Record<Exclude<Status, 'open'>, string>
