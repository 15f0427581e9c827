import { type Carrier, getCarrierName, getTrackingUrl } from '@sought/contract/carriers'
import { defineNotification } from '../../../notifications/define-notification.ts'
import { type Deal, type Party, toBoth, toBuyer } from '../../../notifications/to-parties.ts'
import { openDeal } from './links.ts'

export const parcelShipped = defineNotification('parcel_shipped', {
  kind: 'parcel',
  // Sent again when the seller corrects the carrier or the number.
  to: (payment: Deal, { carrier, trackingNumber }: { carrier: Carrier; trackingNumber: string | null }) =>
    toBuyer(payment, { by: payment.sellerId, repeat: [carrier, trackingNumber ?? ''] }),
  title: ({ itemTitle }) => `“${itemTitle}” is on its way`,
  text: ({ payment }) => describeParcel(payment?.carrier ?? 'other', payment?.trackingNumber ?? null),
  link: openDeal,
})

function describeParcel(carrier: Carrier, trackingNumber: string | null): string {
  const url = getTrackingUrl(carrier, trackingNumber)
  const sent = carrier === 'other' ? 'It was sent.' : `It was sent with ${getCarrierName(carrier)}.`
  return url ? `${sent} Follow the parcel: ${url}` : sent
}

export const parcelDelivered = defineNotification('parcel_delivered', {
  kind: 'parcel',
  // Sellers who reported the delivery themselves are not told.
  to: (payment: Deal, reportedBy: Party | 'carrier') =>
    reportedBy === 'carrier' ? toBoth(payment) : toBuyer(payment, { by: payment.sellerId }),
  title: ({ itemTitle }) => `“${itemTitle}” was delivered`,
  text: ({ role, amount }) =>
    role === 'buyer'
      ? `Please confirm the delivery or report a problem. If you do nothing, ${amount} goes to the seller when the hold ends.`
      : 'The carrier reported the delivery. We release the money once the buyer confirms or the hold ends.',
  link: openDeal,
})

export const dealCancelled = defineNotification('deal_cancelled', {
  kind: 'cancellation',
  isAboutMoney: true,
  to: (payment: Deal, by: Party) =>
    toBoth(payment, { by: by === 'buyer' ? payment.buyerId : payment.sellerId }),
  title: ({ itemTitle }) => `The deal about “${itemTitle}” was cancelled`,
  text: ({ role, amount }) =>
    role === 'buyer'
      ? `You get ${amount} back, to the card you paid with. Your request is open again.`
      : `${amount} goes back to the buyer. Please don’t ship. Your payouts show whether you owe the card fee.`,
  link: openDeal,
})

/** The deal was cancelled automatically, because the seller did not ship in time. */
export const dealExpired = defineNotification('deal_expired', {
  kind: 'cancellation',
  isAboutMoney: true,
  to: (payment: Deal) => toBoth(payment),
  title: ({ itemTitle }) => `The deal about “${itemTitle}” was cancelled`,
  text: ({ role, amount }) =>
    role === 'buyer'
      ? `The seller did not ship in time, so you get ${amount} back, to the card you paid with. Your request is open again.`
      : `You did not ship in time, so ${amount} goes back to the buyer. Please don’t ship. Your payouts show whether you owe the card fee.`,
  link: openDeal,
})
