import type { ManualPayout } from '@sought/contract/payouts'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatCents } from '../../../format/money.ts'
import { TransactionNumber } from '../../../shared/deals/transaction-number.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Money } from '../../../ui/display/money.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { AdminSteps } from '../shared/admin-steps.tsx'
import { DealLink, DeskPersonLink } from '../shared/desk-links.tsx'
import { BankDetailsButton } from './bank-details-button.tsx'
import { MarkPaidButton, SendAgainButton, UndoButton } from './payout-actions.tsx'
import { canUndo } from './payout-undo.ts'

const regions = new Intl.DisplayNames('en', { type: 'region' })

export function PayoutCard({ payout }: { payout: ManualPayout }) {
  return (
    <Card asChild>
      <article
        aria-label={`Payout to ${payout.seller.name}`}
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
      >
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 grow basis-64">
            <h2 className="font-display font-strong text-lead [overflow-wrap:anywhere]">
              <DeskPersonLink person={payout.seller} />
            </h2>
            <p className="mt-1 text-ink-soft [overflow-wrap:anywhere]">
              <DealLink paymentId={payout.paymentId}>{payout.itemTitle}</DealLink> ·{' '}
              <TransactionNumber value={payout.transactionNumber} />
            </p>
          </div>
          <Money
            amount={formatCents(payout.amount, payout.currency)}
            where={describeState(payout)}
            size="title"
            className="sm:justify-items-end"
          />
        </header>
        {payout.status === 'reversed' ? <Reversed /> : <BankAccount payout={payout} />}
        <AdminSteps steps={payout.steps} labels={stepLabels} />
        {payout.waitsUntil && <Waiting until={payout.waitsUntil} />}
        {payout.status === 'owed' && !payout.waitsUntil && (
          <div className="flex flex-wrap gap-3">
            <MarkPaidButton payout={payout} />
            {payout.accountHolderName && <BankDetailsButton payout={payout} />}
          </div>
        )}
        {payout.status === 'reversed' && <SendAgainButton payout={payout} />}
        {payout.status === 'paid' && canUndo(payout, new Date()) && <UndoButton payout={payout} />}
      </article>
    </Card>
  )
}

function describeState({ status, paidAt, createdAt }: ManualPayout): string {
  if (status === 'reversed') return 'Came back to us'
  return paidAt ? `Paid ${formatDate(paidAt)}` : `Owed since ${formatDate(createdAt)}`
}

function Waiting({ until }: { until: string }) {
  return (
    <Notice tone="warning" title={`Do not pay before ${formatDateTime(until)}`}>
      The seller is new or has changed their payout account, so payouts wait.
    </Notice>
  )
}

function Reversed() {
  return (
    <p className="text-ink-soft">
      The transfer was reversed in the dashboard of the card provider. It is not sent again automatically.
    </p>
  )
}

function BankAccount({ payout }: { payout: ManualPayout }) {
  const { accountHolderName, accountLast4, bankName, country } = payout
  if (!accountHolderName) {
    return <p className="text-ink-soft">The seller has removed their bank details.</p>
  }
  return (
    <DefinitionList
      className="border-line border-y py-1 [overflow-wrap:anywhere]"
      rows={[
        { label: 'Account holder', value: accountHolderName },
        { label: 'Account', value: <span className="tabular-nums">•••• {accountLast4}</span> },
        bankName && { label: 'Bank', value: bankName },
        country && { label: 'Country', value: regions.of(country) ?? country },
      ]}
    />
  )
}

const stepLabels = {
  looked_up: 'Bank details viewed',
  marked_paid: 'Marked as paid',
  undone: 'Undone',
  sent_again: 'Sent again',
} satisfies Record<ManualPayout['steps'][number]['action'], string>
