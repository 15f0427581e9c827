import type { Payment } from '@sought/contract/payments'
import { isReleasedByClock } from '@sought/escrow/delivery'
import type { ReactNode } from 'react'
import { formatShortDate } from '../../format/dates.ts'
import { parseDelivery } from './deal-step.ts'
import { type PathDates, PaymentPath } from './payment-path.tsx'
import { getPaymentPlace, isWaiting, type Party } from './payment-status.ts'

type Shown = Pick<
  Payment,
  | 'status'
  | 'submittedAt'
  | 'method'
  | 'waitingUntil'
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
  const { submittedAt, waitingUntil, shipBy, shippedAt, escrowHoldUntil, fundsReleasedAt } = payment
  const deliveredAt = payment.deliveredAt ?? payment.buyerConfirmedAt
  const releasedBy = isHeld && isReleasedByClock(parseDelivery(payment)) ? escrowHoldUntil : null
  return {
    ...(submittedAt && !isWaiting(payment) && { paid: formatDay(submittedAt) }),
    ...(waitingUntil && { paid: `until ${formatDay(waitingUntil)}` }),
    ...(isHeld && shipBy && { escrow: `Ship by ${formatDay(shipBy)}` }),
    ...(shippedAt && { escrow: `Shipped ${formatDay(shippedAt)}` }),
    ...(deliveredAt && { delivered: formatDay(deliveredAt) }),
    ...(releasedBy && { released: `by ${formatDay(releasedBy)}` }),
    ...(fundsReleasedAt && { released: formatDay(fundsReleasedAt) }),
  }
}

/** The columns of the drawing are narrow: month and day stay on one line. */
const formatDay = (at: string) => formatShortDate(at).replace(' ', '\u00a0')
