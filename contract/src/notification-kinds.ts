/** Notifications, shown in the app and sent by email. Users can switch off the email of each kind. */
export const NOTIFICATION_KINDS = [
  'message',
  'offer_made',
  'offer_accepted',
  'offer_rejected',
  'offer_countered',
  'request_reserved',
  'request_expiring',
  'payment_held',
  'parcel',
  'ship_reminder',
  'cancellation',
  'delivery_confirmed',
  'funds_released',
  'escrow_ending',
  'dispute_opened',
  'dispute_answered',
  'dispute_ruled',
  'rating_received',
  'review_published',
  'moderation',
  'search_match',
  'search_digest',
  'support',
  'dispute_appeal',
  'goodwill',
  'policy_changed',
  'dispute_due',
  'export_ready',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Emails to all admins. */
export const ADMIN_EMAIL_KINDS = ['reconciliation_differences'] as const
export type AdminEmailKind = (typeof ADMIN_EMAIL_KINDS)[number]

/** Emails to visitors who asked our team a question. */
export const VISITOR_EMAIL_KINDS = ['ticket_received', 'ticket_answered'] as const
export type VisitorEmailKind = (typeof VISITOR_EMAIL_KINDS)[number]

/**
 * The email kinds that users cannot switch off: account emails, because they protect the account, and emails to
 * admins.
 */
export const EMAIL_KINDS = [
  ...NOTIFICATION_KINDS,
  'verify_email',
  'reset_password',
  'email_changed',
  'password_changed',
  'second_factor_added',
  'second_factor_removed',
  'new_device',
  'payout_account_changed',
  ...ADMIN_EMAIL_KINDS,
  ...VISITOR_EMAIL_KINDS,
] as const
export type EmailKind = (typeof EMAIL_KINDS)[number]
export type AccountEmailKind = Exclude<EmailKind, NotificationKind | VisitorEmailKind>

/** Push notifications are switched on and off by topic. */
export const PUSH_TOPICS = ['messages', 'offers', 'payments', 'alerts'] as const
export type PushTopic = (typeof PUSH_TOPICS)[number]

export const pushTopicOf = {
  message: 'messages',
  offer_made: 'offers',
  offer_accepted: 'offers',
  offer_rejected: 'offers',
  offer_countered: 'offers',
  request_reserved: 'offers',
  request_expiring: 'alerts',
  payment_held: 'payments',
  parcel: 'payments',
  ship_reminder: 'payments',
  cancellation: 'payments',
  delivery_confirmed: 'payments',
  funds_released: 'payments',
  escrow_ending: 'payments',
  dispute_opened: 'payments',
  dispute_answered: 'payments',
  dispute_ruled: 'payments',
  rating_received: 'alerts',
  review_published: 'alerts',
  moderation: 'alerts',
  search_match: 'alerts',
  search_digest: 'alerts',
  support: 'messages',
  dispute_appeal: 'payments',
  goodwill: 'payments',
  policy_changed: 'alerts',
  dispute_due: 'alerts',
  export_ready: 'alerts',
} as const satisfies Record<NotificationKind, PushTopic>
