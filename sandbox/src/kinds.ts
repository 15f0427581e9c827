import type Stripe from 'stripe'

/** What the sandbox knows about a payment that Stripe's object does not show. */
export interface HiddenIntent {
  /** The step at the bank that is being waited for. */
  authentication?: { token: string; paymentMethod: string; returnUrl: string | null }
}

/** Cents of a charge that are no longer there to be refunded or passed on. */
export interface HiddenCharge {
  transferred: number
  withdrawn: number
  /** How refunds of this card go. */
  refunds: 'at once' | 'later' | 'fail'
}

/** Which published test card it is. The number itself is never kept. */
export interface HiddenMethod {
  card: string
}

/** Which capabilities were asked for; onboarding turns them on. */
export interface HiddenAccount {
  capabilities: string[]
  deleted?: true
}

type None = Record<string, never>

/** Every kind of thing that is kept: the object as the API shows it, and what it does not show. */
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

/** The SDK has one type for each type of event; what they share is what is kept. */
export type EventBody = Omit<Stripe.EventBase, 'data'> & {
  data: { object: object; previous_attributes?: object }
}

export type Kind = keyof Kinds
export type Body<K extends Kind> = Kinds[K]['body']
export type Hidden<K extends Kind> = Kinds[K]['hidden']
