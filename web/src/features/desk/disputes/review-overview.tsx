import type { PublicUser } from '@sought/contract/accounts'
import type { ReplyOf } from '@sought/contract/call'
import type { DeskDispute, getDisputeDetails } from '@sought/contract/disputes'
import type { ReactNode } from 'react'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { describeDelivery } from '../../../shared/deals/delivery-terms.ts'
import { ParcelDetails } from '../../../shared/deals/parcel-details.tsx'
import { ReasonText } from '../../../shared/disputes/dispute-reason.tsx'
import { disputeStatusBadge, disputeTitle } from '../../../shared/disputes/dispute-status.ts'
import { AgreedVersion } from '../../../shared/requests/agreed-version.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Stars } from '../../../ui/display/stars.tsx'
import { describePayout, sayReason } from './bank-case.tsx'

interface ReviewOverviewProps {
  dispute: DeskDispute
  /** Undefined while loading. */
  details: ReplyOf<typeof getDisputeDetails> | undefined
}

export function ReviewOverview({ dispute, details }: ReviewOverviewProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      <Section title="Transaction">
        <Transaction dispute={dispute} />
      </Section>
      <Section title="Parties">
        <div className="grid gap-4 sm:grid-cols-2">
          <Party side="Buyer" person={dispute.buyer} rating={details?.buyerInfo.rating} />
          <Party side="Seller" person={dispute.seller} rating={details?.sellerInfo.rating} />
        </div>
      </Section>
      <Section title="Delivery">
        <p>{describeDelivery(dispute)}</p>
        {dispute.shippedAt ? (
          <ParcelDetails parcel={dispute} />
        ) : (
          <p className="text-ink-soft">
            No shipment was reported
            {dispute.shipBy && `, which was due by ${formatDate(dispute.shipBy)}`}.
          </p>
        )}
      </Section>
      {dispute.disputeReason && (
        <Section title="Reason">
          <ReasonText reason={dispute.disputeReason} />
        </Section>
      )}
      {dispute.chargebacks.length > 0 && (
        <Section title="Chargebacks">
          <Chargebacks dispute={dispute} />
        </Section>
      )}
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-2 font-strong">{title}</h3>
      {children}
    </section>
  )
}

function Transaction({ dispute }: { dispute: DeskDispute }) {
  const { label, tone } = disputeStatusBadge(dispute.deskStatus)
  const { settlement, refundCents, currency } = dispute
  return (
    <DefinitionList
      rows={[
        { label: 'Item', value: disputeTitle(dispute) },
        dispute.wantedItems && {
          label: 'Description',
          value: (
            <>
              <p className="whitespace-pre-line">{dispute.wantedItems.description}</p>
              <AgreedVersion itemId={dispute.wantedItemId} version={dispute.wantedItems.version} />
            </>
          ),
        },
        { label: 'Category', value: dispute.wantedItems?.category || 'Unknown' },
        {
          label: 'Amount',
          value: <span className="font-strong tabular-nums">{formatMoney(dispute.amount, currency)}</span>,
        },
        { label: 'Status', value: <Badge tone={tone}>{label}</Badge> },
        { label: 'Transaction number', value: dispute.transactionNumber },
        { label: 'Paid', value: formatDate(dispute.createdAt) },
        dispute.disputedAt && { label: 'Filed', value: formatDateTime(dispute.disputedAt) },
        settlement && {
          label: 'Settlement',
          value: `Refund of ${formatMoney(settlement.refundAmount, currency)}, proposed by the ${settlement.proposedBy}`,
        },
        refundCents !== null && { label: 'Refund to the buyer', value: formatMoney(refundCents, currency) },
      ]}
    />
  )
}

const outcomeTexts = {
  open: 'the bank decides',
  won: 'the money was returned to us',
  lost: 'the buyer keeps the money',
  closed: 'closed without a chargeback',
  prevented: 'ended before the bank decided',
} as const

function Chargebacks({ dispute }: { dispute: DeskDispute }) {
  return (
    <DefinitionList
      rows={[
        ...dispute.chargebacks.map(({ id, amountCents, reason, outcome, deadline }) => ({
          key: id,
          label: <span className="[overflow-wrap:anywhere]">{id}</span>,
          value: `${formatMoney(amountCents, dispute.currency)}, ${sayReason(reason)}: ${outcomeTexts[outcome]}${
            outcome === 'open' && deadline ? `, evidence until ${formatDateTime(deadline)}` : ''
          }`,
        })),
        { label: 'Payout', value: describePayout(dispute) },
      ]}
    />
  )
}

interface PartyProps {
  side: string
  person: PublicUser
  rating: number | undefined
}

function Party({ side, person, rating }: PartyProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1 rounded-card bg-sunken p-4">
      <p className="text-fine text-ink-soft">{side}</p>
      <p className="font-strong [overflow-wrap:anywhere]">{person.name}</p>
      <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">{person.id}</p>
      {rating !== undefined && <Stars value={rating === 0 ? null : rating} />}
    </div>
  )
}
