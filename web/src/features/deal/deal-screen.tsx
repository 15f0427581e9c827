import { paths } from '@sought/contract/paths'
import { refundBuyer } from '@sought/contract/payments'
import { listPayouts } from '@sought/contract/sellers'
import { canDeliver, canShip } from '@sought/escrow/delivery'
import { canMove } from '@sought/escrow/moves'
import { useState } from 'react'
import { Link } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { formatDate } from '../../format/dates.ts'
import { AddressLines } from '../../shared/addresses/address-lines.tsx'
import { parseDelivery } from '../../shared/deals/deal-step.ts'
import { type DealProps, OwnDeal } from '../../shared/deals/own-deal.tsx'
import { ParcelDetails } from '../../shared/deals/parcel-details.tsx'
import { PaymentProgress } from '../../shared/deals/payment-progress.tsx'
import { describeRelease } from '../../shared/deals/payment-state.ts'
import { PaymentNotFound } from '../../shared/deals/payment-unavailable.tsx'
import { PayoutBreakdown } from '../../shared/deals/payout-breakdown.tsx'
import { BackButton } from '../../shared/navigation/back-button.tsx'
import { LinkButton } from '../../shared/navigation/links.tsx'
import { RefundDialog } from '../../shared/refunds/refund-dialog.tsx'
import { getReviewLink } from '../../shared/reviews/review-link.ts'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Button } from '../../ui/forms/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { TitledSection } from '../../ui/layout/titled-section.tsx'
import { CancelButton, getCancellation } from './cancel-deal.tsx'
import { BuyerStep } from './deal-buyer-step.tsx'
import { getDealRows } from './deal-rows.tsx'
import { SellerStep } from './deal-seller-step.tsx'
import { DeliverButton } from './deliver-form.tsx'
import { ShipForm } from './ship-form.tsx'

/** A deal from payment to release, for its buyer and its seller. */
export function DealScreen() {
  return (
    <OwnDeal
      loading={<DealSkeleton />}
      notFound={<PaymentNotFound />}
      errorTitle="The deal could not be loaded"
    >
      {(props) => <DealPage key={props.deal.id} {...props} />}
    </OwnDeal>
  )
}

function DealPage({ deal, party }: DealProps) {
  const { wantedItem } = deal
  const other = party === 'buyer' ? deal.seller : deal.buyer
  // While the seller has to ship, their next step already shows the address.
  const isShipping = party === 'seller' && deal.status === 'held_in_escrow' && deal.shippedAt === null
  return (
    <Page
      title={`Deal with ${other.name}`}
      lead={
        <Link href={paths.item(wantedItem.id)} className="link [overflow-wrap:anywhere]">
          {wantedItem.title}
        </Link>
      }
      back={<BackButton fallback={paths.payments()} />}
      actions={
        <LinkButton to={paths.messages({ itemId: wantedItem.id, userId: other.id })} variant="secondary">
          Open Conversation
        </LinkButton>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
          <Card padding="lg" className="grid grid-cols-[minmax(0,1fr)] gap-8">
            <PaymentProgress payment={deal} reader={party} note={describeRelease(deal, party)} />
            {party === 'buyer' ? <BuyerStep deal={deal} /> : <SellerStep deal={deal} />}
            <ReviewPrompt deal={deal} party={party} />
          </Card>
          {deal.shippedAt && <Parcel deal={deal} party={party} />}
          {deal.deliveryAddress && !isShipping && (
            <TitledSection title="Delivery address">
              <Card>
                <AddressLines address={deal.deliveryAddress} />
              </Card>
            </TitledSection>
          )}
        </div>
        <aside className="grid grid-cols-[minmax(0,1fr)] gap-8">
          <Details deal={deal} party={party} />
          <OtherActions deal={deal} party={party} />
        </aside>
      </div>
    </Page>
  )
}

function ReviewPrompt({ deal, party }: DealProps) {
  const link = getReviewLink(deal, party)
  const other = party === 'buyer' ? deal.seller : deal.buyer
  const isAwaited = party === 'buyer' ? deal.reviewedBySeller : deal.rated
  if (!link || !deal.reviewUntil) return null
  return (
    <div className="grid justify-items-start gap-4 border-line border-t pt-6">
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        {isAwaited
          ? `${other.name} has reviewed you. You can read it once you have written yours.`
          : `How was the deal with ${other.name}?`}{' '}
        You can write a review until {formatDate(deal.reviewUntil)}.
      </p>
      <LinkButton to={link.to}>{link.label}</LinkButton>
    </div>
  )
}

/** The seller can correct the details until the parcel has arrived. */
function Parcel({ deal, party }: DealProps) {
  const [isEditing, setIsEditing] = useState(false)
  const state = { ...parseDelivery(deal), status: deal.status }
  const isSeller = party === 'seller'
  return (
    <TitledSection title="Parcel">
      <Card className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {isEditing && canShip(state) ? (
          <ShipForm deal={deal} onClose={() => setIsEditing(false)} />
        ) : (
          <>
            <ParcelDetails parcel={deal} />
            {isSeller && (
              <div className="flex flex-wrap gap-3 empty:hidden">
                {canDeliver(state) && <DeliverButton deal={deal} />}
                {canShip(state) && (
                  <Button variant="quiet" onClick={() => setIsEditing(true)}>
                    Correct Details
                  </Button>
                )}
              </div>
            )}
          </>
        )}
      </Card>
    </TitledSection>
  )
}

function Details({ deal, party }: DealProps) {
  const { request, person, amount, refunded, status, payout, delivery, number } = getDealRows(deal, party)
  return (
    <TitledSection title="Details">
      <Card className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <DefinitionList
          stacked
          rows={[request, person, amount, ...refunded, status, ...payout, delivery, number]}
        />
        {party === 'seller' && <Payout deal={deal} />}
      </Card>
    </TitledSection>
  )
}

function Payout({ deal }: Pick<DealProps, 'deal'>) {
  const payouts = useRead(listPayouts, { query: { paymentIds: String(deal.id) } })
  return <PayoutBreakdown payment={deal} payout={payouts.data?.[0]} />
}

/** Documents, cancellation, and help with problems. */
function OtherActions({ deal, party }: DealProps) {
  // In these cases the next step already has a button to cancel.
  const isCancelOffered =
    party === 'seller'
      ? deal.cancelRequestedAt !== null
      : getCancellation({ deal, party }, new Date()) === 'cancel'
  return (
    <div className="grid justify-items-start gap-2 empty:hidden">
      {party === 'buyer' && deal.status !== 'pending' && (
        <LinkButton to={paths.receipt(deal.id)} variant="quiet">
          Receipt
        </LinkButton>
      )}
      {party === 'buyer' && canMove(deal.status, 'dispute', 'buyer') && (
        <LinkButton to={paths.disputeReport({ paymentId: deal.id })} variant="quiet">
          Report Issue
        </LinkButton>
      )}
      {deal.refundable && (
        <RefundDialog
          call={refundBuyer}
          deal={deal}
          refundable={deal.refundable}
          reader="seller"
          trigger={<Button variant="quiet">Refund the Buyer</Button>}
        />
      )}
      {!isCancelOffered && <CancelButton deal={deal} party={party} variant="quiet" />}
      <LinkButton to={paths.help({ paymentId: deal.id })} variant="quiet">
        Get Help
      </LinkButton>
    </div>
  )
}

function DealSkeleton() {
  return (
    <Page title="Deal" heading={null}>
      <div role="status" aria-label="Loading..." className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <Skeleton className="h-96" />
        <Skeleton className="h-72" />
      </div>
    </Page>
  )
}
