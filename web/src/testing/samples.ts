import type { CurrentUser } from '@sought/contract/accounts'
import type { ReplyOf } from '@sought/contract/call'
import { CATEGORIES } from '@sought/contract/constants'
import { type Currency, rulesOf } from '@sought/contract/currencies'
import type { DeskDispute, Dispute, DisputeEvidence } from '@sought/contract/disputes'
import type { Conversation, Message } from '@sought/contract/messages'
import type { Offer } from '@sought/contract/offers'
import type { createEscrowPayment, getPayment } from '@sought/contract/payments'
import type { getConfig, Market } from '@sought/contract/platform'
import type { RequestVersion, WantedItem } from '@sought/contract/requests'
import { STANDARD_FEES } from '@sought/escrow/fees'
import type * as z from 'zod/mini'

export type TestUser = z.input<typeof CurrentUser>

/** A signed-in user with a verified email and a password. */
export function aUser(changes: Partial<TestUser> = {}): TestUser {
  return {
    id: '0192d3a0-0000-7000-8000-000000000001',
    name: 'Ada Buyer',
    email: 'ada@example.com',
    emailVerified: true,
    pendingEmail: null,
    hasPassword: true,
    googleLinked: false,
    firstName: 'Ada',
    lastName: 'Buyer',
    profileImageUrl: null,
    provider: 'email',
    bio: null,
    location: null,
    phone: null,
    selling: { keywords: [], categories: [] },
    rating: 0,
    restrictedUntil: null,
    suspendedUntil: null,
    createdAt: '2026-01-05T09:00:00.000Z',
    updatedAt: '2026-01-05T09:00:00.000Z',
    ...changes,
  }
}

/** The settings of a market without changes. */
export function aMarket(changes: Partial<Market> = {}): Market {
  const { fees = STANDARD_FEES, maxOfferCents = null, highValueCents = 500_00 } = changes
  const inDollars = { fees, maxOfferCents, highValueCents }
  return {
    name: 'Sought',
    categories: [...CATEGORIES],
    mode: 'open',
    ...inDollars,
    byCurrency: { usd: inDollars },
    holdDays: 7,
    holdDaysHighValue: 14,
    offerExpiryDays: 7,
    payoutDelayHours: 0,
    newSellerPayoutDelayDays: 0,
    logoUrl: null,
    policies: [],
    ...changes,
  }
}

type Config = ReplyOf<typeof getConfig>

export function aConfig(changes: Partial<Config> = {}): Config {
  return {
    market: aMarket(),
    currency: 'usd',
    currencies: [{ code: 'usd', decimals: 2, minCharge: 50, maxCharge: 99_999_999 }],
    provider: 'sandbox',
    publishableKey: 'pk_test',
    googleSignIn: false,
    ...changes,
  }
}

/** The currencies of a market, as its settings have them. */
export const theCurrencies = (...codes: Currency[]) =>
  codes.map((code) => {
    const { decimals, minCharge, maxCharge } = rulesOf(code)
    return { code, decimals, minCharge, maxCharge }
  })

/** An open request for a lamp, posted by the user of `aUser`. */
export function aRequest(changes: Partial<z.input<typeof WantedItem>> = {}): z.input<typeof WantedItem> {
  const { id: userId, name, rating, profileImageUrl } = aUser()
  return {
    id: 3,
    title: 'A green lamp',
    description: 'With a brass foot.',
    category: 'Home & Garden',
    minBudget: 20,
    maxBudget: 120,
    currency: 'usd',
    location: 'Leeds',
    urgency: 'medium',
    images: [],
    pictures: [],
    imageUrl: null,
    pictureUrl: null,
    userId,
    status: 'open',
    createdAt: '2026-11-16T09:00:00.000Z',
    renewedAt: null,
    expiresAt: '2127-01-15T09:00:00.000Z',
    position: changes.id ?? 3,
    version: 1,
    user: { id: userId, name, rating, profileImageUrl },
    ...changes,
  }
}

/** A seller who deals with the user of `aUser`. */
export const aSeller = {
  id: '0192d3a0-0000-7000-8000-000000000002',
  name: 'Bob Tester',
  rating: 0,
  profileImageUrl: null,
}

/** The seller of `aSeller`, signed in. */
export const aSellerUser = () =>
  aUser({ ...aSeller, email: 'bob@example.com', firstName: 'Bob', lastName: 'Tester' })

/** The user of `aUser`, as others see them. */
function aBuyer() {
  const { id, name, rating, profileImageUrl } = aUser()
  return { id, name, rating, profileImageUrl }
}

/** The request of `aRequest`, as lists contain it. */
function anItem() {
  const { id, title, category, imageUrl, pictureUrl, userId, minBudget, maxBudget, currency } = aRequest()
  return { id, title, category, imageUrl, pictureUrl, userId, minBudget, maxBudget, currency }
}

/** What the request of `aRequest` says. */
export function aVersion(changes: Partial<RequestVersion> = {}): RequestVersion {
  const { title, description, category, minBudget, maxBudget, currency, version } = aRequest()
  return { version, title, description, category, minBudget, maxBudget, currency, pictures: [], ...changes }
}

/** A message from `aSeller` to the user of `aUser` about their request. */
export function aMessage(changes: Partial<z.input<typeof Message>> = {}): z.input<typeof Message> {
  const receiver = aBuyer()
  const wantedItem = anItem()
  return {
    id: 11,
    wantedItemId: wantedItem.id,
    senderId: aSeller.id,
    receiverId: receiver.id,
    content: 'I have one.',
    photos: [],
    isHidden: false,
    warning: null,
    isRead: true,
    readAt: '2026-11-15T12:01:00.000Z',
    clientId: null,
    createdAt: '2026-11-15T12:00:00.000Z',
    sender: aSeller,
    receiver,
    wantedItem,
    ...changes,
  }
}

/** The conversation with `aSeller`, as the user of `aUser` sees it. */
export function aConversation(
  changes: Partial<z.input<typeof Conversation>> = {},
): z.input<typeof Conversation> {
  return {
    wantedItem: anItem(),
    user: aSeller,
    lastMessage: null,
    activeAt: '2026-11-15T12:00:00.000Z',
    unreadCount: 0,
    ...changes,
  }
}

/** A pending offer of $40.00 from `aSeller` to the user of `aUser`. */
export function anOffer(changes: Partial<z.input<typeof Offer>> = {}): z.input<typeof Offer> {
  const buyer = aBuyer()
  return {
    id: 5,
    wantedItemId: anItem().id,
    request: aVersion(),
    currentVersion: 1,
    buyerId: buyer.id,
    sellerId: aSeller.id,
    amount: 4_000,
    currency: 'usd',
    delivery: 'arranged',
    shipWithinDays: null,
    message: null,
    photos: [],
    status: 'pending',
    proposedBy: 'seller',
    counterOf: null,
    replacedBy: null,
    expiresAt: '2126-11-15T12:00:00.000Z',
    acceptedAt: null,
    rejectedAt: null,
    withdrawnAt: null,
    fees: null,
    createdAt: '2026-11-15T12:00:00.000Z',
    updatedAt: '2026-11-15T12:00:00.000Z',
    buyer,
    seller: aSeller,
    ...changes,
  }
}

/** The same offer, accepted. */
export const anAcceptedOffer = () => anOffer({ status: 'accepted', acceptedAt: '2026-11-15T12:05:00.000Z' })

/** The reply to the start of a payment. */
export const aStartedPayment = (
  changes: Partial<z.input<typeof createEscrowPayment.reply>> = {},
): z.input<typeof createEscrowPayment.reply> => ({
  clientSecret: 'pi_1_secret_1',
  paymentId: 1,
  currency: 'usd',
  methods: ['card', 'link'],
  method: null,
  waitingUntil: null,
  waitsFor: null,
  instructionsUrl: null,
  ...changes,
})

/** A payment of $120.00 in escrow, from the user of `aUser` to `aSeller`. */
export function aPayment(
  changes: Partial<z.input<typeof getPayment.reply>> = {},
): z.input<typeof getPayment.reply> {
  const buyer = aBuyer()
  const wantedItem = { ...aVersion(), ...anItem() }
  return {
    id: 1,
    wantedItemId: wantedItem.id,
    buyerId: buyer.id,
    sellerId: aSeller.id,
    offerId: 5,
    amount: 12_000,
    currency: 'usd',
    ...STANDARD_FEES,
    transactionNumber: '4F7K-Q2MX-9TB3',
    stripePaymentIntentId: 'pi_1',
    status: 'held_in_escrow',
    delivery: 'arranged',
    shipWithinDays: null,
    shipBy: null,
    shippedAt: null,
    deliveredAt: null,
    carrier: null,
    trackingNumber: null,
    trackingUrl: null,
    shipmentNote: null,
    shipmentPhoto: null,
    deliveryProof: null,
    cancelRequestedAt: null,
    cancelReason: null,
    cancelledBy: null,
    deliveryAddress: null,
    handoverCode: null,
    cancellationFee: null,
    refundedAmount: 0,
    refundable: null,
    submittedAt: '2026-11-15T12:00:00.000Z',
    method: 'card',
    waitingUntil: null,
    waitsFor: null,
    // Noon of the same day in every time zone.
    escrowHoldUntil: new Date(2026, 10, 22, 12).toISOString(),
    buyerConfirmedAt: null,
    sellerAcceptedAt: null,
    fundsReleasedAt: null,
    completedAt: null,
    payoutWaitsUntil: null,
    disputeReason: null,
    bankDecides: false,
    needsCheck: false,
    refundFailedAt: null,
    refundPending: false,
    createdAt: '2026-11-15T12:00:00.000Z',
    updatedAt: '2026-11-15T12:00:00.000Z',
    buyer,
    seller: aSeller,
    rated: false,
    reviewedBySeller: false,
    reviewUntil: changes.status === 'completed' ? '2099-01-01T00:00:00.000Z' : null,
    wantedItem,
    ...changes,
  }
}

/** A payment as lists of payments contain it. */
export function aListedPayment(changes: Parameters<typeof aPayment>[0] = {}) {
  const { wantedItem, ...payments } = aPayment(changes)
  return { payments, wantedItem, wanted_items: wantedItem }
}

/** An open dispute about the payment of `aPayment`. */
export function aDispute(changes: Partial<z.input<typeof Dispute>> = {}): z.input<typeof Dispute> {
  const { wantedItem, ...payment } = aPayment({ status: 'disputed', disputeReason: 'It is blue' })
  return {
    ...payment,
    wantedItems: wantedItem,
    disputedAt: '2026-11-16T09:00:00.000Z',
    refundCents: null,
    refundedAt: null,
    settlement: null,
    dueAt: null,
    ...changes,
  }
}

/** The dispute of `aDispute` on the desk. */
export function aDeskDispute(
  changes: Partial<z.input<typeof DeskDispute>> = {},
): z.input<typeof DeskDispute> {
  return { ...aDispute(), ...noBankRecords, deskStatus: 'disputed', assignee: null, ...changes }
}

/** No bank has reviewed the payment. */
export const noBankRecords = {
  bankDecides: false,
  bankDeadline: null,
  chargebacks: [],
  payout: null,
  fraudSignals: [],
  escalatedAt: null,
}

/** A text file that the buyer of `aDispute` added. */
export function anEvidenceFile(
  changes: Partial<z.input<typeof DisputeEvidence>> = {},
): z.input<typeof DisputeEvidence> {
  return {
    id: 1,
    disputeId: 1,
    submittedBy: aUser().id,
    type: 'document',
    fileName: 'letters.txt',
    fileUrl: '/files/1',
    fileSize: 5,
    mimeType: 'text/plain',
    description: null,
    content: null,
    createdAt: '2026-11-16T10:00:00.000Z',
    ...changes,
  }
}
