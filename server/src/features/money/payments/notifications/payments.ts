import { paths } from '@sought/contract/paths'
import { formatDate } from '../../../../core/dates.ts'
import { defineNotification } from '../../../notifications/define-notification.ts'
import { type Deal, toBoth, toBuyer, toSeller } from '../../../notifications/to-parties.ts'
import { openDeal, openDesk, openPayments } from './links.ts'

export const paymentHeld = defineNotification('payment_held', {
  isAboutMoney: true,
  to: (payment: Deal) => [toSeller(payment, { by: payment.buyerId }), toBuyer(payment)],
  title: ({ role, itemTitle, amount }) =>
    `${role === 'buyer' ? 'Your ' : ''}${amount} for “${itemTitle}” is in escrow`,
  text: ({ role, actorName }) =>
    role === 'buyer'
      ? 'We’ve asked the seller to ship. Once you have the item, please confirm the delivery.'
      : `${actorName} has paid. You can ship now. We release the money to you once the delivery is confirmed.`,
  link: (facts) =>
    facts.role === 'buyer'
      ? { path: paths.delivery(facts.paymentId), action: 'Open the delivery' }
      : openDeal(facts),
})

const untilIn = ([, until]: string[]) => formatDate(new Date(Number(until)))

/** The money of a submitted payment comes in some days. */
export const paymentWaiting = defineNotification('payment_waiting', {
  isAboutMoney: true,
  to: (payment: Deal & { waitingUntil: Date | null }) =>
    toBoth(payment, { repeat: [payment.waitingUntil?.getTime() ?? 0] }),
  title: ({ itemTitle, about }) => `Waiting for the payment for “${itemTitle}” until ${untilIn(about)}`,
  text: ({ role, amount }) =>
    role === 'buyer'
      ? `${amount} goes into escrow when it arrives. Until then your request is reserved.`
      : `The buyer is paying ${amount}, but it has not arrived yet. Please don’t ship before we tell you.`,
  link: openDeal,
})

const NOT_ARRIVED = {
  failed: 'The bank did not make the payment.',
  expired: 'The money did not arrive in time.',
  cancelled: 'The buyer stopped the payment to pay another way.',
}

/** The money did not come, so the request is open again. */
export const paymentNotArrived = defineNotification('payment_not_arrived', {
  kind: 'payment_waiting',
  isAboutMoney: true,
  to: (payment: Deal, cause: keyof typeof NOT_ARRIVED, at: Date) => {
    const details = { repeat: [cause, at.getTime()] }
    return cause === 'cancelled' ? toSeller(payment, details) : toBoth(payment, details)
  },
  title: ({ itemTitle }) => `The payment for “${itemTitle}” did not arrive`,
  text: ({ role, about: [, cause = ''] }) =>
    `${NOT_ARRIVED[cause as keyof typeof NOT_ARRIVED]} ${
      role === 'buyer'
        ? 'Your request is open again. If the money still comes, it goes into escrow or back to you.'
        : 'Please don’t ship. The buyer can pay again.'
    }`,
  link: openDeal,
})

/** The request was already paid, so this payment is refunded. */
export const paymentDuplicate = defineNotification('payment_duplicate', {
  kind: 'payment_held',
  isAboutMoney: true,
  to: (payment: Deal) => [toSeller(payment, { by: payment.buyerId }), toBuyer(payment)],
  title: ({ role, itemTitle }) =>
    role === 'buyer'
      ? `We refund your second payment for “${itemTitle}”`
      : `The payment for “${itemTitle}” is refunded`,
  text: ({ role, amount }) =>
    role === 'buyer'
      ? `This request was already paid, so ${amount} goes back to your card.`
      : `The request was already paid, so ${amount} goes back to the buyer. Please don’t ship.`,
  link: openPayments,
})

/** The card was charged something else than agreed. The amount is not named, because it may be in another currency. */
export const paymentMischarged = defineNotification('payment_mischarged', {
  kind: 'payment_held',
  isAboutMoney: true,
  to: (payment: Deal) => toBuyer(payment),
  title: ({ itemTitle }) => `We refund your payment for “${itemTitle}”`,
  text: 'Your card was charged a different amount than agreed, so we send all of it back. The request is open again.',
  link: openPayments,
})

export const mischargeFound = defineNotification('mischarge_found', {
  kind: 'dispute_opened',
  to: ({ id, amount }: Deal, admins: { userId: string }[]) =>
    admins.map(({ userId: to }) => ({ to, about: [id], paymentId: id, amount })),
  title: ({ itemTitle }) => `The payment for “${itemTitle}” was charged wrongly`,
  text: ({ amount }) =>
    `The card was not charged the agreed ${amount}. The charge is refunded. Please find out in Stripe’s dashboard who changed it.`,
  link: ({ paymentId }) => ({ path: paths.adminDeal(paymentId), action: 'Open the deal' }),
})

export const escrowEnding = defineNotification('escrow_ending', {
  isAboutMoney: true,
  // Withdrawing a dispute starts a new hold, whose end is announced again.
  to: (payment: Deal & { escrowHoldUntil: Date }) =>
    toBuyer(payment, { repeat: [payment.escrowHoldUntil.getTime()] }),
  title: ({ itemTitle }) => `One day left to confirm or dispute “${itemTitle}”`,
  text: ({ amount }) =>
    `Please confirm the delivery or report a problem. If you do nothing, ${amount} goes to the seller within 24 hours.`,
  link: ({ paymentId }) => ({ path: paths.delivery(paymentId), action: 'Confirm or report a problem' }),
})

export const deliveryConfirmed = defineNotification('delivery_confirmed', {
  isAboutMoney: true,
  to: (payment: Deal) => toSeller(payment, { by: payment.buyerId }),
  title: ({ actorName, itemTitle }) => `${actorName} confirmed the delivery of “${itemTitle}”`,
  text: 'The payment is being released from escrow.',
  link: openPayments,
})

/** The seller entered the buyer's code. */
export const handedOver = defineNotification('handed_over', {
  kind: 'delivery_confirmed',
  isAboutMoney: true,
  to: (payment: Deal) => toBuyer(payment, { by: payment.sellerId }),
  title: ({ itemTitle }) => `You received “${itemTitle}”`,
  text: ({ actorName, amount }) =>
    `${actorName} entered your code, so ${amount} was released. Please rate the seller.`,
  link: openDeal,
})

export const fundsReleased = defineNotification('funds_released', {
  isAboutMoney: true,
  // Buyers who released the money themselves are not told.
  to: (payment: Deal, payoutCents: number, releasedBy: 'buyer' | 'clock') => [
    toSeller(payment, { amount: payoutCents }),
    ...(releasedBy === 'clock' ? [toBuyer(payment)] : []),
  ],
  title: ({ role, itemTitle, amount }) =>
    role === 'buyer'
      ? `The payment for “${itemTitle}” was released`
      : `You earned ${amount} for “${itemTitle}”`,
  text: ({ role, amount }) =>
    role === 'buyer'
      ? `The escrow hold ended without a dispute, so ${amount} went to the seller.`
      : 'The payment was released from escrow; fees are already deducted. It reaches your bank in 3-5 business days once your payouts are set up.',
  link: openPayments,
})

export const paymentSuspicious = defineNotification('payment_suspicious', {
  kind: 'dispute_opened',
  isAboutMoney: true,
  to: ({ id, amount }: Deal, admins: { userId: string }[]) =>
    admins.map(({ userId: to }) => ({ to, about: [id], paymentId: id, amount })),
  title: ({ itemTitle }) => `The payment for “${itemTitle}” may be fraud`,
  text: ({ amount }) => `${amount} stays in escrow until an admin has decided on the desk.`,
  link: openDesk,
})

/** The buyer got money back through the provider's dashboard or from their bank, not from us. */
export const paymentRefunded = defineNotification('payment_refunded', {
  kind: 'dispute_ruled',
  isAboutMoney: true,
  to: (payment: Deal, refundCents: number, causeId: string) =>
    toBoth(payment, { amount: refundCents, repeat: [causeId] }),
  title: ({ itemTitle, amount }) => `${amount} for “${itemTitle}” was refunded`,
  text: ({ role }) =>
    role === 'buyer' ? 'The money is on its way to your card.' : 'The money went back to the buyer.',
  link: openPayments,
})

const toRefunded = (payment: Deal, refundCents: number, refund: string | number) =>
  toBuyer(payment, { amount: refundCents, repeat: [refund] })

export const refundFailed = defineNotification('refund_failed', {
  kind: 'dispute_ruled',
  isAboutMoney: true,
  to: toRefunded,
  title: ({ itemTitle }) => `Your refund for “${itemTitle}” did not arrive`,
  text: ({ amount }) => `Your bank returned ${amount} to us. Our team will contact you or try again.`,
  link: openPayments,
})

/** A failed refund is attempted again. */
export const refundSentAgain = defineNotification('refund_sent_again', {
  kind: 'dispute_ruled',
  isAboutMoney: true,
  to: toRefunded,
  title: ({ itemTitle }) => `We sent your refund for “${itemTitle}” again`,
  text: ({ amount }) =>
    `${amount} is on its way to your card. Your bank may take 3-5 business days to show it.`,
  link: openPayments,
})

/** An admin has paid the buyer outside the card provider. */
export const refundPaid = defineNotification('refund_paid', {
  kind: 'dispute_ruled',
  isAboutMoney: true,
  to: toRefunded,
  title: ({ itemTitle }) => `We paid your refund for “${itemTitle}”`,
  text: ({ amount }) => `We could not refund your card, so we paid you ${amount} another way.`,
  link: openPayments,
})
