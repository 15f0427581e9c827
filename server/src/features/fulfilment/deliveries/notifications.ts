import { paths } from '@sought/contract/paths'
import { BUYER_MAY_CANCEL_AFTER_DAYS, CANCELLED_AFTER_DAYS } from '@sought/escrow/delivery'
import { openDeal } from '../../money/payments/notifications/links.ts'
import { defineNotification } from '../../notifications/define-notification.ts'
import { type Deal, toBoth, toSeller } from '../../notifications/to-parties.ts'

/** The key contains the tracking number, because the seller can replace the parcel's number after a mistake. */
const toBothOfParcel = (payment: Deal & { trackingNumber: string | null }) =>
  toBoth(payment, { repeat: [payment.trackingNumber ?? ''] })

export const parcelReturned = defineNotification('parcel_returned', {
  kind: 'parcel',
  to: toBothOfParcel,
  title: ({ itemTitle }) => `The parcel with “${itemTitle}” is going back`,
  text: ({ role }) =>
    role === 'buyer'
      ? 'The carrier returns it to the seller. Talk to the seller, or open a dispute before the hold ends.'
      : 'The carrier returns it to you. Talk to the buyer about what to do next.',
  link: openDeal,
})

export const parcelFailed = defineNotification('parcel_failed', {
  kind: 'parcel',
  to: toBothOfParcel,
  title: ({ itemTitle }) => `The carrier could not deliver “${itemTitle}”`,
  text: ({ role }) =>
    role === 'buyer'
      ? 'Check the carrier’s page for what to do. If the parcel does not arrive, open a dispute before the hold ends.'
      : 'Check the carrier’s page for what to do, and tell the buyer.',
  link: openDeal,
})

const reportShipment = ({ paymentId }: { paymentId: number }) => ({
  path: paths.deal(paymentId),
  action: 'Report the shipment',
})

export const shipSoon = defineNotification('ship_soon', {
  kind: 'ship_reminder',
  to: (payment: Deal) => toSeller(payment),
  title: ({ itemTitle }) => `Please ship “${itemTitle}” soon`,
  text: ({ amount }) => `Half of your time to ship is over. ${amount} is in escrow for you.`,
  link: reportShipment,
})

export const shipDue = defineNotification('ship_due', {
  kind: 'ship_reminder',
  to: (payment: Deal) => toSeller(payment),
  title: ({ itemTitle }) => `“${itemTitle}” has to be shipped today`,
  text: () =>
    `Please report the shipment. In ${BUYER_MAY_CANCEL_AFTER_DAYS} days the buyer may cancel, and in ${CANCELLED_AFTER_DAYS} days we cancel the deal.`,
  link: reportShipment,
})

export const cancelRequested = defineNotification('cancel_requested', {
  kind: 'cancellation',
  to: (payment: Deal, now: Date) => toSeller(payment, { by: payment.buyerId, repeat: [now.getTime()] }),
  title: ({ actorName, itemTitle }) => `${actorName} would like to cancel “${itemTitle}”`,
  text: ({ amount }) =>
    `If you agree, cancel the deal, and ${amount} goes back to the buyer. If you have sent the item, report the shipment.`,
  link: openDeal,
})
