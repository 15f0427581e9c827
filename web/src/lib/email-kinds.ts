import type { NotificationKind } from '@sought/contract/notification-kinds'

/** The labels of the email settings. */
export const emailKindLabels = {
  message: 'New messages while you are away',
  offer_made: 'An offer on your request',
  offer_accepted: 'Your offer was accepted',
  offer_rejected: 'Your offer was rejected',
  offer_countered: 'A counter-offer',
  request_expiring: 'Your request expires in a week',
  request_reserved: 'A request you made an offer on is reserved or open again',
  payment_held: 'A payment is in escrow',
  parcel: 'News about a parcel',
  ship_reminder: 'Reminders to ship',
  cancellation: 'A deal is cancelled, or the buyer would like to',
  delivery_confirmed: 'A delivery was confirmed',
  funds_released: 'A payment was released',
  escrow_ending: 'An escrow hold ends within a day',
  dispute_opened: 'A dispute was opened',
  dispute_answered: 'Updates in a dispute',
  dispute_ruled: 'A dispute was decided',
  rating_received: 'Someone reviewed you',
  review_published: 'A review of you was published',
  moderation: 'A decision of our moderators',
  search_match: 'A new request matches a saved search',
  search_digest: 'The daily digest of your saved searches',
  support: 'Answers from our support team',
} as const satisfies Record<NotificationKind, string>
