import { defineNotification, type NotificationFacts } from '../../../notifications/define-notification.ts'
import { type Deal, toBoth, toBuyer, toSeller } from '../../../notifications/to-parties.ts'
import { openDispute, openPayments } from './links.ts'

const toBothAt = (payment: Deal, now: Date) => toBoth(payment, { repeat: [now.getTime()] })

/**
 * Keyed by the timeline entry, not by time: a dispute can be filed, withdrawn and filed again within one millisecond.
 */
const fromBuyer = (payment: Deal, timelineId: number) =>
  toSeller(payment, { by: payment.buyerId, repeat: [timelineId] })

export const disputeFiled = defineNotification('dispute_filed', {
  kind: 'dispute_opened',
  to: fromBuyer,
  title: ({ actorName, itemTitle }) => `${actorName} reported a problem with “${itemTitle}”`,
  text: ({ amount }) =>
    `${amount} stays in escrow until the dispute is decided. Please answer and add your evidence.`,
  link: openDispute,
})

export const disputeWithdrawn = defineNotification('dispute_withdrawn', {
  kind: 'dispute_ruled',
  to: fromBuyer,
  title: ({ actorName, itemTitle }) => `${actorName} withdrew the dispute about “${itemTitle}”`,
  text: 'The escrow hold continues. If the buyer does nothing, we release the payment to you when it ends.',
  // A withdrawn dispute no longer has a screen.
  link: openPayments,
})

export const chargeback = defineNotification('chargeback', {
  kind: 'dispute_opened',
  isAboutMoney: true,
  to: toBothAt,
  title: ({ itemTitle }) => `The buyer’s bank disputes the payment for “${itemTitle}”`,
  text: ({ amount }) => `${amount} stays in escrow until the bank has decided.`,
  link: openDispute,
})

export const chargebackClosed = defineNotification('chargeback_closed', {
  kind: 'dispute_ruled',
  isAboutMoney: true,
  to: toBothAt,
  title: ({ itemTitle }) => `The bank has closed its review of “${itemTitle}”`,
  text: ({ role, amount }) =>
    role === 'buyer'
      ? `${amount} is in escrow again. Please confirm the delivery or report a problem.`
      : `${amount} is in escrow again. We release it to you once the delivery is confirmed or the hold ends.`,
  link: openPayments,
})

export const payoutFrozen = defineNotification('payout_frozen', {
  kind: 'dispute_opened',
  isAboutMoney: true,
  to: (payment: Deal, chargebackId: string) => toSeller(payment, { repeat: [chargebackId] }),
  title: ({ itemTitle }) => `Your payout for “${itemTitle}” is on hold`,
  text: 'The buyer’s bank is reviewing the payment. We’ll let you know when it has decided.',
  link: openPayments,
})

/** Does not reveal which admin acted. */
export const disputeReviewed = defineNotification('dispute_reviewed', {
  kind: 'dispute_answered',
  to: toBothAt,
  title: ({ itemTitle }) => `The dispute about “${itemTitle}” is under review`,
  text: 'Our team is reviewing it. The money stays in escrow until we decide.',
  link: openDispute,
})

/** Does not reveal which admin asked. */
export const moreInfoAsked = defineNotification('more_info_asked', {
  kind: 'dispute_answered',
  to: toBothAt,
  title: ({ itemTitle }) => `We need more information about “${itemTitle}”`,
  text: 'Please read our questions in the dispute and answer them.',
  link: openDispute,
})

/** Each party sees the amount that they receive. */
const toReceivers = (payment: Deal, { refund, payout }: { refund: number; payout: number }) => [
  toBuyer(payment, { amount: refund }),
  toSeller(payment, { amount: payout }),
]

function describeShare({ role, amountCents, amount }: NotificationFacts): string {
  if (amountCents === 0)
    return role === 'buyer' ? 'The payment goes to the seller.' : 'The buyer gets a full refund.'
  return role === 'buyer' ? `You get ${amount} back.` : `You get ${amount}.`
}

export const disputeRuled = defineNotification('dispute_ruled', {
  isAboutMoney: true,
  to: toReceivers,
  title: ({ itemTitle }) => `The dispute about “${itemTitle}” is decided`,
  text: describeShare,
  link: openDispute,
})

export const disputeSettled = defineNotification('dispute_settled', {
  kind: 'dispute_ruled',
  isAboutMoney: true,
  to: toReceivers,
  title: ({ itemTitle }) => `The dispute about “${itemTitle}” is settled`,
  text: (facts) => `You both agreed to a settlement. ${describeShare(facts)}`,
  link: openDispute,
})
