/*
 * What Sought asks of a card provider, in Sought's own words. Stripe answers it, or the sandbox in
 * Stripe's place; nothing outside this folder knows which.
 */

/** A card payment as the provider sees it now. */
export interface Intent {
  id: string
  /** What the browser needs to pay it. */
  clientSecret: string
  /** Unpaid covers everything that waits for the buyer: a card, another card, an authentication. */
  status: 'unpaid' | 'processing' | 'paid' | 'canceled'
  receivedCents: number
  currency: string
  chargeId: string | null
}

/** A chargeback: the buyer's bank asks for the money back. */
export interface Chargeback {
  intentId: string | null
  reason: string
  outcome: 'open' | 'won' | 'lost'
}

/** A signed event, reduced to what may be believed of it: its name and whom it is about. */
export interface ProviderEvent {
  id: string
  type: string
  objectId: string
}

export interface CardProvider {
  publishableKey: string
  createIntent(payment: {
    id: number
    amountCents: number
    createdAt: Date
    attempt: number
  }): Promise<Intent>
  /** Null when the provider knows of none. */
  readIntent(intentId: string): Promise<Intent | null>
  /** Sees to it that nobody can pay an intent any more; refused where somebody has. Null when there is none. */
  cancelIntent(intentId: string): Promise<Intent | null>
  /** Makes the refund, or finds the one that an earlier try has made. */
  refund(refund: {
    paymentId: number
    intentId: string
    amountCents: number
    createdAt: Date
    attempt: number
  }): Promise<void>
  /** Makes the transfer, or finds the one that an earlier try has made; answers its id. */
  transfer(transfer: {
    payoutId: number
    paymentId: number
    intentId: string
    accountId: string
    amountCents: number
    createdAt: Date
    attempt: number
  }): Promise<string>
  createAccount(seller: { userId: string; email: string | null; country: string }): Promise<string>
  onboardingUrl(accountId: string): Promise<string>
  /** Whether the account can be paid; null when the provider knows of none. */
  readAccount(accountId: string): Promise<{ canReceive: boolean } | null>
  readChargeback(id: string): Promise<Chargeback | null>
  /** What it has said about chargebacks since then, whether or not it reached us. */
  chargebackEvents(since: Date): Promise<ProviderEvent[]>
  /** Null unless the signature is the provider's and fresh. */
  readEvent(rawBody: string | Buffer, signature: string): ProviderEvent | null
  /** Everything that it has done for a payment, to hold the ledger against. */
  movementsOf(
    intentId: string,
  ): Promise<{ paidCents: number; refundedCents: number; transferredCents: number }>
}

/**
 * The provider did not do what it was asked.
 * - refused: it said no, and nothing happened.
 * - busy: nothing happened yet, or the same request is still under way; the same key may be tried again.
 * - unknown: it may have happened. The same request, with the same key, is the way to find out.
 */
export class ProviderFailed extends Error {
  readonly outcome: 'refused' | 'busy' | 'unknown'

  constructor(outcome: ProviderFailed['outcome'], cause: unknown) {
    super(`the card provider failed us: ${outcome}`, { cause })
    this.outcome = outcome
  }
}
