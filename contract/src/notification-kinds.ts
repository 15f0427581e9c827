/** What people are told of, in the page and by mail. Each kind of mail can be switched off. */
export const NOTIFICATION_KINDS = [
  'message',
  'offer_made',
  'offer_accepted',
  'offer_rejected',
  'offer_countered',
  'payment_held',
  'delivery_confirmed',
  'funds_released',
  'escrow_ending',
  'dispute_opened',
  'dispute_answered',
  'dispute_ruled',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Mails about the account itself always go out: its safety hangs on them. */
export const EMAIL_KINDS = [
  ...NOTIFICATION_KINDS,
  'verify_email',
  'reset_password',
  'email_changed',
  'password_changed',
] as const
export type EmailKind = (typeof EMAIL_KINDS)[number]
export type AccountEmailKind = Exclude<EmailKind, NotificationKind>
