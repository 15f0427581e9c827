import type { Currency } from '@sought/contract/currencies'
import type { DealEvent } from '@sought/contract/lookup'
import type { PaymentStatus } from '@sought/contract/payments'
import type { FactName } from '@sought/escrow/provider-facts'
import { getTeamLabel } from '../../../shared/deals/payment-status.ts'
import { disputeActionLabels, formatSettlement } from '../../../shared/disputes/dispute-timeline.tsx'

/** Reports of the card provider, in words for admins. */
const factLabels: Record<FactName | 'fee' | 'chargeback', string> = {
  refunded: 'Refund made in the provider’s dashboard',
  refund_made: 'Refund sent to the buyer’s card',
  refund_failed: 'Refund returned by the buyer’s bank',
  inquiry_opened: 'Inquiry opened by the buyer’s bank',
  inquiry_closed: 'Inquiry closed by the buyer’s bank',
  dispute_opened: 'Chargeback opened',
  dispute_won: 'Chargeback won',
  dispute_prevented: 'Chargeback prevented',
  dispute_lost: 'Chargeback lost',
  transfer_reversed: 'Transfer to the seller reversed in the provider’s dashboard',
  fee: 'Provider fee booked',
  chargeback: 'Money moved for a chargeback',
}

const eventLabels: Record<string, string | undefined> = {
  ...disputeActionLabels,
  payment_started: 'Checkout opened',
  card_charged: 'Card charged, money in escrow',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancel_requested: 'Cancellation requested',
  delivery_confirmed: 'Delivery confirmed',
  funds_released: 'Money released to the seller',
  refund_failed: 'Refund failed',
  refunded: 'Money refunded to the buyer',
  ended: 'Deal ended',
  payout_looked_up: 'Bank details viewed',
  payout_marked_paid: 'Payout marked as paid',
  payout_undone: 'Payout marked as not paid',
  payout_sent_again: 'Payout sent again',
  refund_retried: 'Refund tried again',
  refund_marked_paid: 'Refund marked as paid',
  goodwill_requested: 'Goodwill requested',
  goodwill_approved: 'Goodwill approved',
  goodwill_rejected: 'Goodwill rejected',
  goodwill_paid: 'Goodwill paid',
  ticket_opened: 'Ticket opened',
}

const isOfProvider = ({ key }: DealEvent) => key.startsWith('fact:')

/** Unknown names, which a newer server may send, are shown without underscores. */
const spell = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

export const factLabelOf = (name: string): string => factLabels[name as FactName] ?? spell(name)

export function describeEvent(event: DealEvent, currency: Currency) {
  const { kind, actor, detail } = event
  if (isOfProvider(event))
    return { label: factLabelOf(kind), actor: null, detail: null, technical: `${kind} · ${detail}` }
  return {
    label: eventLabels[kind] ?? spell(kind),
    actor: actor === 'provider' ? 'the card provider' : actor,
    detail: detail && describeDetail(kind, detail, currency),
    technical: null,
  }
}

function describeDetail(kind: string, detail: string, currency: Currency): string {
  switch (kind) {
    case 'ended':
      return getTeamLabel({ status: detail as PaymentStatus })
    case 'refund_failed':
      return spell(detail)
    case 'settlement_proposed':
    case 'settled':
      return formatSettlement(detail, currency)
    default:
      return detail
  }
}
