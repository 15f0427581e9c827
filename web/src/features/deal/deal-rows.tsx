import type { PaymentWithItem } from '@sought/contract/payments'
import { formatDateTime } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { describeDelivery } from '../../shared/deals/delivery-terms.ts'
import { getPaymentLabel, type Party, paymentTones } from '../../shared/deals/payment-status.ts'
import { TransactionNumber } from '../../shared/deals/transaction-number.tsx'
import { PersonLink } from '../../shared/people/person-link.tsx'
import { AgreedVersion } from '../../shared/requests/agreed-version.tsx'
import { Badge } from '../../ui/display/badge.tsx'

/** The details of a deal that the deal screen and the delivery screen both show. */
export function getDealRows(deal: PaymentWithItem, party: Party) {
  const other = party === 'buyer' ? deal.seller : deal.buyer
  return {
    request: {
      key: 'request',
      label: 'Request',
      value: <AgreedVersion itemId={deal.wantedItemId} version={deal.wantedItem.version} />,
    },
    person: {
      label: party === 'buyer' ? 'Seller' : 'Buyer',
      value: <PersonLink person={other} className="link" />,
    },
    amount: {
      label: 'Amount',
      value: <span className="font-strong tabular-nums">{formatMoney(deal.amount, deal.currency)}</span>,
    },
    refunded:
      deal.refundedAmount > 0 && deal.status !== 'refunded'
        ? [{ label: 'Refunded', value: formatMoney(deal.refundedAmount, deal.currency) }]
        : [],
    status: {
      label: 'Status',
      value: <Badge tone={paymentTones[deal.status]}>{getPaymentLabel(deal, party)}</Badge>,
    },
    /** Only until then, because the payout itself says it afterwards. */
    payout:
      deal.payoutWaitsUntil && new Date(deal.payoutWaitsUntil) > new Date()
        ? [{ label: 'Seller is paid at the earliest on', value: formatDateTime(deal.payoutWaitsUntil) }]
        : [],
    delivery: { label: 'Delivery', value: describeDelivery(deal) },
    number: { label: 'Transaction number', value: <TransactionNumber value={deal.transactionNumber} /> },
  }
}
