import { EXPIRY_NOTICE_DAYS, REQUEST_OPEN_DAYS } from '@sought/contract/constants'
import { EXPORT_KEPT_DAYS } from '@sought/contract/exports'
import { paths } from '@sought/contract/paths'
import { BUYER_MAY_CANCEL_AFTER_DAYS, CANCELLED_AFTER_DAYS } from '@sought/escrow/delivery'
import { removeDirectionMarks } from '../../core/direction-marks.ts'
import type { NotificationEvent } from './build-notifications.ts'
import { type DecisionFacts, decisionText } from './decision-texts.ts'

interface NotificationFacts {
  event: NotificationEvent
  /** The recipient. */
  userId: string
  /** The recipient's role. */
  role: 'buyer' | 'seller'
  /** The user who caused the event; null if no user did. */
  actorId: string | null
  actorName: string
  itemId: number
  itemTitle: string
  paymentId: number
  /** Null if it is not about a payment. */
  transactionNumber: string | null
  /** The saved search that a request matches; empty once it is deleted. */
  searchName: string
  ticketId: number
  ticketSubject: string
  /** Null if it is not about a decision of our moderators. */
  decision: DecisionFacts | null
  /** The parcel's carrier, and its page about it. Empty if there is none. */
  carrierName: string
  trackingUrl: string
  /** The date by which the reviews of the deal become public. Empty until the deal ends. */
  reviewsShownOn: string
  /** The date from which a scheduled policy applies. Empty for everything else. */
  policyFrom: string
  amountCents: number
  /** Formatted with its currency. */
  amount: string
}

export interface NotificationText {
  title: string
  text: string
  /** The screen that the notification opens, and the label of the button in the email. */
  path: string
  action: string
  /** The number of the payment, which the email shows. */
  transactionNumber: string | null
}

/** Used both in the app and in the email. */
export function notificationText(facts: NotificationFacts): NotificationText {
  const write = texts[facts.event]
  const { transactionNumber } = facts
  return {
    ...write({ ...facts, itemTitle: removeDirectionMarks(facts.itemTitle) }),
    ...linkOf(facts),
    transactionNumber,
  }
}

type WriteText = (facts: NotificationFacts) => { title: string; text: string }

const texts: Record<NotificationEvent, WriteText> = {
  message: ({ actorName, itemTitle }) => ({
    title: `New message from ${actorName}`,
    text: `${actorName} sent you a message about “${itemTitle}”.`,
  }),
  offer_made: ({ actorName, itemTitle, amount }) => ({
    title: `${actorName} offers “${itemTitle}” for ${amount}`,
    text: 'You can accept or reject the offer, or suggest another price.',
  }),
  offer_accepted: ({ role, actorName, itemTitle, amount }) => ({
    title: `${actorName} accepted ${amount} for “${itemTitle}”`,
    text:
      role === 'buyer'
        ? `Pay ${amount} into escrow, so that the seller can ship.`
        : 'Don’t ship yet. We’ll let you know when the payment is in escrow.',
  }),
  offer_rejected: ({ actorName, itemTitle, amount }) => ({
    title: `${actorName} rejected ${amount} for “${itemTitle}”`,
    text: 'You can keep talking and make another offer.',
  }),
  offer_countered: ({ actorName, itemTitle, amount }) => ({
    title: `${actorName} suggests ${amount} for “${itemTitle}”`,
    text: 'You can accept or reject this price.',
  }),
  request_reserved: ({ itemTitle }) => ({
    title: `“${itemTitle}” is reserved`,
    text: 'The buyer has paid another seller. Your offer stays open until it expires: if that deal is cancelled, the buyer can accept it. You can also withdraw it.',
  }),
  request_reopened: ({ itemTitle }) => ({
    title: `“${itemTitle}” is open again`,
    text: 'The other deal was cancelled. The buyer can accept your offer now.',
  }),
  request_expiring: ({ itemTitle }) => ({
    title: `Are you still looking for “${itemTitle}”?`,
    text: `Your request expires in ${EXPIRY_NOTICE_DAYS} days. Renew it to stay on the board for another ${REQUEST_OPEN_DAYS} days.`,
  }),
  payment_held: ({ role, actorName, itemTitle, amount }) =>
    role === 'buyer'
      ? {
          title: `Your ${amount} for “${itemTitle}” is in escrow`,
          text: 'We’ve asked the seller to ship. Once you have the item, please confirm the delivery.',
        }
      : {
          title: `${amount} for “${itemTitle}” is in escrow`,
          text: `${actorName} has paid. You can ship now. We release the money to you once the delivery is confirmed.`,
        },
  payment_duplicate: ({ role, itemTitle, amount }) =>
    role === 'buyer'
      ? {
          title: `We refund your second payment for “${itemTitle}”`,
          text: `This request was already paid, so ${amount} goes back to your card.`,
        }
      : {
          title: `The payment for “${itemTitle}” is refunded`,
          text: `The request was already paid, so ${amount} goes back to the buyer. Please don’t ship.`,
        },
  rating_received: ({ actorName, itemTitle, reviewsShownOn }) => ({
    title: `${actorName} rated you for “${itemTitle}”`,
    text: `You can read the rating once you have written your own review, or from ${reviewsShownOn}.`,
  }),
  review_published: ({ actorName, itemTitle }) => ({
    title: `The review of ${actorName} for “${itemTitle}” is public`,
    text: 'Read it on your public page. You can reply to it once.',
  }),
  review_replied: ({ actorName, itemTitle }) => ({
    title: `${actorName} replied to your review for “${itemTitle}”`,
    text: 'Everyone can read the reply below your review.',
  }),
  parcel_shipped: ({ itemTitle, carrierName, trackingUrl }) => ({
    title: `“${itemTitle}” is on its way`,
    text: [
      carrierName ? `It was sent with ${carrierName}.` : 'It was sent.',
      trackingUrl && `Follow the parcel: ${trackingUrl}`,
    ]
      .filter(Boolean)
      .join(' '),
  }),
  parcel_delivered: ({ role, itemTitle, amount }) => ({
    title: `“${itemTitle}” was delivered`,
    text:
      role === 'buyer'
        ? `Please confirm the delivery or report a problem. If you do nothing, ${amount} goes to the seller when the hold ends.`
        : 'The carrier reported the delivery. We release the money once the buyer confirms or the hold ends.',
  }),
  parcel_returned: ({ role, itemTitle }) => ({
    title: `The parcel with “${itemTitle}” is going back`,
    text:
      role === 'buyer'
        ? 'The carrier returns it to the seller. Talk to the seller, or open a dispute before the hold ends.'
        : 'The carrier returns it to you. Talk to the buyer about how to go on.',
  }),
  parcel_failed: ({ role, itemTitle }) => ({
    title: `The carrier could not deliver “${itemTitle}”`,
    text:
      role === 'buyer'
        ? 'Look at the carrier’s page for what to do. If the parcel does not arrive, open a dispute before the hold ends.'
        : 'Look at the carrier’s page for what to do, and tell the buyer.',
  }),
  ship_soon: ({ itemTitle, amount }) => ({
    title: `Please ship “${itemTitle}” soon`,
    text: `Half of your time to ship is over. ${amount} is in escrow for you.`,
  }),
  ship_due: ({ itemTitle }) => ({
    title: `“${itemTitle}” has to be shipped today`,
    text: `Please report the shipment. In ${BUYER_MAY_CANCEL_AFTER_DAYS} days the buyer may cancel, and in ${CANCELLED_AFTER_DAYS} days we cancel the deal.`,
  }),
  cancel_requested: ({ actorName, itemTitle, amount }) => ({
    title: `${actorName} would like to cancel “${itemTitle}”`,
    text: `If you agree, cancel the deal, and ${amount} goes back to the buyer. If you have sent the item, report the shipment.`,
  }),
  deal_cancelled: ({ role, itemTitle, amount }) => ({
    title: `The deal about “${itemTitle}” was cancelled`,
    text:
      role === 'buyer'
        ? `You get ${amount} back, to the card you paid with. Your request is open again.`
        : `${amount} goes back to the buyer. Please don’t ship.`,
  }),
  deal_expired: ({ role, itemTitle, amount }) => ({
    title: `The deal about “${itemTitle}” was cancelled`,
    text:
      role === 'buyer'
        ? `The seller did not ship in time, so you get ${amount} back, to the card you paid with. Your request is open again.`
        : `You did not ship in time, so ${amount} goes back to the buyer. Please don’t ship.`,
  }),
  handed_over: ({ actorName, itemTitle, amount }) => ({
    title: `You received “${itemTitle}”`,
    text: `${actorName} entered your code, so ${amount} was released. Please rate the seller.`,
  }),
  delivery_confirmed: ({ actorName, itemTitle }) => ({
    title: `${actorName} confirmed the delivery of “${itemTitle}”`,
    text: 'The payment is being released from escrow.',
  }),
  funds_released: ({ role, itemTitle, amount }) =>
    role === 'buyer'
      ? {
          title: `The payment for “${itemTitle}” was released`,
          text: `The escrow hold ended without a dispute, so ${amount} went to the seller.`,
        }
      : {
          title: `You earned ${amount} for “${itemTitle}”`,
          text: 'The payment was released from escrow; fees are already deducted. It reaches your bank in 3-5 business days once your payouts are set up.',
        },
  escrow_ending: ({ itemTitle, amount }) => ({
    title: `One day left to confirm or dispute “${itemTitle}”`,
    text: `Please confirm the delivery or report a problem. If you do nothing, ${amount} goes to the seller within 24 hours.`,
  }),
  dispute_filed: ({ actorName, itemTitle, amount }) => ({
    title: `${actorName} reported a problem with “${itemTitle}”`,
    text: `${amount} stays in escrow until the dispute is decided. Please answer and add your evidence.`,
  }),
  chargeback: ({ itemTitle, amount }) => ({
    title: `The buyer’s bank disputes the payment for “${itemTitle}”`,
    text: `${amount} stays in escrow until the bank has decided.`,
  }),
  payout_frozen: ({ itemTitle }) => ({
    title: `Your payout for “${itemTitle}” is on hold`,
    text: 'The buyer’s bank is reviewing the payment. We’ll let you know when it has decided.',
  }),
  chargeback_closed: ({ role, itemTitle, amount }) => ({
    title: `The bank has closed its review of “${itemTitle}”`,
    text:
      role === 'buyer'
        ? `${amount} is in escrow again. Please confirm the delivery or report a problem.`
        : `${amount} is in escrow again. We release it to you once the delivery is confirmed or the hold ends.`,
  }),
  payment_refunded: ({ role, itemTitle, amount }) => ({
    title: `${amount} for “${itemTitle}” was refunded`,
    text: role === 'buyer' ? 'The money is on its way to your card.' : 'The money went back to the buyer.',
  }),
  refund_failed: ({ itemTitle, amount }) => ({
    title: `Your refund for “${itemTitle}” did not arrive`,
    text: `Your bank returned ${amount} to us. Our team will contact you or try again.`,
  }),
  payout_account_lost: () => ({
    title: 'Your Stripe account was disconnected',
    text: 'We can no longer pay you there. Unpaid payouts wait until you set up payouts again.',
  }),
  payment_suspicious: ({ itemTitle, amount }) => ({
    title: `The payment for “${itemTitle}” may be fraud`,
    text: `${amount} stays in escrow until an admin has decided on the desk.`,
  }),
  payment_held_too_long: ({ itemTitle, amount }) => ({
    title: `The payment for “${itemTitle}” has been in escrow for 80 days`,
    text: `Stripe allows to hold ${amount} for 90 days in most countries. Please decide on the desk soon.`,
  }),
  refund_sent_again: ({ itemTitle, amount }) => ({
    title: `We sent your refund for “${itemTitle}” again`,
    text: `${amount} is on its way to your card. Your bank may take 3-5 business days to show it.`,
  }),
  refund_paid: ({ itemTitle, amount }) => ({
    title: `We paid your refund for “${itemTitle}”`,
    text: `We could not refund your card, so we paid you ${amount} another way.`,
  }),
  export_ready: () => ({
    title: 'Your export is ready',
    text: `You can download it for ${EXPORT_KEPT_DAYS} days.`,
  }),
  terms_scheduled: ({ policyFrom }) => ({
    title: `Our Terms of Service change on ${policyFrom}`,
    text: 'From then on you can read and accept the new version here. Until then nothing changes for you.',
  }),
  privacy_scheduled: ({ policyFrom }) => ({
    title: `Our Privacy Policy changes on ${policyFrom}`,
    text: 'From then on you can read and accept the new version here. Until then nothing changes for you.',
  }),
  terms_changed: () => ({
    title: 'Our Terms of Service have changed',
    text: 'Please read and accept them. Until then you cannot post requests, make offers or pay.',
  }),
  privacy_changed: () => ({
    title: 'Our Privacy Policy has changed',
    text: 'Please read and accept it. Until then you cannot post requests, make offers or pay.',
  }),
  goodwill: ({ itemTitle, amount }) => ({
    title: `You will get ${amount} for “${itemTitle}”`,
    text: 'Our team has granted you a goodwill payment. We’ll contact you about how you get it.',
  }),
  goodwill_paid: ({ itemTitle, amount }) => ({
    title: `We paid you ${amount} for “${itemTitle}”`,
    text: 'Your goodwill payment is on its way to you.',
  }),
  dispute_answered: ({ actorName, itemTitle }) => ({
    title: `${actorName} answered in the dispute about “${itemTitle}”`,
    text: 'Read the answer and reply if you like.',
  }),
  evidence_added: ({ actorName, itemTitle }) => ({
    title: `${actorName} added evidence to the dispute about “${itemTitle}”`,
    text: 'Review it, and add your own evidence if you have any.',
  }),
  settlement_proposed: ({ role, actorName, itemTitle, amount }) => ({
    title: `${actorName} proposes a settlement for “${itemTitle}”`,
    text:
      role === 'buyer'
        ? `You would get ${amount} back, and the rest would go to the seller. If you accept, the dispute ends right away.`
        : `${amount} would go back to the buyer, and the rest to you. If you accept, the dispute ends right away.`,
  }),
  dispute_reviewed: ({ itemTitle }) => ({
    title: `The dispute about “${itemTitle}” is under review`,
    text: 'Our team is reviewing it. The money stays in escrow until we decide.',
  }),
  more_info_asked: ({ itemTitle }) => ({
    title: `We need more information about “${itemTitle}”`,
    text: 'Please read our questions in the dispute and answer them.',
  }),
  dispute_ruled: (facts) => ({
    title: `The dispute about “${facts.itemTitle}” is decided`,
    text: shareOf(facts),
  }),
  dispute_settled: (facts) => ({
    title: `The dispute about “${facts.itemTitle}” is settled`,
    text: `You both agreed to a settlement. ${shareOf(facts)}`,
  }),
  search_match: ({ itemTitle, searchName }) => ({
    title: `New request: “${itemTitle}”`,
    text: searchName
      ? `It matches your saved search “${searchName}”.`
      : 'It matches a search that you had saved.',
  }),
  search_digest: () => ({
    title: 'New requests match your saved searches',
    text: 'Open a saved search to see its latest requests.',
  }),
  ticket_answered: ({ ticketSubject }) => ({
    title: `We answered your question “${ticketSubject}”`,
    text: 'Read our answer. If something is still unclear, reply in the same conversation.',
  }),
  decision: ({ decision, itemTitle }) => decisionText(decision, itemTitle),
  appeal_granted: ({ decision }) => ({
    title: 'Your appeal was granted',
    text: `We have undone the decision. ${decision?.appealAnswer ?? ''}`.trim(),
  }),
  appeal_rejected: ({ decision }) => ({
    title: 'Your appeal was rejected',
    text: `The decision stays. ${decision?.appealAnswer ?? ''}`.trim(),
  }),
  tickets_waiting: () => ({
    title: 'New questions wait for an answer',
    text: 'People have written to support. You are told at most once an hour, so there may be several.',
  }),
  appeal_received: ({ itemTitle }) => ({
    title: `We received your appeal about “${itemTitle}”`,
    text: 'An admin who did not make the ruling reviews it. We’ll let you know what we decide.',
  }),
  appeal_by_other: ({ actorName, itemTitle }) => ({
    title: `${actorName} appealed against the ruling about “${itemTitle}”`,
    text: 'Whatever we decide, you keep what the ruling gave you.',
  }),
  appeal_waiting: ({ itemTitle }) => ({
    title: `A party appealed against the ruling about “${itemTitle}”`,
    text: 'An admin who did not make the ruling has to decide.',
  }),
  ruling_upheld: ({ itemTitle }) => ({
    title: `The ruling about “${itemTitle}” stays`,
    text: 'We reviewed your appeal and rejected it. You can read our reasons in the dispute.',
  }),
  ruling_overturned: ({ itemTitle, amountCents, amount }) => ({
    title: `Your appeal about “${itemTitle}” was granted`,
    text: [
      'The ruling was wrong.',
      amountCents > 0 && `You get ${amount} from us.`,
      'You can read our reasons in the dispute.',
    ]
      .filter(Boolean)
      .join(' '),
  }),
  appeal_closed: ({ itemTitle }) => ({
    title: `The appeal about “${itemTitle}” is decided`,
    text: 'You keep what the ruling gave you. You can read our decision in the dispute.',
  }),
  dispute_assigned: ({ actorName, itemTitle }) => ({
    title: `${actorName} assigned the dispute about “${itemTitle}” to you`,
    text: 'Open the desk to see until when we promised to answer.',
  }),
  dispute_due_soon: ({ itemTitle }) => ({
    title: `The dispute about “${itemTitle}” needs an answer soon`,
    text: 'The time that we promised to both parties ends in less than 4 hours.',
  }),
  dispute_overdue: ({ itemTitle }) => ({
    title: `The dispute about “${itemTitle}” is overdue`,
    text: 'The time that we promised to both parties has passed. Please decide now.',
  }),
  dispute_withdrawn: ({ actorName, itemTitle }) => ({
    title: `${actorName} withdrew the dispute about “${itemTitle}”`,
    text: 'The escrow hold continues. If the buyer does nothing, we release the payment to you when it ends.',
  }),
}

const otherRole = (role: 'buyer' | 'seller') => (role === 'buyer' ? 'seller' : 'buyer')

function shareOf({ role, amountCents, amount }: NotificationFacts): string {
  if (amountCents === 0)
    return role === 'buyer' ? 'The payment goes to the seller.' : 'The buyer gets a full refund.'
  return role === 'buyer' ? `You get ${amount} back.` : `You get ${amount}.`
}

function linkOf(facts: NotificationFacts): Pick<NotificationText, 'path' | 'action'> {
  const { event, role, userId, actorId, itemId, paymentId, ticketId } = facts
  switch (event) {
    case 'message':
    case 'offer_made':
    case 'offer_accepted':
    case 'offer_rejected':
    case 'offer_countered': {
      const conversation = actorId ? { itemId, userId: actorId } : { itemId }
      return { path: paths.messages(conversation), action: 'Open the conversation' }
    }
    case 'request_reserved':
    case 'request_reopened':
      return { path: paths.messages({ itemId }), action: 'Open the conversation' }
    case 'request_expiring':
      return { path: paths.myRequests({ renew: itemId }), action: 'Renew the request' }
    case 'rating_received':
      return { path: paths.review(paymentId), action: 'Write a review' }
    case 'review_published':
      return { path: paths.user(userId, { as: role }), action: 'Open your page' }
    case 'review_replied':
      return { path: paths.user(actorId ?? userId, { as: otherRole(role) }), action: 'Read the reply' }
    case 'payment_held':
      return role === 'buyer'
        ? { path: paths.delivery(paymentId), action: 'Open the delivery' }
        : { path: paths.deal(paymentId), action: 'Open the deal' }
    case 'parcel_shipped':
    case 'parcel_delivered':
    case 'parcel_returned':
    case 'parcel_failed':
    case 'cancel_requested':
    case 'deal_cancelled':
    case 'deal_expired':
    case 'handed_over':
      return { path: paths.deal(paymentId), action: 'Open the deal' }
    case 'ship_soon':
    case 'ship_due':
      return { path: paths.deal(paymentId), action: 'Report the shipment' }
    case 'escrow_ending':
      return { path: paths.delivery(paymentId), action: 'Confirm or report a problem' }
    case 'delivery_confirmed':
    case 'funds_released':
    // A withdrawn dispute no longer has a screen.
    case 'dispute_withdrawn':
    case 'payout_frozen':
    case 'chargeback_closed':
    case 'payment_refunded':
    case 'refund_failed':
    case 'refund_sent_again':
    case 'refund_paid':
    case 'goodwill':
    case 'goodwill_paid':
    case 'payment_duplicate':
      return { path: paths.payments(), action: 'Open your transactions' }
    case 'search_match':
      return { path: paths.item(itemId), action: 'See the request' }
    case 'search_digest':
      return { path: paths.savedSearches(), action: 'Open your saved searches' }
    case 'decision':
    case 'appeal_granted':
    case 'appeal_rejected':
      return { path: paths.profile({ tab: 'decisions' }), action: 'View the decision' }
    case 'ticket_answered':
      return { path: paths.ticket(ticketId), action: 'Open the conversation' }
    case 'tickets_waiting':
      return { path: paths.adminTickets({ status: 'open' }), action: 'Open the tickets' }
    case 'export_ready':
      return { path: paths.adminExports(), action: 'Download the export' }
    case 'terms_scheduled':
    case 'terms_changed':
      return { path: paths.termsOfService(), action: 'Read the terms' }
    case 'privacy_scheduled':
    case 'privacy_changed':
      return { path: paths.privacyPolicy(), action: 'Read the privacy policy' }
    case 'payout_account_lost':
      return { path: paths.sellerSetup(), action: 'Set up payouts' }
    case 'appeal_waiting':
      return { path: paths.adminAppeals(), action: 'Open the appeals' }
    case 'dispute_assigned':
    case 'dispute_due_soon':
    case 'dispute_overdue':
    case 'payment_suspicious':
    case 'payment_held_too_long':
      return { path: paths.adminDisputes({ search: String(paymentId) }), action: 'Open the desk' }
    case 'dispute_filed':
    case 'chargeback':
    case 'dispute_answered':
    case 'evidence_added':
    case 'settlement_proposed':
    case 'dispute_reviewed':
    case 'more_info_asked':
    case 'dispute_ruled':
    case 'dispute_settled':
    case 'appeal_received':
    case 'appeal_by_other':
    case 'ruling_upheld':
    case 'ruling_overturned':
    case 'appeal_closed':
      return { path: paths.dispute(paymentId), action: 'Open the dispute' }
  }
}
