import { publicName } from '../../users/public-user.ts'
import type { DealRecords } from './deal-queries.ts'
import type { Deal } from './presenters.ts'

export interface Event {
  key: string
  kind: string
  at: Date
  actor: string | null
  detail: string | null
}

/** Everything that happened to a deal, newest first. */
export function buildTimeline(deal: Deal, records: DealRecords): Event[] {
  const events = [
    ...momentsOf(deal),
    ...records.disputeSteps.map(({ entry, person }) => ({
      key: `dispute:${entry.id}`,
      kind: entry.action,
      at: entry.timestamp,
      actor: person ? publicName(person) : entry.actor,
      detail: entry.details,
    })),
    ...records.payoutSteps.map(({ step, admin }) => ({
      key: `payout:${step.id}`,
      kind: `payout_${step.action}`,
      at: step.createdAt,
      actor: publicName(admin),
      detail: step.reference,
    })),
    ...records.refundSteps.map(({ step, admin }) => ({
      key: `refund:${step.id}`,
      kind: `refund_${step.action}`,
      at: step.createdAt,
      actor: publicName(admin),
      detail: step.reference,
    })),
    ...records.facts.map(({ key, createdAt }) => {
      const [name = '', objectId = ''] = key.split(':')
      return { key: `fact:${key}`, kind: name, at: createdAt, actor: 'provider', detail: objectId }
    }),
    ...records.goodwill.flatMap(({ goodwill, admin }) => goodwillEvents(goodwill, publicName(admin))),
    ...records.tickets.map(({ id, subject, createdAt }) => ({
      key: `ticket:${id}`,
      kind: 'ticket_opened',
      at: createdAt,
      actor: null,
      detail: subject,
    })),
  ]
  // The list is in the order in which events can happen. It is reversed before it is sorted, so that of two
  // events at the same time the later step comes first.
  return events.reverse().sort((a, b) => b.at.getTime() - a.at.getTime())
}

/** The events whose times are stored in the payment. */
function momentsOf({ payment, buyer, seller }: Deal): Event[] {
  const [buyerName, sellerName] = [publicName(buyer), publicName(seller)]
  const moments: [kind: string, at: Date | null, actor: string | null, detail?: string | null][] = [
    ['payment_started', payment.createdAt, buyerName],
    ['card_charged', chargedAtOf(payment), null],
    ['shipped', payment.shippedAt, sellerName, payment.trackingNumber],
    ['delivered', payment.deliveredAt, null],
    ['cancel_requested', payment.cancelRequestedAt, buyerName, payment.cancelReason],
    ['delivery_confirmed', payment.buyerConfirmedAt, buyerName],
    ['funds_released', payment.fundsReleasedAt, null],
    ['refund_failed', payment.refundFailedAt, 'provider', payment.refundFailure],
    ['refunded', payment.refundedAt, null],
    ['ended', payment.endedAt, null, payment.status],
  ]
  return moments.flatMap(([kind, at, actor, detail = null]) =>
    at ? { key: `payment:${kind}`, kind, at, actor, detail } : [],
  )
}

/** The provider's times have no milliseconds, so a charge can seem older than its payment. */
function chargedAtOf({ chargedAt, createdAt }: Deal['payment']): Date | null {
  return chargedAt && chargedAt < createdAt ? createdAt : chargedAt
}

type Goodwill = DealRecords['goodwill'][number]['goodwill']

function goodwillEvents(goodwill: Goodwill, admin: string): Event[] {
  const { id, createdAt, reason, status, decidedAt, note, paidAt, paidReference } = goodwill
  const event = (kind: string, at: Date, actor: string | null, detail: string | null) => ({
    key: `goodwill:${id}:${kind}`,
    kind,
    at,
    actor,
    detail,
  })
  return [
    event('goodwill_requested', createdAt, admin, reason),
    ...(decidedAt
      ? [event(status === 'done' ? 'goodwill_approved' : 'goodwill_rejected', decidedAt, null, note)]
      : []),
    ...(paidAt ? [event('goodwill_paid', paidAt, null, paidReference)] : []),
  ]
}
