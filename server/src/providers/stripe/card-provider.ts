import type { BankPayoutStatus } from '@sought/contract/account-health'
import type { Currency } from '@sought/contract/currencies'
import type { DeliveryAddress } from '@sought/contract/delivery-address'
import type { Conversion } from '@sought/escrow/conversion'
import type { MovementKind } from '@sought/escrow/movement-kinds'
import type { ProviderFee } from '@sought/escrow/postings'
import type { ChargebackOutcome, FraudSignalKind } from '@sought/escrow/provider-facts'

/*
 * The card provider's interface for the rest of the server. The provider is Stripe or the sandbox, and nothing
 * outside this folder knows which, or in which units it counts: all amounts are in our smallest unit.
 */

/** A card payment's current state at the provider. */
export interface Intent {
  id: string
  /** Lets the browser pay the intent. */
  clientSecret: string
  /**
   * - unpaid: the buyer has to choose a method, try another one or authenticate.
   * - waiting: the buyer has chosen a method and has some days to do what it needs.
   * - processing: submitted, and the bank has to send the money.
   */
  status: 'unpaid' | 'waiting' | 'processing' | 'paid' | 'canceled'
  /** The methods that it was created with. Null for intents that take all that the dashboard switches on. */
  allowedMethods: string[] | null
  /** Those of them that the provider offers for its amount and currency. */
  methods: string[]
  /** The method of the last attempt. Null if there was none. */
  method: string | null
  /** The provider's page that says what the buyer has to do. Null unless waiting. */
  instructionsUrl: string | null
  receivedCents: number
  currency: Currency
  chargeId: string | null
  /** Null until the charge was made. */
  fee: ProviderFee | null
  /** Null if the charge settled in its own currency, or not yet. */
  conversion?: Conversion | null
  chargedAt: Date | null
  /** The same for every charge of a card number. Null until the charge is made, and for payments without a card. */
  cardFingerprint: string | null
  /** The last four digits of the card number. Null until the charge is made, and for payments without a card. */
  cardLast4: string | null
  /** The database that the intent belongs to. Null if unknown. */
  installation: string | null
  /** Whether the charge has a refund, a dispute or another later event. `readHistory` lists them. */
  hasHistory: boolean
}

/** Something that the provider needs to know about a connected account. */
export interface AccountRequirement {
  /** As the provider calls it. */
  field: string
  /** What the seller has to do, in plain words. */
  what: string
  /** Null if the provider has set none yet, or if it has passed. */
  deadline: Date | null
}

/** A payout from a connected account to its bank. */
export interface BankPayout {
  id: string
  status: BankPayoutStatus
  /** Why it failed, as the provider calls it. */
  failure: string | null
  amountCents: number
  currency: string
  arrivalDate: Date
  /** Our transfers that a failed payout contained, as far as the provider tells. */
  failedTransferIds: string[]
}

/** What can change until an intent is paid. */
export interface IntentDetails {
  customerId: string | null
  /** A verified address, to which the provider sends its receipt. */
  receiptEmail: string | null
  shipTo: DeliveryAddress | null
}

/** A seller's connected account. */
export interface Account {
  /** Whether transfers reach the seller. False if payouts are disabled and only the seller can change that. */
  canReceive: boolean
  /** Whether the provider has verified the account and pays out to its bank account. */
  payoutsEnabled: boolean
  /** Whether the seller has finished the onboarding. */
  detailsSubmitted: boolean
  /** Whether the seller can sign in to a dashboard of the provider, with a link from `loginUrl`. */
  hasDashboard: boolean
  /** Whether the provider pays out by itself. Otherwise somebody starts each payout, and none is sent again. */
  hasPayoutSchedule: boolean
  /** Why payouts or charges are disabled, as the provider calls it. */
  disabledReason: string | null
  requirements: AccountRequirement[]
  /** The latest one. */
  lastPayout: BankPayout | null
}

/** The buyer's bank questions a charge or reclaims it. */
export interface Chargeback {
  id: string
  reason: string
  /** The status as the provider calls it. */
  status: string
  /** An inquiry asks questions and moves no money. */
  isInquiry: boolean
  amountCents: number
  /** Amounts that the bank took from us, or returned if negative, in the payment's currency, with the provider's fees. */
  transactions: (ProviderFee & { takenCents: number; conversion?: Conversion | null })[]
  outcome: ChargebackOutcome
  /** The bank's deadline for evidence. */
  deadline: Date | null
}

/** The card's bank or the provider suspects that a charge is fraud. */
export interface FraudSignal {
  id: string
  kind: FraudSignalKind
  /** The reason as the provider calls it. */
  reason: string
  /** Whether a decision is still needed. */
  isOpen: boolean
}

/** The evidence sent to the bank. Files are named by their ids at the provider. */
export interface BankEvidence {
  customerName: string
  customerEmail: string | null
  /** The IP address from which the buyer paid. */
  purchaseIp: string | null
  productDescription: string
  /** Facts about the delivery. Null if unknown. Dates are in UTC, such as 2026-11-16. */
  shippingCarrier: string | null
  shippingTrackingNumber: string | null
  shippingDate: string | null
  shippingAddress: string | null
  /** When the buyer got the item. */
  serviceDate: string | null
  refundPolicy: string
  cancellationPolicy: string
  /** Whether the buyer asked to cancel. */
  cancellationRebuttal: string
  /** All other facts, in words. */
  text: string
  receiptId: string | null
  communicationId: string | null
  picturesId: string | null
  documentId: string | null
}

/** Everything that has happened to a charge. */
export interface ChargeHistory {
  refunds: {
    id: string
    amountCents: number
    failed: boolean
    /** Whether the provider has made it, but not sent the money to the buyer yet. */
    pending: boolean
    /** Why it failed, as the provider calls it. */
    failureReason: string | null
    /** Whether we made it. Other refunds were made in the provider's dashboard. */
    ours: boolean
    conversion?: Conversion | null
    /** Of the money that came back when it failed. */
    failureConversion?: Conversion | null
  }[]
  chargebacks: Chargeback[]
  fraudSignals: FraudSignal[]
  /** Reversals of transfers that were not made by us. */
  reversals: { id: string; amountCents: number; conversion?: Conversion | null }[]
}

/** What reversals of a transfer gave back. */
export interface TakenBack {
  cents: number
  conversions: Conversion[]
}

/** Only the type and the object's id are used. The object's state is read from the provider (ADR 5). */
export interface ProviderEvent {
  id: string
  type: string
  objectId: string
  /** The database that the object belongs to, if known. */
  installation?: string | undefined
}

export interface CardProvider {
  publishableKey: string
  /** The id of our database. Other databases may use the same account (ADR 39). */
  readInstallation(): Promise<string>
  createIntent(payment: {
    id: number
    offerId: number
    wantedItemId: number
    /** What is bought, as agreed. */
    title: string
    amountCents: number
    currency: Currency
    transactionNumber: string
    details: IntentDetails
    methods: string[]
    createdAt: Date
    attempt: number
  }): Promise<Intent>
  /** Sets the details that are not null. Does nothing if the intent can no longer be changed. */
  updateIntent(intentId: string, details: IntentDetails): Promise<void>
  /** The same user always gets the same customer. It has no personal data. Returns its id. */
  createCustomer(user: { id: string; createdAt: Date }): Promise<string>
  /** Does nothing if the provider does not know it. */
  deleteCustomer(customerId: string): Promise<void>
  /** Null if the provider does not know it. */
  readIntent(intentId: string): Promise<Intent | null>
  /**
   * Afterwards nobody can pay the intent. Refused if it was already paid. Null if the provider does not know it.
   */
  cancelIntent(intentId: string): Promise<Intent | null>
  /**
   * Makes the refund and returns it. The same attempt never makes a second one. Finds a refund of an earlier
   * attempt, unless it is already booked.
   */
  refund(refund: {
    paymentId: number
    intentId: string
    amountCents: number
    currency: Currency
    createdAt: Date
    attempt: number
    bookedIds?: string[]
  }): Promise<{ id: string; amountCents: number; pending: boolean; conversion?: Conversion | null }>
  /**
   * Makes the transfer, or finds the one made by an earlier attempt. It is sent in the currency in which the charge
   * settled, at the rate of the charge.
   */
  transfer(transfer: {
    payoutId: number
    paymentId: number
    intentId: string
    accountId: string
    amountCents: number
    currency: Currency
    /** Replaces a reversed transfer, so the charge can no longer fund it. */
    isRepeated?: boolean
    /** The amount that the seller keeps of earlier, partly reversed transfers. */
    keptCents?: number
    createdAt: Date
    attempt: number
  }): Promise<{ id: string; conversion?: Conversion | null }>
  /** Whether connected accounts in a country can be paid. Sellers elsewhere are paid manually. */
  canPayOutTo(country: string): boolean
  createAccount(seller: { userId: string; email: string | null; country: string }): Promise<string>
  onboardingUrl(accountId: string): Promise<string>
  /** Signs the seller in to the provider's dashboard, once. Never log or store it. */
  loginUrl(accountId: string): Promise<string>
  /** Null if the provider does not know it. */
  readAccount(accountId: string): Promise<Account | null>
  /** Sends a payout that failed at the bank again, once, as far as the balance of the account goes. */
  sendPayoutAgain(accountId: string, failed: BankPayout): Promise<void>
  readHistory(intentId: string): Promise<ChargeHistory>
  /** Uploads a file for `sendEvidence` and returns its id, or null if the provider refuses it. */
  uploadEvidence(pdf: Uint8Array, name: string): Promise<string | null>
  /**
   * Sends the bank evidence about a chargeback. Banks accept it once, so this does nothing if it was already sent.
   */
  sendEvidence(chargebackId: string, evidence: BankEvidence): Promise<void>
  /** The intent of an event, or null if it has none. */
  intentOf(event: ProviderEvent): Promise<string | null>
  /**
   * One page of the events that can change what we owe, newest first, whether or not they were delivered. `after` is
   * the last event of the previous page.
   */
  listEvents(page: { since: Date; until: Date; after: string | null }): Promise<{
    events: ProviderEvent[]
    hasMore: boolean
  }>
  /**
   * Reverses a transfer as far as the seller's account can pay for it. Returns what was taken back, including earlier
   * attempts for the same chargeback or refund. Amounts are in the payment's currency.
   */
  reverseTransfer(reversal: {
    causeId: string
    transferId: string
    accountId: string
    amountCents: number
  }): Promise<TakenBack>
  /** What we have there in each currency, also what is not available yet. Negative if we owe the provider. */
  readBalance(): Promise<{ currency: string; cents: number }[]>
  /** Null unless the signature is valid and recent. */
  readEvent(rawBody: string | Buffer, signature: string): ProviderEvent | 'no event' | null
  /** All movements of our balance since then, newest first, in pages. Leaves out those of other installations. */
  movementsSince(since: Date): AsyncIterable<Movement[]>
}

/** Whether an object belongs to another database that uses the same account (ADR 39). */
export async function isForeign(
  cards: CardProvider,
  { installation }: { installation?: string | null | undefined },
): Promise<boolean> {
  return Boolean(installation) && installation !== (await cards.readInstallation())
}

/** One change of our balance at the provider. */
export interface Movement {
  id: string
  kind: MovementKind
  /** The type as the provider calls it. */
  type: string
  /** Negative if the money left our balance. */
  amountCents: number
  /** Kept by the provider in addition. */
  feeCents: number
  currency: string
  createdAt: Date
  /** The intent or id of its payment, if the provider knows it. */
  intentId: string | null
  paymentId: number | null
}

/**
 * A provider call failed.
 * - refused: nothing happened, and a retry will not help.
 * - busy: nothing happened yet, or the same request is still running. Retry with the same key.
 * - unknown: it may have happened. Repeat the request with the same key to find out.
 */
export class ProviderFailed extends Error {
  readonly outcome: 'refused' | 'busy' | 'unknown'
  /** The provider's code for it, if it has one. */
  readonly reason: string | null
  /** Whether other calls will probably fail too. */
  isOutage = false

  constructor(outcome: ProviderFailed['outcome'], cause: unknown, reason: string | null = null) {
    super(`card provider call failed: ${outcome}`, { cause })
    this.outcome = outcome
    this.reason = reason
  }
}

/** The provider was not asked, because it has not answered several calls in a row. */
export class ProviderDown extends ProviderFailed {
  override isOutage = true

  constructor() {
    super('busy', new Error('the card provider does not answer'))
  }
}
