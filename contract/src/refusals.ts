/**
 * Everything that the server can refuse, with its HTTP status and the words a person reads.
 * The list is closed: a handler cannot answer an error that is not here.
 */
interface Refusal {
  status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 500 | 501 | 503
  message: string
}

export const refusals = {
  // What any call can answer.
  malformed: { status: 400, message: 'That request could not be read.' },
  signed_out: { status: 401, message: 'Please sign in first.' },
  cross_site: { status: 403, message: 'That request came from another site.' },
  not_admin: { status: 403, message: 'Only admins may do this.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  too_large: { status: 413, message: 'That is larger than we accept.' },
  wrong_type: { status: 415, message: 'That kind of content is not accepted here.' },
  invalid: { status: 422, message: 'Some fields need another look.' },
  too_many: { status: 429, message: 'Too many tries. Please wait a while and try again.' },
  internal: { status: 500, message: 'Something went wrong on our side. Please try again.' },
  not_built: { status: 501, message: 'This part of Sought is not open yet.' },
  unavailable: { status: 503, message: 'Sought is catching its breath. Please try again in a moment.' },

  // Accounts.
  email_taken: { status: 409, message: 'An account with this email already exists.' },
  wrong_credentials: { status: 401, message: 'Please check your credentials' },
  wrong_password: { status: 403, message: 'The current password is not right.' },
  no_password: {
    status: 409,
    message: 'This account has no password yet. Ask for a link by mail to set one.',
  },
  link_expired: {
    status: 409,
    message: 'This link has run out or was used already. Please ask for a new one.',
  },
  device_not_found: { status: 404, message: 'This device is signed out already.' },
  money_open: {
    status: 409,
    message: 'Money of yours is still on its way. The account can be deleted once every payment is settled.',
  },
  person_not_found: { status: 404, message: 'This person could not be found.' },
  google_unavailable: { status: 404, message: 'Google sign-in is not set up here.' },

  // Requests.
  item_not_found: { status: 404, message: 'Item not found' },
  not_your_item: { status: 403, message: 'This request belongs to somebody else.' },
  item_not_open: { status: 409, message: 'This request is no longer open.' },
  item_fulfilled: { status: 409, message: 'This request has been fulfilled.' },
  not_an_image: { status: 415, message: 'Please upload an image file (JPG, PNG, etc.)' },
  image_not_found: { status: 422, message: 'That picture is not one that you uploaded.' },

  // Messages and offers.
  conversation_not_allowed: { status: 403, message: 'You cannot write to this person about this request.' },
  message_mark_used: { status: 409, message: 'Another message was sent under this mark.' },
  offer_not_found: { status: 404, message: 'Offer not found' },
  not_your_offer: { status: 403, message: 'This offer is not yours to answer.' },
  own_item: { status: 403, message: 'This is your own request.' },
  offer_not_pending: { status: 409, message: 'This offer has already been answered.' },
  offer_expired: { status: 409, message: 'Offer expired' },
  offer_out_of_range: { status: 422, message: 'The offer must lie between 1 and the budget.' },

  // Payments.
  payment_not_found: {
    status: 404,
    message: "The payment you're looking for doesn't exist or you don't have permission to view it.",
  },
  not_the_buyer: { status: 403, message: 'Only the buyer of this payment can do this.' },
  offer_not_accepted: { status: 409, message: 'This offer has not been accepted.' },
  offer_already_paid: { status: 409, message: 'This offer has already been paid.' },
  amount_mismatch: { status: 422, message: 'The amount is not the one that was agreed.' },
  payment_wrong_state: { status: 409, message: 'This payment has moved on. Please reload the page.' },
  provider_failed: { status: 503, message: 'The card service did not answer. Nothing was charged.' },
  provider_refused: { status: 409, message: 'The card service does not take a payment of this amount.' },
  bad_signature: { status: 400, message: 'The signature does not match.' },

  // Disputes.
  dispute_not_found: { status: 404, message: 'Dispute not found' },
  dispute_resolved: { status: 409, message: 'This dispute has already been resolved.' },
  refund_out_of_range: { status: 422, message: 'The refund must be above zero and below the amount.' },
  not_impartial: { status: 403, message: 'You are a party to this payment: another admin must decide.' },
  bank_decides: {
    status: 409,
    message: 'The card’s bank is looking into this payment. Please wait for its decision.',
  },
  settlement_changed: { status: 409, message: 'There is no such proposal any more. Please look again.' },
  too_many_answers: { status: 409, message: 'You have written as much as a dispute can hold.' },
  too_many_files: { status: 409, message: 'Maximum 5 files allowed' },

  // Payouts by hand.
  payout_not_found: { status: 404, message: 'Payout not found' },
  payout_wrong_state: { status: 409, message: 'This payout has moved on. Please reload the page.' },
  undo_too_late: { status: 409, message: 'A payout can be taken back on the day it was marked only.' },

  // Sellers and ratings.
  no_bank_details: { status: 409, message: 'No bank details are saved.' },
  already_rated: { status: 409, message: 'This payment has been rated already.' },
} as const satisfies Record<string, Refusal>

export type RefusalCode = keyof typeof refusals
