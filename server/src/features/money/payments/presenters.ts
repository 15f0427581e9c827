import { fillPath } from '@sought/contract/call'
import { getTrackingUrl } from '@sought/contract/carriers'
import { getParcelFile, type PARCEL_FILES } from '@sought/contract/deliveries'
import { asAgreedItem } from '../../board/requests/request-versions.ts'
import { asPublicUser } from '../../users/public-user.ts'
import { reviewUntil } from '../../users/review-window.ts'
import type { findPayment } from './queries.ts'
import type { Payment } from './stored-payment.ts'

type Row = NonNullable<Awaited<ReturnType<typeof findPayment>>>

/** The links of a parcel. Storage paths are never exposed: the URL is the call that checks permission. */
export function asParcel({ id, carrier, trackingNumber, shipmentPhoto, deliveryProof }: Payment) {
  const urlOf = (stored: string | null, file: (typeof PARCEL_FILES)[number]) =>
    stored && fillPath(getParcelFile.path, { id, file })
  return {
    trackingUrl: carrier && getTrackingUrl(carrier, trackingNumber),
    shipmentPhoto: urlOf(shipmentPhoto, 'shipment-photo'),
    deliveryProof: urlOf(deliveryProof, 'delivery-proof'),
  }
}

function withParties({ payment, buyer, seller, refundedAmount, rated, reviewedBySeller }: Row) {
  return {
    ...payment,
    ...asParcel(payment),
    buyer: asPublicUser(buyer),
    seller: asPublicUser(seller),
    refundedAmount,
    rated,
    reviewedBySeller,
    reviewUntil: reviewUntil(payment),
  }
}

const itemOf = ({ item, payment }: Row) => asAgreedItem(item, payment)

export function asPayment(row: Row) {
  return { ...withParties(row), wantedItem: itemOf(row) }
}

/** The list returns each payment's item under two names (ADR 17). */
export function asPair(row: Row) {
  const item = itemOf(row)
  return { payments: withParties(row), wantedItem: item, wanted_items: item }
}

export function asSummary({ payment, item }: Row) {
  return { ...payment, wantedItems: item }
}
