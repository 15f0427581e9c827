import type Stripe from 'stripe'
import type { Settled } from './money.ts'
import type { Outcome } from './payment-methods/test-values.ts'
import type { Trigger } from './payments/cards.ts'

/** State of a payment intent that Stripe's object does not contain. */
export interface HiddenIntent {
  /** What the customer has to do on a page of the sandbox, such as authenticating (3D Secure). */
  authentication?: { token: string; paymentMethod: string; returnUrl: string | null }
  /** The money of the customer's cash balance that was set aside for this payment. */
  funded?: number
}

export interface HiddenCharge {
  /** The sum of transfers that used it as their source, reversed or not. */
  transferred: number
  /** The amount that disputes have withdrawn and not returned. */
  withdrawn: number
  /** What was added to the balance, in the platform's currency. If missing, nothing was converted. */
  settled?: Settled
  /** When its money becomes available, in Unix seconds. */
  availableOn?: number
  /** Its balance transaction, until the charge shows it. */
  transaction?: string
  /** What it makes Stripe ask of the connected account. */
  triggers?: Trigger
  /** How its refunds behave. */
  refunds: 'at once' | 'later' | 'fail' | 'by email' | 'never'
}

/** The name of the test card, or what becomes of a payment with another method. Numbers are never stored. */
export type HiddenMethod = { card: string; outcome?: never } | { card?: never; outcome: Outcome }

export interface HiddenCustomer {
  /** The cash balance by currency. */
  cash?: Record<string, number>
}

export interface HiddenAccount {
  /** The requested capabilities. Onboarding activates them. */
  capabilities: string[]
  deleted?: true
  /** The account of the platform itself. */
  platform?: true
  /** The failure code of payouts to its test bank account, or by the id of each. */
  bankFailure?: string | null
  bankFailures?: Record<string, string | null>
}

export interface HiddenDispute {
  /** The dispute fee that was charged, if money was withdrawn. */
  fee?: number
}

export interface HiddenRefund {
  /** Whether the bank will return the money. */
  fails?: true
}

export interface HiddenPayout {
  failureCode: string | null
}

export interface HiddenEndpoint {
  secret: string
  /** Receives the events of connected accounts, instead of the platform's own. */
  connect: boolean
  /** Created from the options of the sandbox. */
  managed?: true
  deleted?: true
}

type None = Record<string, never>

/** All stored kinds: `body` is the object as the API returns it, `hidden` is internal state. */
export interface Kinds {
  account: { body: Stripe.Account; hidden: HiddenAccount }
  balance_transaction: { body: Stripe.BalanceTransaction; hidden: None }
  charge: { body: Stripe.Charge; hidden: HiddenCharge }
  customer: { body: Stripe.Customer; hidden: HiddenCustomer }
  customer_cash_balance_transaction: { body: Stripe.CustomerCashBalanceTransaction; hidden: None }
  dispute: { body: Stripe.Dispute; hidden: HiddenDispute }
  early_fraud_warning: { body: Stripe.Radar.EarlyFraudWarning; hidden: None }
  event: { body: EventBody; hidden: None }
  file: { body: Stripe.File; hidden: None }
  payment_intent: { body: Stripe.PaymentIntent; hidden: HiddenIntent }
  payment_method_configuration: { body: Stripe.PaymentMethodConfiguration; hidden: None }
  payment_method: { body: Stripe.PaymentMethod; hidden: HiddenMethod }
  payout: { body: Stripe.Payout; hidden: HiddenPayout }
  refund: { body: Stripe.Refund; hidden: HiddenRefund }
  review: { body: Stripe.Review; hidden: None }
  transfer: { body: Stripe.Transfer; hidden: None }
  transfer_reversal: { body: Stripe.TransferReversal; hidden: None }
  webhook_endpoint: { body: Stripe.WebhookEndpoint; hidden: HiddenEndpoint }
}

/** The common part of the SDK's event types. */
export type EventBody = Omit<Stripe.EventBase, 'data'> & {
  data: { object: object; previous_attributes?: object }
}

export type Kind = keyof Kinds
export type Body<K extends Kind> = Kinds[K]['body']
export type Hidden<K extends Kind> = Kinds[K]['hidden']
