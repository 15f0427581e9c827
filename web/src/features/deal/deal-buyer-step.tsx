import { paths } from '@sought/contract/paths'
import type { PaymentDetails } from '@sought/contract/payments'
import { buyerMayCancelFrom, cancelledAutomaticallyAt } from '@sought/escrow/delivery'
import { formatDate, formatShortDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { parseDelivery } from '../../shared/deals/deal-step.ts'
import { describeBankReview, hasDispute } from '../../shared/deals/payment-state.ts'
import { getPaymentLabel, isDraft, isWaiting } from '../../shared/deals/payment-status.ts'
import { describeWait, StopWaiting } from '../../shared/deals/waiting-payment.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { Notice } from '../../ui/feedback/notice.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { CancelButton, getCancellation } from './cancel-deal.tsx'
import { CheckNotice, DisputedStep, RefundedStep, StepText } from './deal-steps.tsx'
import { HandoverCode } from './handover.tsx'

interface Props {
  deal: PaymentDetails
}

/** The buyer's next step. */
export function BuyerStep({ deal }: Props) {
  if (deal.status === 'pending') return <Unpaid deal={deal} />
  if (deal.status === 'completed') return <Completed deal={deal} />
  if (deal.status === 'refunded') return <RefundedStep deal={deal} party="buyer" />
  if (hasDispute(deal)) return <DisputedStep deal={deal} party="buyer" />
  const isAsking = getCancellation({ deal, party: 'buyer' }, new Date()) === 'ask_seller'
  return (
    <div className="grid gap-6">
      {deal.needsCheck && <CheckNotice />}
      {deal.cancelRequestedAt && isAsking && <CancelRequested deal={deal} at={deal.cancelRequestedAt} />}
      <Receive deal={deal} />
    </div>
  )
}

function Receive({ deal }: Props) {
  if (deal.delivery === 'in_person') return <MeetSeller deal={deal} />
  return deal.delivery === 'shipping' && deal.shippedAt === null ? (
    <WaitForParcel deal={deal} />
  ) : (
    <ReceiveItem deal={deal} />
  )
}

function CancelRequested({ deal, at }: Props & { at: string }) {
  return (
    <Notice title={`You asked to cancel on ${formatShortDate(at)}`}>
      If {deal.seller.name} accepts, you get {formatMoney(deal.amount, deal.currency)} back. If the item is
      shipped first, the request ends.
    </Notice>
  )
}

function Unpaid({ deal }: Props) {
  const { wantedItemId: itemId, offerId, amount } = deal
  const checkoutPath = paths.escrowCheckout({ itemId, offerId, amount })
  if (isWaiting(deal)) return <WaitForMoney deal={deal} checkoutPath={checkoutPath} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-5">
      {isDraft(deal) ? (
        <StepText title="Not paid yet">{deal.seller.name} waits for your payment.</StepText>
      ) : (
        <StepText title="Your payment is being processed">
          This page updates when the money is in escrow.
        </StepText>
      )}
      <LinkButton to={checkoutPath} variant={isDraft(deal) ? 'primary' : 'secondary'}>
        Complete Payment
      </LinkButton>
    </div>
  )
}

function WaitForMoney({ deal, checkoutPath }: Props & { checkoutPath: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-5">
      <StepText title={getPaymentLabel(deal, 'buyer')}>{describeWait(deal, 'buyer')}</StepText>
      {deal.waitsFor === 'buyer' && (
        <div className="flex flex-wrap gap-3">
          <LinkButton to={checkoutPath}>Complete Payment</LinkButton>
          <StopWaiting paymentId={deal.id} />
        </div>
      )}
    </div>
  )
}

function WaitForParcel({ deal }: Props) {
  const { name } = deal.seller
  const delivery = parseDelivery(deal)
  const mayCancelFrom = buyerMayCancelFrom(delivery)
  const endsAt = cancelledAutomaticallyAt(delivery)
  const amount = formatMoney(deal.amount, deal.currency)
  const now = new Date()
  const isLate = delivery.shipBy !== null && delivery.shipBy < now
  const mayCancel = mayCancelFrom !== null && mayCancelFrom <= now
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-5">
      {isLate ? (
        <StepText title={`${name} is late`}>
          The item was due to be shipped by {deal.shipBy && formatDate(deal.shipBy)}.{' '}
          {mayCancel
            ? `You can cancel now and get ${amount} back.`
            : mayCancelFrom &&
              `From ${formatShortDate(mayCancelFrom.toISOString())} you can cancel without their consent.`}{' '}
          {endsAt &&
            `If nothing is shipped, you get ${amount} back automatically on ${formatShortDate(endsAt.toISOString())}.`}
        </StepText>
      ) : (
        <StepText
          title={deal.shipBy ? `${name} ships by ${formatShortDate(deal.shipBy)}` : `${name} ships next`}
        >
          We will notify you when the item is on its way. Until then, your money stays in escrow.
        </StepText>
      )}
      <div className="flex flex-wrap gap-3">
        {mayCancel && <CancelButton deal={deal} party="buyer" variant="primary" />}
        {!deal.needsCheck && (
          <LinkButton to={paths.delivery(deal.id)} variant="quiet">
            Already Received It?
          </LinkButton>
        )}
      </div>
    </div>
  )
}

function ReceiveItem({ deal }: Props) {
  const isDelivered = deal.deliveredAt !== null
  const amount = formatMoney(deal.amount, deal.currency)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-5">
      <StepText
        title={
          isDelivered
            ? 'Check the item'
            : deal.shippedAt
              ? 'On its way to you'
              : 'Have you received the item?'
        }
      >
        {deal.shippedAt && !isDelivered
          ? 'When it has arrived, check it and confirm the delivery.'
          : 'If it is as described, confirm the delivery.'}{' '}
        Once you confirm, {amount} is released to {deal.seller.name}.
      </StepText>
      <div className="flex flex-wrap gap-3">
        {!deal.needsCheck && <LinkButton to={paths.delivery(deal.id)}>Confirm Delivery</LinkButton>}
        {deal.trackingUrl && !isDelivered && (
          <Button asChild variant="secondary">
            <a href={deal.trackingUrl} target="_blank" rel="noreferrer">
              Track Parcel
            </a>
          </Button>
        )}
      </div>
    </div>
  )
}

function MeetSeller({ deal }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <StepText title={`Meet ${deal.seller.name} and show this code`}>
        Check the item first. When {deal.seller.name} enters the code, the delivery is confirmed and{' '}
        {formatMoney(deal.amount, deal.currency)} is released. This cannot be undone.
      </StepText>
      {deal.handoverCode && <HandoverCode deal={deal} code={deal.handoverCode} />}
      {!deal.needsCheck && (
        <LinkButton to={paths.delivery(deal.id)} variant="quiet" className="justify-self-start">
          Confirm Without the Code
        </LinkButton>
      )}
    </div>
  )
}

function Completed({ deal }: Props) {
  const bankReview = describeBankReview(deal, 'buyer')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-5">
      <StepText title="This deal is complete">
        {formatMoney(deal.amount, deal.currency)} was released to {deal.seller.name}
        {deal.completedAt && ` on ${formatDate(deal.completedAt)}`}.
      </StepText>
      {bankReview && <Notice tone="warning">{bankReview}</Notice>}
    </div>
  )
}
