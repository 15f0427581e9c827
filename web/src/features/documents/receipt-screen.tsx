import { exportReceipt, getReceipt, type Receipt } from '@sought/contract/documents'
import { PathId } from '@sought/contract/fields'
import type { PaymentStatus } from '@sought/contract/payments'
import { useParams } from 'wouter'
import { useRead } from '../../data/calls.ts'
import { getUrl } from '../../data/client.ts'
import { formatUtcDate } from '../../format/dates.ts'
import { formatMoney } from '../../format/money.ts'
import { Loaded } from '../../shared/loading/loaded.tsx'
import { DefinitionList } from '../../ui/display/definition-list.tsx'
import { DocumentNotFound, DocumentPage } from './document-page.tsx'

/** The receipt of a payment, for its buyer. */
export function ReceiptScreen() {
  const { id } = useParams<{ id: string }>()
  const isId = PathId.safeParse(id).success
  const receipt = useRead(getReceipt, { params: { id } }, { enabled: isId })
  if (!isId) return <ReceiptNotFound />
  return (
    <Loaded query={receipt} notFound={<ReceiptNotFound />} errorTitle="The receipt could not be loaded">
      {(it) => <ReceiptPage receipt={it} />}
    </Loaded>
  )
}

function ReceiptNotFound() {
  return (
    <DocumentNotFound title="Receipt Not Found">
      Only the buyer of a payment can see its receipt, once it is paid.
    </DocumentNotFound>
  )
}

function ReceiptPage({ receipt }: { receipt: Receipt }) {
  const csvUrl = getUrl(exportReceipt, { params: { id: String(receipt.paymentId) } })
  return (
    <DocumentPage title="Receipt" number={receipt.number} issuer={receipt.issuer} csvUrl={csvUrl}>
      <DefinitionList
        rows={[
          { label: 'Item', value: receipt.itemTitle },
          { label: 'Description', value: receipt.itemDescription },
          { label: 'Buyer', value: receipt.buyerName },
          { label: 'Seller', value: receipt.sellerName },
          { label: 'Transaction number', value: receipt.transactionNumber },
          { label: 'Status', value: statusTexts[receipt.status] },
          { label: 'Paid on', value: formatUtcDate(receipt.paidAt) },
          { label: 'Issued on', value: formatUtcDate(receipt.issuedAt) },
        ]}
      />
      <Amounts receipt={receipt} />
      {receipt.release && <Division release={receipt.release} currency={receipt.currency} />}
    </DocumentPage>
  )
}

const statusTexts = {
  pending: 'Not paid yet',
  held_in_escrow: 'Held in escrow',
  completed: 'Released to the seller',
  refunded: 'Refunded to the buyer',
  disputed: 'Held in escrow during a dispute',
  under_review: 'Held in escrow during a dispute',
  resolved_buyer: 'Refunded after a dispute',
  resolved_seller: 'Released to the seller after a dispute',
  resolved_partial: 'Divided after a dispute',
} satisfies Record<PaymentStatus, string>

const returnLabels = {
  refund: 'Refund',
  refund_failed: 'Refund failed',
  chargeback: 'Returned by your bank',
  chargeback_won: 'Charged again by your bank',
} satisfies Record<Receipt['returns'][number]['kind'], string>

function Amounts({ receipt }: { receipt: Receipt }) {
  const format = (cents: number) => formatMoney(cents, receipt.currency)
  return (
    <section aria-label="Amount">
      <h2 className="mb-2 font-display font-strong text-lead">Amount</h2>
      <DefinitionList
        figures
        rows={[
          { label: 'Price', value: format(receipt.price) },
          ...receipt.returns.map(({ id, at, kind, amount }) => ({
            key: `${id}`,
            label: returnLabels[kind],
            note: formatUtcDate(at),
            value: format(-amount),
          })),
          { label: 'Total paid', value: format(receipt.total), total: true },
        ]}
      />
    </section>
  )
}

type Release = NonNullable<Receipt['release']>

function Division({ release, currency }: { release: Release; currency: Receipt['currency'] }) {
  const format = (cents: number) => formatMoney(cents, currency)
  return (
    <section aria-label="Where the money went">
      <h2 className="font-display font-strong text-lead">Where the money went</h2>
      <p className="mb-2 text-ink-soft">
        Released on {formatUtcDate(release.at)}. The fees are part of the price.
      </p>
      <DefinitionList
        figures
        rows={[
          { label: 'To the seller', value: format(release.toSeller) },
          { label: 'Platform fee', value: format(release.platformFee) },
          { label: 'Card processing', value: format(release.processingFee) },
        ]}
      />
    </section>
  )
}
