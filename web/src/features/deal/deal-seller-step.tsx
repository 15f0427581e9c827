import { rulesOf } from '@sought/contract/currencies'
import type { PaymentDetails } from '@sought/contract/payments'
import { CANCELLED_AFTER_DAYS } from '@sought/escrow/delivery'
import { calculateFees } from '@sought/escrow/fees'
import { useState } from 'react'
import { formatDate, formatShortDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { AddressLines } from '../../shared/addresses/address-lines.tsx'
import { describeBankReview, hasDispute } from '../../shared/deals/payment-state.ts'
import { getPaymentLabel, isWaiting } from '../../shared/deals/payment-status.ts'
import { describeWait } from '../../shared/deals/waiting-payment.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { CancelButton } from './cancel-deal.tsx'
import { CancelReason, DisputedStep, RefundedStep, StepText } from './deal-steps.tsx'
import { HandoverEntry } from './handover.tsx'
import { ShipForm } from './ship-form.tsx'

interface Props {
  deal: PaymentDetails
}

/** The seller's next step. */
export function SellerStep({ deal }: Props) {
  if (deal.status === 'pending') return <Unpaid deal={deal} />
  if (deal.status === 'completed') return <Completed deal={deal} />
  if (deal.status === 'refunded') return <RefundedStep deal={deal} party="seller" />
  if (hasDispute(deal)) return <DisputedStep deal={deal} party="seller" />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {deal.cancelRequestedAt && deal.shippedAt === null && <CancelRequest deal={deal} />}
      {deal.needsCheck && (
        <Notice tone="warning" title="We are checking this payment">
          The money stays in escrow until we are done. Please wait with the delivery.
        </Notice>
      )}
      <Deliver deal={deal} />
    </div>
  )
}

function CancelRequest({ deal }: Props) {
  return (
    <Notice
      tone="warning"
      title={`${deal.buyer.name} asks to cancel this deal`}
      action={<CancelButton deal={deal} party="seller" variant="secondary" />}
    >
      <CancelReason deal={deal} />
      <p className="mt-2">If you ship the item instead, the request ends.</p>
    </Notice>
  )
}

function Deliver({ deal }: Props) {
  if (deal.shippedAt) return <Shipped deal={deal} />
  switch (deal.delivery) {
    case 'shipping':
      return <Ship deal={deal} />
    case 'in_person':
      return <MeetBuyer deal={deal} />
    case 'arranged':
      return <DeliverAsArranged deal={deal} />
  }
}

function Ship({ deal }: Props) {
  const isLate = deal.shipBy !== null && new Date(deal.shipBy) < new Date()
  return (
    <>
      {isLate ? (
        <StepText title="You are late: ship now">
          The item was due by {deal.shipBy && formatDate(deal.shipBy)}. The deal is cancelled{' '}
          {CANCELLED_AFTER_DAYS} days after that date, and {deal.buyer.name} may cancel earlier. It then
          counts as cancelled on your public profile{deal.cancellationFee && ', and you owe the card fee'}.
        </StepText>
      ) : (
        <StepText title={deal.shipBy ? `Ship by ${formatShortDate(deal.shipBy)}` : 'Ship the item'}>
          Send it to this address, then enter the carrier and the tracking number.
        </StepText>
      )}
      {deal.deliveryAddress && (
        <section aria-label="Delivery address" className="rounded-card bg-sunken p-4">
          <AddressLines address={deal.deliveryAddress} />
        </section>
      )}
      <ShipForm deal={deal} />
    </>
  )
}

function Shipped({ deal }: Props) {
  const { name } = deal.buyer
  return deal.deliveredAt ? (
    <StepText title={`Waiting for ${name}`}>
      The item has arrived. {name} checks it and confirms the delivery. You do not need to do anything.
    </StepText>
  ) : (
    <StepText title="On its way">
      We see in the tracking when the parcel has arrived. You can also report it below.
    </StepText>
  )
}

function MeetBuyer({ deal }: Props) {
  const payout = formatMoney(calculateFees(deal.amount, deal, rulesOf(deal.currency)).payout, deal.currency)
  return (
    <>
      <StepText title={`Meet ${deal.buyer.name}`}>
        Hand over the item and enter the code that {deal.buyer.name} shows you. It confirms the delivery, and{' '}
        {payout} is released to you at once.
      </StepText>
      <HandoverEntry deal={deal} />
    </>
  )
}

function DeliverAsArranged({ deal }: Props) {
  const [isShipping, setIsShipping] = useState(false)
  return (
    <>
      <StepText title="Deliver the item">
        Deliver it as you arranged with {deal.buyer.name}. If you ship it, add the tracking number, so that
        you can prove the delivery.
      </StepText>
      {isShipping ? (
        <ShipForm deal={deal} onClose={() => setIsShipping(false)} />
      ) : (
        <Button variant="secondary" className="justify-self-start" onClick={() => setIsShipping(true)}>
          Add Shipment
        </Button>
      )}
    </>
  )
}

function Unpaid({ deal }: Props) {
  if (isWaiting(deal))
    return <StepText title={getPaymentLabel(deal, 'seller')}>{describeWait(deal, 'seller')}</StepText>
  return (
    <StepText title="Don’t deliver yet">
      The payment of {deal.buyer.name} is not in escrow. We will notify you when it is.
    </StepText>
  )
}

function Completed({ deal }: Props) {
  const bankReview = describeBankReview(deal, 'seller')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <StepText title="This deal is complete">
        {formatMoney(calculateFees(deal.amount, deal, rulesOf(deal.currency)).payout, deal.currency)} was
        released to you
        {deal.completedAt && ` on ${formatDate(deal.completedAt)}`}.
      </StepText>
      {bankReview && <Notice tone="warning">{bankReview}</Notice>}
    </div>
  )
}
