import type { Payment } from '@sought/contract/payments'
import { isReleasedByClock } from '@sought/escrow/delivery'
import type { ReactNode } from 'react'
import { type PathDates, PaymentPath } from '../ui/payment-path.tsx'
import { formatShortDate } from './dates.ts'
import { parseDelivery } from './deal-step.ts'
import { getPaymentPlace, type Party } from './payment-status.ts'

type Shown = Pick<
  Payment,
  | 'status'
  | 'submittedAt'
  | 'delivery'
  | 'shipBy'
  | 'shippedAt'
  | 'deliveredAt'
  | 'escrowHoldUntil'
  | 'buyerConfirmedAt'
  | 'fundsReleasedAt'
  | 'cancelledBy'
>

interface Props {
  payment: Shown
  reader?: Party
  note?: ReactNode
  className?: string
}

/** The drawing of a payment, with the dates of the parcel and of the release. */
export function PaymentProgress({ payment, ...path }: Props) {
  return <PaymentPath at={getPaymentPlace(payment)} dates={getPathDates(payment)} {...path} />
}

function getPathDates(payment: Shown): PathDates {
  const isHeld = payment.status === 'held_in_escrow'
  const { submittedAt, shipBy, shippedAt, escrowHoldUntil, fundsReleasedAt } = payment
  const deliveredAt = payment.deliveredAt ?? payment.buyerConfirmedAt
  const releasedBy = isHeld && isReleasedByClock(parseDelivery(payment)) ? escrowHoldUntil : null
  return {
    ...(submittedAt && { paid: formatShortDate(submittedAt) }),
    ...(isHeld && shipBy && { escrow: `Ship by ${formatShortDate(shipBy)}` }),
    ...(shippedAt && { escrow: `Shipped ${formatShortDate(shippedAt)}` }),
    ...(deliveredAt && { delivered: formatShortDate(deliveredAt) }),
    ...(releasedBy && { released: `by ${formatShortDate(releasedBy)}` }),
    ...(fundsReleasedAt && { released: formatShortDate(fundsReleasedAt) }),
  }
}
