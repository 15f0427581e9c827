/*
 * The card provider as the rest of the server sees it. It is Stripe, or the sandbox; nothing outside this folder
 * knows which.
 */

/** A card payment's current state at the provider. */
export interface Intent {
  id: string
  /** Lets the browser pay it. */
  clientSecret: string
  /** Unpaid: waiting for the buyer to enter a card, try another one or authenticate. */
  status: 'unpaid' | 'processing' | 'paid' | 'canceled'
  receivedCents: number
  currency: string
  chargeId: string | null
}

/** The buyer's bank reclaims the money. */
export interface Chargeback {
  intentId: string | null
  reason: string
  outcome: 'open' | 'won' | 'lost'
}

/** Only the type and the object's id are used. The object's state is read from the provider (ADR 7). */
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
    currency: string
    createdAt: Date
    attempt: number
  }): Promise<Intent>
  /** Null if the provider does not know it. */
  readIntent(intentId: string): Promise<Intent | null>
  /** After this nobody can pay the intent. Refused if it was paid; null if the provider does not know it. */
  cancelIntent(intentId: string): Promise<Intent | null>
  /** Makes the refund, or finds the one that an earlier attempt made. */
  refund(refund: {
    paymentId: number
    intentId: string
    amountCents: number
    createdAt: Date
    attempt: number
  }): Promise<void>
  /** Makes the transfer, or finds the one that an earlier attempt made. Returns its id. */
  transfer(transfer: {
    payoutId: number
    paymentId: number
    intentId: string
    accountId: string
    amountCents: number
    currency: string
    createdAt: Date
    attempt: number
  }): Promise<string>
  /** Whether connected accounts in a country can be paid. Sellers elsewhere are paid manually. */
  canPayOutTo(country: string): boolean
  createAccount(seller: { userId: string; email: string | null; country: string }): Promise<string>
  onboardingUrl(accountId: string): Promise<string>
  /** Null if the provider does not know it. */
  readAccount(accountId: string): Promise<{ canReceive: boolean } | null>
  readChargeback(id: string): Promise<Chargeback | null>
  /** All chargeback events since then, whether or not they were delivered. */
  chargebackEvents(since: Date): Promise<ProviderEvent[]>
  /** Null unless the signature is valid and recent. */
  readEvent(rawBody: string | Buffer, signature: string): ProviderEvent | null
  /** For comparing the provider's records with the ledger. */
  movementsOf(
    intentId: string,
  ): Promise<{ paidCents: number; refundedCents: number; transferredCents: number }>
}

/**
 * A provider call failed.
 * - refused: nothing happened, and a retry will not help.
 * - busy: nothing happened yet, or the same request is still running. Retry with the same key.
 * - unknown: it may have happened. Repeat the request with the same key to find out.
 */
export class ProviderFailed extends Error {
  readonly outcome: 'refused' | 'busy' | 'unknown'

  constructor(outcome: ProviderFailed['outcome'], cause: unknown) {
    super(`card provider call failed: ${outcome}`, { cause })
    this.outcome = outcome
  }
}
