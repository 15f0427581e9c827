/** All refusals of the server, with their HTTP status and the message for users. Handlers cannot use others. */
interface Refusal {
  status: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422 | 429 | 500 | 501 | 503
  message: string
}

export const refusals = {
  // Any call.
  malformed: { status: 400, message: 'The request could not be read.' },
  signed_out: { status: 401, message: 'Please sign in first.' },
  confirm_identity: { status: 401, message: 'Please confirm that it is you.' },
  cross_site: { status: 403, message: 'This request came from another site and was blocked.' },
  not_admin: { status: 403, message: 'Only admins can do this.' },
  second_factor_required: {
    status: 403,
    message: 'Admins need a second factor. Add a passkey or an authenticator app in your security settings.',
  },
  suspended: {
    status: 403,
    message:
      'Your account is suspended. You can still read, finish open deals, receive your money and export your data. Your profile shows the reason.',
  },
  policy_not_accepted: {
    status: 409,
    message: 'Our terms have changed. Please read and accept them first.',
  },
  policy_not_in_force: { status: 409, message: 'This version is not in force. Please reload the page.' },
  verify_email_first: {
    status: 403,
    message: 'Please verify your email address first. We can send you the email with the link again.',
  },
  restricted: {
    status: 403,
    message:
      'Your account is restricted: you cannot post requests, make offers or start conversations. Your profile shows the reason.',
  },
  not_found: { status: 404, message: 'Nothing was found at this address.' },
  too_large: { status: 413, message: 'The file or request is too large.' },
  wrong_type: { status: 415, message: 'This type of content is not supported.' },
  invalid: { status: 422, message: 'Some fields are not valid. Please check them.' },
  too_many: { status: 429, message: 'Too many attempts. Please wait a few minutes and try again.' },
  internal: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  not_built: { status: 501, message: 'This feature is not available yet.' },
  unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable. Please try again in a minute.',
  },
  storage_unavailable: {
    status: 503,
    message: 'Files cannot be saved at the moment. Please try again in a few minutes.',
  },
  read_only: { status: 503, message: 'The market is read-only at the moment. Please try again later.' },
  maintenance: { status: 503, message: 'The market is closed for maintenance. Please come back later.' },

  // Accounts.
  email_taken: { status: 409, message: 'An account with this email already exists.' },
  wrong_credentials: { status: 401, message: 'Please check your credentials' },
  wrong_password: { status: 403, message: 'The current password is incorrect.' },
  no_password: {
    status: 409,
    message: 'This account has no password yet. Request a password reset email to set one.',
  },
  link_expired: {
    status: 409,
    message: 'This link has expired or was already used. Please request a new one.',
  },
  phone_unavailable: { status: 503, message: 'Phone numbers cannot be verified here at the moment.' },
  wrong_code: { status: 403, message: 'This code is wrong, has expired or was already used.' },
  use_second_factor: {
    status: 403,
    message: 'Please use your authenticator app, a recovery code or a passkey.',
  },
  sign_in_expired: { status: 401, message: 'Your sign-in has expired. Please sign in again.' },
  totp_enabled: { status: 409, message: 'An authenticator app is already set up.' },
  totp_not_started: { status: 409, message: 'Please start the setup of the authenticator app again.' },
  no_second_factor: { status: 409, message: 'This account has no second factor.' },
  passkey_refused: { status: 403, message: 'This passkey was not accepted. Please try again.' },
  passkey_not_found: { status: 404, message: 'This passkey was already removed.' },
  too_many_passkeys: { status: 409, message: 'You have reached the maximum number of passkeys.' },
  device_not_found: { status: 404, message: 'This device is already signed out.' },
  money_open: {
    status: 409,
    message: 'You have open payments or payouts. You can delete your account once they are settled.',
  },
  person_not_found: { status: 404, message: 'This user could not be found.' },
  google_unavailable: { status: 404, message: 'Google sign-in is not available.' },

  // Requests.
  item_not_found: { status: 404, message: 'Item not found' },
  too_many_requests: {
    status: 409,
    message: 'You have as many open requests as this market allows. Close one before you open another.',
  },
  item_removed: { status: 410, message: 'This request was removed.' },
  not_your_item: { status: 403, message: 'This request belongs to another user.' },
  item_not_open: { status: 409, message: 'This request is no longer open.' },
  item_expired: { status: 409, message: 'This request has expired.' },
  item_reserved: {
    status: 409,
    message: 'This request is reserved: its payment is in escrow.',
  },
  item_fulfilled: { status: 409, message: 'This request has been fulfilled.' },
  queue_full: {
    status: 503,
    message:
      'Your other pictures are still being processed. Please wait a few seconds and upload this one again.',
  },
  file_infected: {
    status: 422,
    message: 'This file contains a virus and was deleted. Please check your device and choose another file.',
  },
  file_held: {
    status: 409,
    message: 'This file is held back until it has been checked for viruses. Please try again later.',
  },
  not_an_image: { status: 415, message: 'Please upload an image file (JPG, PNG, etc.)' },
  image_not_found: { status: 422, message: 'Image not found. Please upload it again.' },
  saved_search_not_found: { status: 404, message: 'This saved search could not be found.' },
  too_many_saved_searches: {
    status: 409,
    message: 'You have 50 saved searches, which is the maximum. Delete one to save another.',
  },

  // Messages and offers.
  photo_not_found: { status: 404, message: 'Photo not found' },
  photo_not_available: {
    status: 422,
    message: 'A photo has expired or was already sent. Please remove it and add it again.',
  },
  conversation_not_allowed: { status: 403, message: 'You cannot message this person about this request.' },
  message_mark_used: { status: 409, message: 'A different message was already sent with this id.' },
  offer_not_found: { status: 404, message: 'Offer not found' },
  not_your_offer: { status: 403, message: 'You do not have permission to change this offer.' },
  own_item: { status: 403, message: 'This is your own request.' },
  offer_not_pending: { status: 409, message: 'This offer has already been answered.' },
  offer_expired: { status: 409, message: 'Offer expired' },
  request_changed: {
    status: 409,
    message: 'The request has changed. Please read it again.',
  },
  same_amount: { status: 422, message: 'Please suggest another amount than the one offered.' },
  cancellation_limit: {
    status: 409,
    message: 'Too many of your deals were cancelled lately, so you can make no new offers for a while.',
  },
  currency_not_available: {
    status: 422,
    message: 'This currency is not available here. Please choose another one.',
  },
  currency_fixed: {
    status: 409,
    message: 'The currency of a request cannot change once it has an offer. Post a new request instead.',
  },
  currency_in_use: {
    status: 409,
    message: 'There are still open requests, offers or deals in this currency.',
  },
  offer_out_of_range: { status: 422, message: 'The offer must be between 1.00 and the maximum budget.' },

  // Blocks and reports.
  blocked: { status: 403, message: 'You and this person cannot contact each other.' },
  block_oneself: { status: 422, message: 'You cannot block yourself.' },
  event_not_found: { status: 404, message: 'This event was already handled or dismissed.' },
  content_not_found: { status: 404, message: 'What you want to report could not be found.' },
  own_content: { status: 422, message: 'You cannot report yourself.' },

  // Moderation.
  case_not_found: { status: 404, message: 'This case could not be found.' },
  case_claimed: { status: 409, message: 'Another moderator is working on this case.' },
  case_decided: { status: 409, message: 'This case has already been decided.' },
  until_not_allowed: { status: 422, message: 'Only restrictions and suspensions can have an end.' },
  until_past: { status: 422, message: 'The end must be in the future.' },
  not_hideable: { status: 422, message: 'There is nothing left to hide or restore.' },
  appeal_action: { status: 422, message: 'An appeal is granted with “restore” or rejected with “dismiss”.' },
  team_member: { status: 403, message: 'Members of the team cannot be restricted or suspended.' },
  decision_not_found: { status: 404, message: 'This decision could not be found.' },
  already_appealed: { status: 409, message: 'You have already appealed against this decision.' },
  not_appealable: { status: 409, message: 'You cannot appeal against this decision.' },

  // Notifications.
  push_service_refused: {
    status: 422,
    message:
      'Push notifications cannot be sent to this browser. Its push service is not reachable over https.',
  },

  // Payments.
  payment_not_found: {
    status: 404,
    message: "The payment you're looking for doesn't exist or you don't have permission to view it.",
  },
  not_the_buyer: { status: 403, message: 'Only the buyer of this payment can do this.' },
  not_the_seller: { status: 403, message: 'Only the seller of this payment can do this.' },
  not_shippable: {
    status: 409,
    message: 'The shipment cannot be changed any more. Please reload the page.',
  },
  not_cancellable: {
    status: 409,
    message: 'This deal can no longer be cancelled. If something is wrong, the buyer can open a dispute.',
  },
  handover_code_wrong: { status: 403, message: 'This code is wrong. Ask the buyer to show it again.' },
  handover_locked: {
    status: 429,
    message: 'Too many wrong codes. Please wait an hour, or ask the buyer to confirm the delivery.',
  },
  offer_not_accepted: { status: 409, message: 'This offer has not been accepted.' },
  offer_already_paid: { status: 409, message: 'This offer has already been paid.' },
  amount_mismatch: { status: 422, message: 'The amount does not match the accepted offer.' },
  payment_not_paid: { status: 409, message: 'This payment has not been completed yet.' },
  payment_wrong_state: {
    status: 409,
    message: 'This is not possible in the payment’s current status. Please reload the page.',
  },
  payment_needs_check: {
    status: 409,
    message: 'Our team is checking this payment. Please wait until we are done.',
  },
  provider_failed: {
    status: 503,
    message: 'The card service did not respond. Nothing was charged. Please try again.',
  },
  country_paid_manually: {
    status: 409,
    message: 'Automatic payouts are not available in this country. Please enter your bank details instead.',
  },
  provider_refused: { status: 409, message: 'The card service does not accept payments of this amount.' },
  bad_signature: { status: 400, message: 'The signature does not match.' },

  // Disputes.
  dispute_not_found: { status: 404, message: 'Dispute not found' },
  dispute_resolved: { status: 409, message: 'This dispute has already been resolved.' },
  refund_out_of_range: {
    status: 422,
    message: 'The refund must be more than zero and less than the payment amount.',
  },
  not_impartial: {
    status: 403,
    message: 'You are involved in this. Another member of the team must handle it.',
  },
  bank_decides: {
    status: 409,
    message: 'The card’s bank is reviewing this payment. Please wait for its decision.',
  },
  no_open_chargeback: { status: 409, message: 'No bank is reviewing this payment.' },
  bank_deadline_passed: { status: 409, message: 'The bank no longer accepts evidence about this payment.' },
  nothing_to_check: { status: 409, message: 'This payment needs no check.' },
  settlement_changed: {
    status: 409,
    message: 'This proposal has changed or was withdrawn. Please reload the page.',
  },
  too_many_answers: {
    status: 409,
    message: 'You have reached the maximum number of statements in this dispute.',
  },
  too_many_files: { status: 409, message: 'Maximum 5 files allowed' },
  ruling_changed: {
    status: 409,
    message: 'The amounts have changed since the preview. Please look at them again.',
  },
  reply_not_found: { status: 404, message: 'This saved reply could not be found.' },
  too_many_replies: {
    status: 409,
    message: 'There are 100 saved replies, which is the maximum. Delete one to save another.',
  },

  not_ruled: { status: 409, message: 'Our team has not ruled on this dispute.' },
  appeal_too_late: { status: 409, message: 'A ruling can be appealed within 7 days.' },
  appeal_not_found: { status: 404, message: 'This appeal could not be found.' },
  appeal_decided: { status: 409, message: 'This appeal has already been decided.' },
  ruling_overturned: {
    status: 409,
    message: 'The ruling was already overturned for the other party. This appeal can only be rejected.',
  },
  same_admin: { status: 403, message: 'Another admin must decide this.' },

  // Goodwill payments.
  goodwill_not_found: { status: 404, message: 'This goodwill payment could not be found.' },
  goodwill_decided: { status: 409, message: 'This goodwill payment has already been decided.' },
  goodwill_not_possible: {
    status: 409,
    message: 'A goodwill payment is only possible for a deal whose payment was made.',
  },
  goodwill_not_owed: {
    status: 409,
    message: 'This goodwill payment is not approved, or it was already paid. Please reload the page.',
  },
  second_admin_required: {
    status: 409,
    message:
      'A second admin must do this, so that nobody can give money away alone. If your team has only one admin, add another one first.',
  },
  recipient_deleted: { status: 409, message: 'The recipient has deleted their account.' },

  // Exports.
  export_not_found: { status: 404, message: 'This export could not be found.' },
  export_not_ready: { status: 409, message: 'This export is not ready yet.' },
  export_not_failed: { status: 409, message: 'This export has not failed. Please reload the page.' },

  // Refunds that failed or are refused.
  refund_not_found: { status: 404, message: 'Refund not found' },
  refund_not_failed: {
    status: 409,
    message: 'This refund has not failed, or the buyer already has the money. Please reload the page.',
  },
  refund_under_way: {
    status: 409,
    message: 'The card service has not answered yet and may have made this refund. Please try again later.',
  },

  payout_under_way: {
    status: 409,
    message: 'The payout for this deal is being sent. Please try again in a few minutes.',
  },

  // What users owe.
  debt_not_found: { status: 404, message: 'This debt could not be found.' },
  debt_settled: { status: 409, message: 'Nothing is open of this debt. Please reload the page.' },

  // Payouts by hand.
  payout_not_found: { status: 404, message: 'Payout not found' },
  payout_wrong_state: {
    status: 409,
    message: 'This is not possible in the payout’s current status. Please reload the page.',
  },
  payout_waits: {
    status: 409,
    message: 'The seller is new or has changed their payout account, so this payout still waits.',
  },
  undo_too_late: {
    status: 409,
    message: 'A payout can only be undone within 24 hours of being marked as paid.',
  },

  // Documents.
  statement_not_found: { status: 404, message: 'You have no statement for this month.' },

  // Support.
  ticket_not_found: {
    status: 404,
    message: 'This conversation was not found. Please check the link or sign in.',
  },
  ticket_wrong_state: { status: 409, message: 'The status has changed. Please reload the page.' },

  // Sellers and reviews.
  no_bank_details: { status: 409, message: 'No bank details are saved.' },
  review_too_early: { status: 409, message: 'You can write a review once the deal has ended.' },
  already_reviewed: { status: 409, message: 'You have already reviewed this deal.' },
  review_closed: { status: 409, message: 'Reviews can be written until 14 days after the end of a deal.' },
  review_not_found: { status: 404, message: 'This review could not be found.' },
  already_replied: { status: 409, message: 'You have already replied to this review.' },
  already_rated: { status: 409, message: 'You have already rated this payment.' },
} as const satisfies Record<string, Refusal>

export type RefusalCode = keyof typeof refusals
