/** Push notifications are switched on and off by topic. */
export const PUSH_TOPICS = ['messages', 'offers', 'payments', 'alerts'] as const
export type PushTopic = (typeof PUSH_TOPICS)[number]

/**
 * The kinds of notifications, shown in the app and sent by email and push. Users can switch off the emails of each
 * kind. The settings and the unsubscribe page show the label of the kind.
 */
export const notificationKinds = {
  message: { topic: 'messages', label: 'New messages while you are away' },
  offer_made: { topic: 'offers', label: 'An offer on your request' },
  offer_accepted: { topic: 'offers', label: 'Your offer was accepted' },
  offer_rejected: { topic: 'offers', label: 'Your offer was rejected' },
  offer_countered: { topic: 'offers', label: 'A counter-offer' },
  request_changed: { topic: 'offers', label: 'A request you made an offer on has changed' },
  request_reserved: {
    topic: 'offers',
    label: 'A request you made an offer on is reserved or open again',
  },
  request_expiring: { topic: 'alerts', label: 'Your request expires in a week' },
  payment_waiting: { topic: 'payments', label: 'A payment waits for its money, or it did not arrive' },
  payment_held: { topic: 'payments', label: 'A payment is in escrow' },
  parcel: { topic: 'payments', label: 'News about a parcel' },
  ship_reminder: { topic: 'payments', label: 'Reminders to ship' },
  cancellation: { topic: 'payments', label: 'A deal is cancelled, or the buyer would like to' },
  delivery_confirmed: { topic: 'payments', label: 'A delivery was confirmed' },
  funds_released: { topic: 'payments', label: 'A payment was released' },
  payout_account: { topic: 'payments', label: 'Your payout account needs attention' },
  escrow_ending: { topic: 'payments', label: 'An escrow hold ends within a day' },
  dispute_opened: { topic: 'payments', label: 'A dispute was opened' },
  dispute_answered: { topic: 'payments', label: 'Updates in a dispute' },
  dispute_ruled: { topic: 'payments', label: 'A dispute was decided' },
  rating_received: { topic: 'alerts', label: 'Someone reviewed you' },
  review_published: { topic: 'alerts', label: 'A review of you was published' },
  moderation: { topic: 'alerts', label: 'A decision of our moderators' },
  search_match: { topic: 'alerts', label: 'A new request matches a saved search' },
  search_digest: { topic: 'alerts', label: 'The daily digest of your saved searches' },
  support: { topic: 'messages', label: 'Answers from our support team' },
  dispute_appeal: { topic: 'payments', label: 'An appeal against a ruling' },
  goodwill: { topic: 'payments', label: 'A goodwill payment to you' },
  debt: { topic: 'payments', label: 'Money that you owe the market' },
  policy_changed: { topic: 'alerts', label: 'A policy has changed' },
  dispute_due: { topic: 'alerts', label: 'A dispute needs an answer soon (our team only)' },
  export_ready: { topic: 'alerts', label: 'An export is ready (our team only)' },
} as const satisfies Record<string, { topic: PushTopic; label: string }>

export type NotificationKind = keyof typeof notificationKinds
export const NOTIFICATION_KINDS = Object.keys(notificationKinds) as NotificationKind[]
