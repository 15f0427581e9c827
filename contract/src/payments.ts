import { PAYMENT_STATUSES } from '@sought/escrow/payment-status'
import * as z from 'zod/mini'
import { PublicUser } from './accounts.ts'
import { call } from './call.ts'
import { Cents, Done, Id, optionalText, PathId, pageLimit, Timestamp, text, UserId } from './fields.ts'
import { ItemSummary } from './requests.ts'

export const PaymentStatus = z.enum(PAYMENT_STATUSES)
export type PaymentStatus = z.output<typeof PaymentStatus>

export const Payment = z.object({
  id: Id,
  wantedItemId: Id,
  buyerId: UserId,
  sellerId: UserId,
  offerId: Id,
  amount: Cents,
  stripePaymentIntentId: z.nullable(z.string()),
  status: PaymentStatus,
  escrowHoldUntil: z.nullable(Timestamp),
  buyerConfirmedAt: z.nullable(Timestamp),
  sellerAcceptedAt: z.nullable(Timestamp),
  fundsReleasedAt: z.nullable(Timestamp),
  completedAt: z.nullable(Timestamp),
  disputeReason: z.nullable(z.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Payment = z.output<typeof Payment>

/** A payment with its two people, and whether the buyer has rated the seller for it. */
const PaymentWithParties = z.extend(Payment, { buyer: PublicUser, seller: PublicUser, rated: z.boolean() })

const PaymentWithItem = z.extend(PaymentWithParties, { wantedItem: ItemSummary })
export type PaymentWithItem = z.output<typeof PaymentWithItem>

/** What the browser needs to confirm a card payment with the provider. */
const PaymentToConfirm = z.object({ clientSecret: z.string(), paymentId: Id })

const onPayment = { params: z.object({ id: PathId }) }

export const createPaymentIntent = call({
  method: 'POST',
  path: '/api/create-payment-intent',
  access: 'user',
  summary: "Starts, or finds again, the payment of the buyer's accepted offer for an item",
  body: z.object({ itemId: Id, amount: Cents }),
  reply: PaymentToConfirm,
  refuses: [
    'item_not_found',
    'offer_not_accepted',
    'offer_already_paid',
    'amount_mismatch',
    'provider_failed',
    'provider_refused',
  ],
})

export const createEscrowPayment = call({
  method: 'POST',
  path: '/api/create-escrow-payment',
  access: 'user',
  summary: 'Starts, or finds again, the payment of one accepted offer',
  body: z.object({ itemId: Id, offerId: Id, amount: Cents }),
  reply: PaymentToConfirm,
  refuses: [
    'offer_not_found',
    'not_your_offer',
    'offer_not_accepted',
    'offer_already_paid',
    'amount_mismatch',
    'provider_failed',
    'provider_refused',
  ],
})

export const listPayments = call({
  method: 'GET',
  path: '/api/payments',
  access: 'user',
  summary: 'Payments made and received, the latest first, each with its item under two names',
  query: z.object({
    /** Only the payment of this intent, for whoever comes back from the provider with it. */
    paymentIntent: z.optional(text(200)),
    wantedItemId: z.optional(PathId),
    limit: pageLimit(100, 100),
    cursor: z.optional(PathId),
  }),
  reply: z.array(
    z.object({ payments: PaymentWithParties, wantedItem: ItemSummary, wanted_items: ItemSummary }),
  ),
})

export const getPayment = call({
  ...onPayment,
  method: 'GET',
  path: '/api/payments/:id',
  access: 'user',
  summary: 'One payment, for its buyer or seller',
  reply: PaymentWithItem,
  refuses: ['payment_not_found'],
})

export const getPaymentSummary = call({
  method: 'GET',
  path: '/api/payment/:paymentId',
  access: 'user',
  summary: 'What the dispute form shows of a payment',
  params: z.object({ paymentId: PathId }),
  reply: z.object({
    id: Id,
    buyerId: UserId,
    amount: Cents,
    status: PaymentStatus,
    createdAt: Timestamp,
    wantedItems: z.object({ title: z.string(), category: z.string() }),
  }),
  refuses: ['payment_not_found'],
})

export const confirmDelivery = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/confirm-delivery',
  access: 'user',
  summary: 'The buyer has the thing: the money goes to the seller',
  reply: PaymentWithItem,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_wrong_state'],
})

export const confirmDeliveryManually = call({
  ...onPayment,
  method: 'POST',
  path: '/api/manual-delivery-confirm/:id',
  access: 'user',
  summary: 'Confirms delivery of a payment whose success has not reached us yet',
  reply: PaymentWithItem,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_wrong_state', 'provider_failed'],
})

export const disputePayment = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/dispute',
  access: 'user',
  summary: 'The buyer disputes from the delivery screen',
  body: z.object({ reason: z.optional(text(10_000)) }),
  reply: PaymentWithItem,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_wrong_state'],
})

export const submitRating = call({
  ...onPayment,
  method: 'POST',
  path: '/api/payments/:id/submit-rating',
  access: 'user',
  summary: 'The buyer rates the seller, once a payment',
  body: z.object({
    rating: z.int().check(z.gte(1), z.lte(5)),
    feedback: z.optional(optionalText(2000)),
  }),
  reply: Done,
  refuses: ['payment_not_found', 'not_the_buyer', 'payment_wrong_state', 'already_rated'],
})
