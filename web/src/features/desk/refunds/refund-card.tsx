import type { StuckRefund } from '@sought/contract/refunds'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatCents } from '../../../format/money.ts'
import { TransactionNumber } from '../../../shared/deals/transaction-number.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Money } from '../../../ui/display/money.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { AdminSteps } from '../shared/admin-steps.tsx'
import { DealLink, DeskPersonLink } from '../shared/desk-links.tsx'
import { describeReason } from './failure-reason.ts'
import { MarkPaidButton, RetryButton } from './refund-actions.tsx'

export function RefundCard({ refund }: { refund: StuckRefund }) {
  return (
    <Card asChild>
      <article aria-label={`Refund to ${refund.buyer.name}`} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 grow basis-64">
            <h2 className="font-display font-strong text-lead [overflow-wrap:anywhere]">
              <DeskPersonLink person={refund.buyer} />
            </h2>
            <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">
              <DealLink paymentId={refund.paymentId}>{refund.itemTitle}</DealLink> ·{' '}
              <TransactionNumber value={refund.transactionNumber} />
            </p>
          </div>
          <Money
            amount={formatCents(refund.amount, refund.currency)}
            where={describeState(refund)}
            size="title"
            className="sm:justify-items-end"
          />
        </header>
        {refund.status !== 'paid' && <Details refund={refund} />}
        <AdminSteps steps={refund.steps} labels={stepLabels} />
        {refund.status !== 'paid' && <Actions refund={refund} />}
      </article>
    </Card>
  )
}

function describeState({ status, failedAt, nextTryAt, paidAt }: StuckRefund): string {
  switch (status) {
    case 'failed':
      return failedAt ? `Failed ${formatDate(failedAt)}` : 'Failed'
    case 'retrying':
      return nextTryAt ? `Next try ${formatDateTime(nextTryAt)}` : 'Trying again'
    case 'paid':
      return paidAt ? `Paid ${formatDate(paidAt)}` : 'Paid'
  }
}

function Details({ refund: { reason, attempts, buyerEmail } }: { refund: StuckRefund }) {
  return (
    <DefinitionList
      className="border-line border-y py-1 [overflow-wrap:anywhere]"
      rows={[
        { key: 'reason', label: 'Reason', value: describeReason(reason) },
        { key: 'attempts', label: 'Failed attempts', value: attempts },
        ...(buyerEmail
          ? [
              {
                key: 'email',
                label: 'Buyer’s email',
                value: (
                  <a className="link" href={`mailto:${buyerEmail}`}>
                    {buyerEmail}
                  </a>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}

function Actions({ refund }: { refund: StuckRefund }) {
  if (refund.bankDecides) {
    return (
      <Notice tone="warning">
        The buyer’s bank is reviewing this payment. You can refund it once the bank has decided.
      </Notice>
    )
  }
  return (
    <div className="flex flex-wrap gap-3">
      <RetryButton refund={refund} />
      <MarkPaidButton refund={refund} />
    </div>
  )
}

const stepLabels = {
  retried: 'Tried again',
  marked_paid: 'Marked as paid',
} satisfies Record<StuckRefund['steps'][number]['action'], string>
