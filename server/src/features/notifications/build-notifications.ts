import type { Policy } from '@sought/contract/constants'
import type { NotificationKind } from '@sought/contract/notification-kinds'

/**
 * Every event that people are notified about, and its kind. Users switch emails on and off by kind; each event has
 * its own text.
 */
const kindOfEvent = {
  message: 'message',
  offer_made: 'offer_made',
  offer_accepted: 'offer_accepted',
  offer_rejected: 'offer_rejected',
  offer_countered: 'offer_countered',
  request_reserved: 'request_reserved',
  request_reopened: 'request_reserved',
  request_expiring: 'request_expiring',
  payment_held: 'payment_held',
  parcel_shipped: 'parcel',
  parcel_delivered: 'parcel',
  parcel_returned: 'parcel',
  parcel_failed: 'parcel',
  ship_soon: 'ship_reminder',
  ship_due: 'ship_reminder',
  cancel_requested: 'cancellation',
  deal_cancelled: 'cancellation',
  deal_expired: 'cancellation',
  handed_over: 'delivery_confirmed',
  delivery_confirmed: 'delivery_confirmed',
  funds_released: 'funds_released',
  escrow_ending: 'escrow_ending',
  dispute_filed: 'dispute_opened',
  chargeback: 'dispute_opened',
  payout_frozen: 'dispute_opened',
  dispute_answered: 'dispute_answered',
  evidence_added: 'dispute_answered',
  settlement_proposed: 'dispute_answered',
  dispute_reviewed: 'dispute_answered',
  more_info_asked: 'dispute_answered',
  dispute_ruled: 'dispute_ruled',
  dispute_settled: 'dispute_ruled',
  dispute_withdrawn: 'dispute_ruled',
  chargeback_closed: 'dispute_ruled',
  payment_refunded: 'dispute_ruled',
  refund_failed: 'dispute_ruled',
  payout_account_lost: 'funds_released',
  payment_suspicious: 'dispute_opened',
  payment_held_too_long: 'dispute_opened',
  refund_sent_again: 'dispute_ruled',
  refund_paid: 'dispute_ruled',
  payment_duplicate: 'payment_held',
  rating_received: 'rating_received',
  review_published: 'review_published',
  review_replied: 'review_published',
  decision: 'moderation',
  appeal_granted: 'moderation',
  appeal_rejected: 'moderation',
  search_match: 'search_match',
  search_digest: 'search_digest',
  ticket_answered: 'support',
  tickets_waiting: 'support',
  goodwill: 'goodwill',
  goodwill_paid: 'goodwill',
  appeal_received: 'dispute_appeal',
  appeal_by_other: 'dispute_appeal',
  appeal_waiting: 'dispute_appeal',
  ruling_upheld: 'dispute_appeal',
  ruling_overturned: 'dispute_appeal',
  appeal_closed: 'dispute_appeal',
  dispute_assigned: 'dispute_due',
  dispute_due_soon: 'dispute_due',
  dispute_overdue: 'dispute_due',
  export_ready: 'export_ready',
  terms_scheduled: 'policy_changed',
  privacy_scheduled: 'policy_changed',
  terms_changed: 'policy_changed',
  privacy_changed: 'policy_changed',
} as const satisfies Record<string, NotificationKind>

export type NotificationEvent = keyof typeof kindOfEvent

/** A notification for one person. */
export interface NewNotification {
  to: string
  kind: NotificationKind
  /** The event and its subject. A person is notified once per key. */
  key: string
  by?: string
  wantedItemId?: number
  paymentId?: number
  /** A reply of our team to a support question. */
  supportMessageId?: number
  amount?: number
}

/** The event is the first part of the key. */
export function eventOf(key: string): NotificationEvent {
  const [name = ''] = key.split(':')
  if (name in kindOfEvent) return name as NotificationEvent
  throw new Error(`unknown notification event: ${name}`)
}

function newNotification(
  event: NotificationEvent,
  subject: (string | number)[],
  rest: Omit<NewNotification, 'kind' | 'key'>,
): NewNotification {
  return { ...rest, kind: kindOfEvent[event], key: [event, ...subject].join(':') }
}

const HOUR_MS = 3_600_000

interface Message {
  wantedItemId: number
  senderId: string
  receiverId: string
}

/** At most one per hour for a conversation, counted from its first unread message. */
export function messageNotification(
  message: Message,
  firstUnread: { id: number; createdAt: Date },
  now: Date,
): NewNotification {
  const hours = Math.floor((now.getTime() - firstUnread.createdAt.getTime()) / HOUR_MS)
  return newNotification('message', [firstUnread.id, hours], {
    to: message.receiverId,
    by: message.senderId,
    wantedItemId: message.wantedItemId,
  })
}

interface Offer {
  id: number
  wantedItemId: number
  buyerId: string
  sellerId: string
  amount: number
}

type OfferEvent = 'offer_made' | 'offer_accepted' | 'offer_rejected' | 'offer_countered'

/** For the other party of the offer. */
export function offerNotification(event: OfferEvent, offer: Offer, by: string): NewNotification {
  const { id, wantedItemId, buyerId, sellerId, amount } = offer
  return newNotification(event, [id], { to: by === buyerId ? sellerId : buyerId, by, wantedItemId, amount })
}

/** For sellers with open offers on a request that another deal has reserved, or that is free again. */
export function reservationNotifications(
  event: 'request_reserved' | 'request_reopened',
  { id, wantedItemId }: { id: number; wantedItemId: number },
  sellers: string[],
): NewNotification[] {
  return sellers.map((to) => newNotification(event, [id], { to, wantedItemId }))
}

/** Keyed by the end of the period, so that a renewed request is announced again. */
export function requestExpiringNotification(item: {
  id: number
  userId: string
  expiresAt: Date
}): NewNotification {
  const { id, userId: to, expiresAt } = item
  return newNotification('request_expiring', [id, expiresAt.getTime()], { to, wantedItemId: id })
}

interface Payment {
  id: number
  buyerId: string
  sellerId: string
  amount: number
}

/** Without an item id, which is read from the payment. `repeat` distinguishes repeated events of one payment. */
const paymentNotification = (
  event: NotificationEvent,
  payment: Payment,
  to: 'buyer' | 'seller',
  { by, amount, repeat = [] }: { by?: string; amount?: number; repeat?: (string | number)[] } = {},
): NewNotification =>
  newNotification(event, [payment.id, ...repeat], {
    to: to === 'buyer' ? payment.buyerId : payment.sellerId,
    paymentId: payment.id,
    amount: amount ?? payment.amount,
    ...(by && { by }),
  })

export function paymentHeldNotifications(payment: Payment): NewNotification[] {
  return [
    paymentNotification('payment_held', payment, 'seller', { by: payment.buyerId }),
    paymentNotification('payment_held', payment, 'buyer'),
  ]
}

/** The request was already paid, so this payment is refunded. */
export function paymentDuplicateNotifications(payment: Payment): NewNotification[] {
  return [
    paymentNotification('payment_duplicate', payment, 'seller', { by: payment.buyerId }),
    paymentNotification('payment_duplicate', payment, 'buyer'),
  ]
}

/** Sent again when the seller corrects the carrier or the number. */
export function parcelShippedNotification(
  payment: Payment,
  { carrier, trackingNumber }: { carrier: string; trackingNumber: string | null },
): NewNotification {
  const repeat = [carrier, trackingNumber ?? '']
  return paymentNotification('parcel_shipped', payment, 'buyer', { by: payment.sellerId, repeat })
}

/** The seller is notified if the carrier reported the delivery. */
export function parcelDeliveredNotifications(payment: Payment, isByCarrier: boolean): NewNotification[] {
  if (!isByCarrier)
    return [paymentNotification('parcel_delivered', payment, 'buyer', { by: payment.sellerId })]
  return [
    paymentNotification('parcel_delivered', payment, 'buyer'),
    paymentNotification('parcel_delivered', payment, 'seller'),
  ]
}

/**
 * The carrier could not deliver the parcel, or is returning it. Keyed by the tracking number, which can be
 * corrected.
 */
export function parcelProblemNotifications(
  event: 'parcel_failed' | 'parcel_returned',
  payment: Payment & { trackingNumber: string | null },
): NewNotification[] {
  const repeat = [payment.trackingNumber ?? '']
  return [
    paymentNotification(event, payment, 'buyer', { repeat }),
    paymentNotification(event, payment, 'seller', { repeat }),
  ]
}

/** Each reminder is sent once. */
export function shipReminderNotification(event: 'ship_soon' | 'ship_due', payment: Payment): NewNotification {
  return paymentNotification(event, payment, 'seller')
}

export function cancelRequestedNotification(payment: Payment, now: Date): NewNotification {
  return paymentNotification('cancel_requested', payment, 'seller', {
    by: payment.buyerId,
    repeat: [now.getTime()],
  })
}

export function cancellationNotifications(
  payment: Payment,
  actor: 'buyer' | 'seller' | 'clock',
): NewNotification[] {
  const event = actor === 'clock' ? 'deal_expired' : 'deal_cancelled'
  const by = { buyer: { by: payment.buyerId }, seller: { by: payment.sellerId }, clock: {} }[actor]
  return [paymentNotification(event, payment, 'buyer', by), paymentNotification(event, payment, 'seller', by)]
}

/** The buyer is notified too, since the seller entered the code. */
export function handedOverNotifications(payment: Payment, payoutCents: number): NewNotification[] {
  return [
    ...deliveryConfirmedNotifications(payment, payoutCents),
    paymentNotification('handed_over', payment, 'buyer', { by: payment.sellerId }),
  ]
}

const otherOf = (payment: Payment, party: 'buyer' | 'seller') => ({
  by: party === 'buyer' ? payment.sellerId : payment.buyerId,
})

/** The recipient may not read the review yet, so the notification does not describe it. */
export function reviewWaitingNotification(payment: Payment, to: 'buyer' | 'seller'): NewNotification {
  return paymentNotification('rating_received', payment, to, otherOf(payment, to))
}

export function reviewPublishedNotification(payment: Payment, to: 'buyer' | 'seller'): NewNotification {
  return paymentNotification('review_published', payment, to, otherOf(payment, to))
}

/** For the author of the review. */
export function reviewRepliedNotification(review: {
  paymentId: number
  authorId: string
  subjectId: string
}): NewNotification {
  const { paymentId, authorId: to, subjectId: by } = review
  return newNotification('review_replied', [paymentId], { to, by, paymentId })
}

export function deliveryConfirmedNotifications(payment: Payment, payoutCents: number): NewNotification[] {
  return [
    paymentNotification('delivery_confirmed', payment, 'seller', { by: payment.buyerId }),
    paymentNotification('funds_released', payment, 'seller', { amount: payoutCents }),
  ]
}

/** The buyer is notified too, since they did not release the money themselves. */
export function holdExpiredNotifications(payment: Payment, payoutCents: number): NewNotification[] {
  return [
    paymentNotification('funds_released', payment, 'seller', { amount: payoutCents }),
    paymentNotification('funds_released', payment, 'buyer'),
  ]
}

/** Keyed by the end of the hold: withdrawing a dispute starts a new hold, whose end is announced again. */
export function escrowEndingNotification(payment: Payment, escrowHoldUntil: Date): NewNotification {
  return paymentNotification('escrow_ending', payment, 'buyer', { repeat: [escrowHoldUntil.getTime()] })
}

/**
 * Keyed by the timeline entry, not by time: a dispute can be filed, withdrawn and filed again within one
 * millisecond.
 */
export function disputeFiledNotification(payment: Payment, timelineId: number): NewNotification {
  return paymentNotification('dispute_filed', payment, 'seller', {
    by: payment.buyerId,
    repeat: [timelineId],
  })
}

export function chargebackNotifications(payment: Payment, now: Date): NewNotification[] {
  return notificationsForBoth('chargeback', payment, now)
}

export function chargebackClosedNotifications(payment: Payment, now: Date): NewNotification[] {
  return notificationsForBoth('chargeback_closed', payment, now)
}

/** Keyed by the chargeback's id at the provider. */
export function payoutFrozenNotification(payment: Payment, chargebackId: string): NewNotification {
  return paymentNotification('payout_frozen', payment, 'seller', { repeat: [chargebackId] })
}

/** The buyer got money back through the provider's dashboard or from their bank, not from us. */
export function refundedNotifications(
  payment: Payment,
  refundCents: number,
  causeId: string,
): NewNotification[] {
  const details = { amount: refundCents, repeat: [causeId] }
  return [
    paymentNotification('payment_refunded', payment, 'buyer', details),
    paymentNotification('payment_refunded', payment, 'seller', details),
  ]
}

export function refundFailedNotification(
  payment: Payment,
  refundCents: number,
  refundId: string,
): NewNotification {
  return paymentNotification('refund_failed', payment, 'buyer', { amount: refundCents, repeat: [refundId] })
}

/** The seller has disconnected their account from ours. */
export function payoutAccountLostNotification(sellerId: string, accountId: string): NewNotification {
  return newNotification('payout_account_lost', [accountId], { to: sellerId })
}

/** Asks admins to look at a payment on the desk. */
export function deskNotifications(
  event: 'payment_suspicious' | 'payment_held_too_long',
  { id: paymentId, amount }: Pick<Payment, 'id' | 'amount'>,
  admins: { userId: string }[],
): NewNotification[] {
  return admins.map(({ userId: to }) => newNotification(event, [paymentId], { to, paymentId, amount }))
}

/** Sent when a failed refund is attempted again. */
export function refundSentAgainNotification(
  payment: Payment,
  refundCents: number,
  refundId: string,
): NewNotification {
  return paymentNotification('refund_sent_again', payment, 'buyer', {
    amount: refundCents,
    repeat: [refundId],
  })
}

/** An admin has paid the buyer outside the card provider. */
export function refundPaidNotification(
  payment: Payment,
  refundCents: number,
  attempt: number,
): NewNotification {
  return paymentNotification('refund_paid', payment, 'buyer', { amount: refundCents, repeat: [attempt] })
}

const eventOfPolicy = {
  terms_of_service: 'terms_changed',
  privacy_policy: 'privacy_changed',
} as const satisfies Partial<Record<Policy, NotificationEvent>>

const scheduledEventOf = {
  terms_of_service: 'terms_scheduled',
  privacy_policy: 'privacy_scheduled',
} as const satisfies Record<keyof typeof eventOfPolicy, NotificationEvent>

/** A version of a policy that users must accept will come into force. The key ends with the day. */
export function policyScheduledNotification(
  policy: keyof typeof eventOfPolicy,
  { version, effectiveFrom }: { version: number; effectiveFrom: Date },
  to: string,
): NewNotification {
  return newNotification(scheduledEventOf[policy], [version, effectiveFrom.toISOString().slice(0, 10)], {
    to,
  })
}

/** A version of a policy that users must accept is in force. */
export function policyChangedNotification(
  policy: keyof typeof eventOfPolicy,
  version: number,
  to: string,
): NewNotification {
  return newNotification(eventOfPolicy[policy], [version], { to })
}

export function exportReadyNotification(exportId: number, to: string): NewNotification {
  return newNotification('export_ready', [exportId], { to })
}

/** The platform owes a party a goodwill payment, or an admin has paid it. */
export function goodwillNotification(
  event: 'goodwill' | 'goodwill_paid',
  goodwill: { id: number; paymentId: number; recipientId: string; amountCents: number },
): NewNotification {
  const { id, paymentId, recipientId: to, amountCents: amount } = goodwill
  return newNotification(event, [id], { to, paymentId, amount })
}

/** Does not reveal which admin acted. */
export function disputeReviewNotifications(
  event: 'dispute_reviewed' | 'more_info_asked',
  payment: Payment,
  now: Date,
): NewNotification[] {
  return notificationsForBoth(event, payment, now)
}

function notificationsForBoth(event: NotificationEvent, payment: Payment, now: Date): NewNotification[] {
  const repeat = [now.getTime()]
  return [
    paymentNotification(event, payment, 'buyer', { repeat }),
    paymentNotification(event, payment, 'seller', { repeat }),
  ]
}

const otherParty = (payment: Payment, by: string) => (by === payment.buyerId ? 'seller' : 'buyer')

export function disputeAnswerNotification(payment: Payment, evidenceId: number, by: string): NewNotification {
  return paymentNotification('dispute_answered', payment, otherParty(payment, by), {
    by,
    repeat: [evidenceId],
  })
}

/** Files are uploaded one by one, so at most one notification per hour. */
export function evidenceAddedNotification(payment: Payment, by: string, now: Date): NewNotification {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  return paymentNotification('evidence_added', payment, otherParty(payment, by), { by, repeat: [hour] })
}

export function settlementProposedNotification(
  payment: Payment,
  refundCents: number,
  by: string,
  timelineId: number,
): NewNotification {
  return paymentNotification('settlement_proposed', payment, otherParty(payment, by), {
    by,
    amount: refundCents,
    repeat: [timelineId],
  })
}

export function disputeWithdrawnNotification(payment: Payment, timelineId: number): NewNotification {
  return paymentNotification('dispute_withdrawn', payment, 'seller', {
    by: payment.buyerId,
    repeat: [timelineId],
  })
}

/** Each party sees the amount that they receive. */
export function disputeRuledNotifications(
  event: 'dispute_ruled' | 'dispute_settled',
  payment: Payment,
  { refundCents, payoutCents }: { refundCents: number; payoutCents: number },
): NewNotification[] {
  return [
    paymentNotification(event, payment, 'buyer', { amount: refundCents }),
    paymentNotification(event, payment, 'seller', { amount: payoutCents }),
  ]
}

/** For the appellant and the other party. */
export function rulingAppealedNotifications(
  payment: Payment,
  appealId: number,
  by: string,
): NewNotification[] {
  const other = otherParty(payment, by)
  return [
    paymentNotification('appeal_received', payment, other === 'buyer' ? 'seller' : 'buyer', {
      repeat: [appealId],
    }),
    paymentNotification('appeal_by_other', payment, other, { by, repeat: [appealId] }),
  ]
}

export function appealWaitingNotifications(
  { id: paymentId, amount }: Payment,
  appealId: number,
  admins: { userId: string }[],
): NewNotification[] {
  return admins.map(({ userId: to }) =>
    newNotification('appeal_waiting', [appealId], { to, paymentId, amount }),
  )
}

/** Does not reveal which admin decided. The amount is what the platform pays the appellant. */
export function appealDecidedNotifications(
  payment: Payment,
  appeal: { id: number; party: 'buyer' | 'seller'; isOverturned: boolean; stakeCents: number },
): NewNotification[] {
  const { id, party, isOverturned, stakeCents } = appeal
  const repeat = [id]
  return [
    paymentNotification(isOverturned ? 'ruling_overturned' : 'ruling_upheld', payment, party, {
      amount: stakeCents,
      repeat,
    }),
    paymentNotification('appeal_closed', payment, party === 'buyer' ? 'seller' : 'buyer', { repeat }),
  ]
}

export function disputeAssignedNotification(
  { id: paymentId, amount }: Payment,
  to: string,
  by: string,
  now: Date,
): NewNotification {
  return newNotification('dispute_assigned', [paymentId, now.getTime()], { to, by, paymentId, amount })
}

/** Keyed by the promised time, so that each reminder is sent once for each promise. */
export function disputeDueNotifications(
  event: 'dispute_due_soon' | 'dispute_overdue',
  { id: paymentId, amount }: Payment,
  dueAt: Date,
  admins: { userId: string }[],
): NewNotification[] {
  return admins.map(({ userId: to }) =>
    newNotification(event, [paymentId, dueAt.getTime()], { to, paymentId, amount }),
  )
}

/** For people with a saved search that a new request matches. */
export function searchMatchNotifications(
  wantedItemId: number,
  { ownerId, people }: { ownerId: string; people: string[] },
): NewNotification[] {
  return people.map((to) =>
    newNotification('search_match', [wantedItemId], { to, by: ownerId, wantedItemId }),
  )
}

/** The notification and the requests of its digest have the same time. */
export function searchDigestNotification(to: string, now: Date): NewNotification {
  return newNotification('search_digest', [now.getTime()], { to })
}

export function ticketAnsweredNotification(to: string, supportMessageId: number): NewNotification {
  return newNotification('ticket_answered', [supportMessageId], { to, supportMessageId })
}

/** Notifies admins at most once an hour that people are waiting for an answer. */
export function ticketsWaitingNotifications(admins: { userId: string }[], now: Date): NewNotification[] {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  return admins.map(({ userId: to }) => newNotification('tickets_waiting', [hour], { to }))
}

interface Decision {
  id: number
  personId: string
}

/** Notifies a person of a moderators' decision. The text comes from the decision and names its request. */
export function decisionNotification(decision: Decision, wantedItemId: number | null): NewNotification {
  const { id, personId: to } = decision
  return newNotification('decision', [id], { to, ...(wantedItemId && { wantedItemId }) })
}

export function appealNotification(
  event: 'appeal_granted' | 'appeal_rejected',
  { id, personId: to }: Decision,
): NewNotification {
  return newNotification(event, [id], { to })
}
