import type Stripe from 'stripe'

/** State of a payment intent that Stripe's object does not contain. */
export interface HiddenIntent {
  /** The pending authentication (3D Secure). */
  authentication?: { token: string; paymentMethod: string; returnUrl: string | null }
}

/** Cents of a charge that cannot be refunded or transferred any more. */
export interface HiddenCharge {
  transferred: number
  withdrawn: number
  /** How refunds to this card behave. */
  refunds: 'at once' | 'later' | 'fail'
}

/** The name of the test card. Card numbers are never stored. */
export interface HiddenMethod {
  card: string
}

/** The requested capabilities. Onboarding activates them. */
export interface HiddenAccount {
  capabilities: string[]
  deleted?: true
}

type None = Record<string, never>

/** All stored kinds: `body` is the object as the API returns it, `hidden` is internal state. */
export interface Kinds {
  account: { body: Stripe.Account; hidden: HiddenAccount }
  balance_transaction: { body: Stripe.BalanceTransaction; hidden: None }
  charge: { body: Stripe.Charge; hidden: HiddenCharge }
  customer: { body: Stripe.Customer; hidden: None }
  dispute: { body: Stripe.Dispute; hidden: None }
  event: { body: EventBody; hidden: None }
  payment_intent: { body: Stripe.PaymentIntent; hidden: HiddenIntent }
  payment_method: { body: Stripe.PaymentMethod; hidden: HiddenMethod }
  refund: { body: Stripe.Refund; hidden: None }
  transfer: { body: Stripe.Transfer; hidden: None }
  transfer_reversal: { body: Stripe.TransferReversal; hidden: None }
}

/** The common part of the SDK's event types. */
export type EventBody = Omit<Stripe.EventBase, 'data'> & {
  data: { object: object; previous_attributes?: object }
}

export type Kind = keyof Kinds
export type Body<K extends Kind> = Kinds[K]['body']
export type Hidden<K extends Kind> = Kinds[K]['hidden']
