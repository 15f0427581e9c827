import { CANCELLERS } from '@sought/escrow/delivery'
import { WAITS_FOR } from '@sought/escrow/payment-methods'
import { PAYMENT_STATUSES } from '@sought/escrow/payment-status'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { callsOf } from './call.ts'
import { CARRIERS } from './carriers.ts'
import { Currency } from './currency-code.ts'
import { DeliveryAddress } from './delivery-address.ts'
import { FeeRates } from './fee-rates.ts'
import { Amount, Done, Id, optionalText, PathId, pageLimit, Timestamp, text, UserId } from './fields.ts'
import { deliveryTerms } from './offers.ts'
import { AgreedItem } from './requests.ts'
import { Rating, REVIEW_TEXT_MAX_LENGTH, ReviewTags } from './reviews.ts'

const call = callsOf({ subjects: ['payments'], fresh: 'on open' })

export const PaymentStatus = z.enum(PAYMENT_STATUSES)
export type PaymentStatus = z.output<typeof PaymentStatus>

/** A payment whose money takes days waits for it, and reserves the request until then. Its status stays pending. */
export const waitingState = {
  /** By the provider's name, such as `us_bank_account`. Null until the payment was submitted. */
  method: z.nullable(z.string()),
  waitingUntil: z.nullable(Timestamp),
  /** Whether the buyer has to do something, or the bank has to send the money. */
  waitsFor: z.nullable(z.enum(WAITS_FOR)),
}

/** The state of the delivery, and how the deal was cancelled. */
const deliveryRecord = {
  ...deliveryTerms,
  /** The deadline for shipping. Null unless the item is shipped. */
  shipBy: z.nullable(Timestamp),
  shippedAt: z.nullable(Timestamp),
  deliveredAt: z.nullable(Timestamp),
  carrier: z.nullable(z.enum(CARRIERS)),
  trackingNumber: z.nullable(z.string()),
  /** The carrier's page about the parcel. Null if it is unknown. */
  trackingUrl: z.nullable(z.string()),
  /** When the buyer asked the seller to cancel. Null if the buyer has not asked, and after the seller has shipped. */
  cancelRequestedAt: z.nullable(Timestamp),
  cancelReason: z.nullable(z.string()),
  /** `clock`: the seller did not ship in time. */
  cancelledBy: z.nullable(z.enum(CANCELLERS)),
}

/** The seller's details of the parcel. The files are private, for the parties and admins. */
export const parcelRecord = {
  shipmentNote: z.nullable(z.string()),
  shipmentPhoto: z.nullable(z.string()),
  deliveryProof: z.nullable(z.string()),
}

export const Payment = z.object({
  id: Id,
  wantedItemId: Id,
  buyerId: UserId,
  sellerId: UserId,
  offerId: Id,
  amount: Amount,
  currency: Currency,
  /** The number that users see. It ends with a check character, such as in 4F7K-Q2MX-9TB3. */
  transactionNumber: z.string(),
  stripePaymentIntentId: z.nullable(z.string()),
  status: PaymentStatus,
  /** When the provider reported that the card step was submitted. Null for a checkout that was only opened. */
  submittedAt: z.nullable(Timestamp),
  ...waitingState,
  escrowHoldUntil: z.nullable(Timestamp),
  buyerConfirmedAt: z.nullable(Timestamp),
  sellerAcceptedAt: z.nullable(Timestamp),
  fundsReleasedAt: z.nullable(Timestamp),
  completedAt: z.nullable(Timestamp),
  /** The payout waits until then at least, because the buyer or their card was new. */
  payoutWaitsUntil: z.nullable(Timestamp),
  disputeReason: z.nullable(z.string()),
  /** Whether the card's bank is reviewing the payment. Nobody else can rule on it before the bank has decided. */
  bankDecides: z.boolean(),
  /**
   * Whether our team is checking a payment in escrow that may be fraud. Until it has decided, the payment cannot be
   * released.
   */
  needsCheck: z.boolean(),
  /**
   * When a refund did not reach the buyer's card. Null while it is sent again, and once the buyer has the money.
   */
  refundFailedAt: z.nullable(Timestamp),
  /** Whether a refund is made, but has not reached the buyer's bank. */
  refundPending: z.boolean(),
  ...deliveryRecord,
  /** The fees in force when the offer was accepted. */
  ...FeeRates.shape,
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Payment = z.output<typeof Payment>

const PaymentWithParties = z.extend(Payment, {
  buyer: PublicUser,
  seller: PublicUser,
  /** What the buyer got back or will get back by refunds. The status stays what it was at the end of the deal. */
  refundedAmount: z.int(),
  /** Whether the buyer has reviewed the seller. */
  rated: z.boolean(),
  /** Whether the seller has reviewed the buyer. */
  reviewedBySeller: z.boolean(),
  /** The end of the review period for both parties. Null if the deal has not ended. */
  reviewUntil: z.nullable(Timestamp),
})

const PaymentWithItem = z.extend(PaymentWithParties, { wantedItem: AgreedItem })
export type PaymentWithItem = z.output<typeof PaymentWithItem>

/** What the buyer of a released deal can still get back, and how the price was divided. `shareRefund` has the rule. */
export const Refundable = z.object({
  maxCents: z.int(),
  /** The sum of earlier refunds after the release. */
  refundedCents: z.int(),
  sellerCents: z.int(),
  platformCents: z.int(),
  processingCents: z.int(),
})
export type Refundable = z.output<typeof Refundable>

/** A payment with the details that only its parties may see. */
export const PaymentDetails = z.extend(PaymentWithItem, {
  ...parcelRecord,
  /** For the buyer, and for the seller while the money is in escrow and for 30 days after. Then it is erased. */
  deliveryAddress: z.nullable(DeliveryAddress),
  /** For the buyer of a deal in person, while the money is in escrow. */
  handoverCode: z.nullable(z.string()),
  /**
   * For the seller, what they owe if the deal is cancelled now. The amount is null if the provider has not reported its
   * fee yet. Null for the buyer, if the market bears the fee, and if the deal can no longer be cancelled.
   */
  cancellationFee: z.nullable(z.object({ amount: z.nullable(Amount) })),
  /** For the seller, after the release. Null for the buyer, and if nothing can be refunded. */
  refundable: z.nullable(Refundable),
})
export type PaymentDetails = z.output<typeof PaymentDetails>

/** What the browser needs to confirm the payment with the provider. */
const PaymentToConfirm = z.object({
  clientSecret: z.string(),
  paymentId: Id,
  currency: Currency,
  ...waitingState,
  /** What it can be paid with. */
  methods: z.array(z.string()),
  /** The provider's page that says what the buyer has to do. */
  instructionsUrl: z.nullable(z.string()),
})

/** The delivery address. Required if the item is shipped. The last address given before the payment counts. */
const addressFields = {
  deliveryAddress: z.optional(DeliveryAddress),
  /** Whether to save the address for the next checkout. */
  saveAddress: z.optional(z.boolean()),
}

const onPayment = { params: z.object({ id: PathId }) }

export const createPaymentIntent = call({
  method: 'POST',
  path: '/api/create-payment-intent',
  access: 'user',
  changes: ['payments', 'addresses'],
  summary: "Starts or resumes the payment of the buyer's accepted offer for an item",
  body: z.object({ itemId: Id, amount: Amount, ...addressFields }),
  reply: PaymentToConfirm,
  refuses: [
    'policy_not_accepted',
    'verify_email_first',
    'item_not_found',
    'offer_not_accepted',
    'offer_already_paid',
    'item_reserved',
    'item_not_open',
    'amount_mismatch',
    'payment_wrong_state',
    'provider_failed',
    'provider_refused',
    'too_many',
  ],
})

export const createEscrowPayment = call({
  method: 'POST',
  path: '/api/create-escrow-payment',
  access: 'user',
  changes: ['payments', 'addresses'],
  summary: 'Starts or resumes the payment of an accepted offer',
  body: z.object({ itemId: Id, offerId: Id, amount: Amount, ...addressFields }),
  reply: PaymentToConfirm,
  refuses: [
    'policy_not_accepted',
    'verify_email_first',
    'offer_not_found',
    'not_your_offer',
    'offer_not_accepted',
    'offer_already_paid',
    'item_reserved',
    'item_not_open',
    'amount_mismatch',
    'payment_wrong_state',
    'provider_failed',
    'provider_refused',
    'too_many',
  ],
})

export const listPayments = call({
  method: 'GET',
  path: '/api/payments',
  access: 'user',
  summary: 'Lists payments made and received, newest first, each with its item as agreed under two names',
  query: z.object({
    /** A transaction number, or a part of an item's title or of the other person's name. */
    search: z.optional(optionalText(200)),
    /** Only the payment with this intent, which the provider adds to the return URL. */
    paymentIntent: z.optional(text(200)),
    wantedItemId: z.optional(PathId),
    limit: pageLimit(100, 100),
    cursor: z.optional(PathId),
  }),
  reply: z.array(
    z.object({ payments: PaymentWithParties, wantedItem: AgreedItem, wanted_items: AgreedItem }),
  ),
})

export const getPayment = call({
  ...onPayment,
  method: 'GET',
  path: '/api/payments/:id',
  access: 'user',
  summary: 'Gets a payment, for its buyer or seller',
  reply: PaymentDetails,
  refuses: ['payment_not_found'],
})

export const getPaymentSummary = call({
  method: 'GET',
  path: '/api/payment/:paymentId',
  access: 'user',
  summary: 'Gets the payment summary for the dispute form',
  params: z.object({ paymentId: PathId }),
  reply: z.object({
    id: Id,
    buyerId: UserId,
    amount: Amount,
    currency: Currency,
    transactionNumber: z.string(),
    status: PaymentStatus,
    ...waitingState,
    createdAt: Timestamp,
    wantedItems: z.object({ title: z.string(), category: z.string() }),
  }),
  refuses: ['payment_not_found'],
})

export const submitPayment = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/submitted',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Asks the provider whether the card step was submitted, after the browser has confirmed it',
  reply: PaymentWithItem,
  refuses: ['payment_not_found', 'not_the_buyer', 'provider_failed', 'too_many'],
})

export const stopWaiting = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/stop-waiting',
  access: 'user',
  summary: 'Stops a payment that waits for its buyer, so that they can pay another way',
  reply: PaymentWithItem,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_wrong_state', 'provider_failed', 'too_many'],
})

export const confirmDelivery = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/confirm-delivery',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Confirms delivery as the buyer and releases the money to the seller',
  reply: PaymentWithItem,
  refuses: [
    'provider_failed',
    'payment_not_found',
    'not_the_buyer',
    'payment_not_paid',
    'payment_wrong_state',
    'payment_needs_check',
    'too_many',
  ],
})

export const confirmDeliveryManually = call({
  ...onPayment,
  method: 'POST',
  path: '/api/manual-delivery-confirm/:id',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Confirms delivery; if the payment still appears unpaid, first asks the provider',
  reply: PaymentWithItem,
  refuses: [
    'payment_not_found',
    'not_the_buyer',
    'payment_not_paid',
    'payment_wrong_state',
    'payment_needs_check',
    'provider_failed',
    'too_many',
  ],
})

export const REFUND_REASON_MAX_LENGTH = 500

export const RefundEntry = z.object({ amount: Amount, reason: text(REFUND_REASON_MAX_LENGTH) })

const refundOfReleased = {
  ...onPayment,
  body: RefundEntry,
  reply: PaymentWithItem,
}

export const refundBuyer = call({
  ...refundOfReleased,
  method: 'POST',
  path: '/api/payments/:id/refund',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Refunds the buyer of a released deal, in full or in part, as its seller',
  refuses: [
    'payment_not_found',
    'not_the_seller',
    'payment_wrong_state',
    'refund_out_of_range',
    'refund_under_way',
    'payout_under_way',
    'bank_decides',
    'provider_failed',
    'too_many',
  ],
})

export const refundDeal = call({
  ...refundOfReleased,
  method: 'POST',
  path: '/api/admin/payments/:id/refund',
  access: 'finance',
  confirmed: true,
  changes: ['payments', 'payouts', 'debts', 'refunds', 'disputes'],
  summary: 'Refunds the buyer of a released deal, in full or in part',
  refuses: [
    'payment_not_found',
    'not_impartial',
    'payment_wrong_state',
    'refund_out_of_range',
    'refund_under_way',
    'payout_under_way',
    'bank_decides',
    'provider_failed',
  ],
})

export const disputePayment = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/dispute',
  access: 'user',
  allowedIfSuspended: true,
  summary: 'Files a dispute as the buyer, from the delivery screen',
  body: z.object({ reason: z.optional(text(10_000)) }),
  reply: PaymentWithItem,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_not_paid', 'payment_wrong_state', 'too_many'],
})

export const submitRating = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/submit-rating',
  access: 'user',
  changes: ['payments', 'reviews'],
  summary: 'Reviews the seller as the buyer, once for each payment',
  body: z.object({
    rating: Rating,
    tags: ReviewTags,
    feedback: z.optional(optionalText(REVIEW_TEXT_MAX_LENGTH)),
  }),
  reply: Done,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_wrong_state', 'already_rated', 'review_closed'],
})
