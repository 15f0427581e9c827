import type Stripe from 'stripe'

type EventType = Stripe.WebhookEndpointCreateParams.EnabledEvent

/** The events that an endpoint for our own account must send. */
export const PLATFORM_EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'transfer.reversed',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
  'review.opened',
  'review.closed',
] as const satisfies EventType[]

/** The events that an endpoint for connected accounts must send. */
export const CONNECT_EVENTS = [
  'account.updated',
  'account.application.deauthorized',
  'account.external_account.created',
  'account.external_account.updated',
  'account.external_account.deleted',
  'capability.updated',
  'payout.paid',
  'payout.failed',
] as const satisfies EventType[]
