import { describePayoutFailure } from '@sought/contract/account-health'
import type { ManualPayout } from '@sought/contract/payouts'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { AdminSteps } from '../shared/admin-steps.tsx'
import { DeskPersonLink } from '../shared/desk-links.tsx'
import { MoneyCard } from '../shared/money-card.tsx'
import { BankDetailsButton } from './bank-details-button.tsx'
import { MarkPaidButton, SendAgainButton, UndoButton } from './payout-actions.tsx'
import { canUndo } from './payout-undo.ts'

const regions = new Intl.DisplayNames('en', { type: 'region' })

export function PayoutCard({ payout }: { payout: ManualPayout }) {
  return (
    <MoneyCard
      label={`Payout to ${payout.seller.name}`}
      title={<DeskPersonLink person={payout.seller} />}
      of={payout}
      state={describeState(payout)}
    >
      <Destination payout={payout} />
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
    </MoneyCard>
  )
}

function describeState({ status, paidAt, createdAt }: ManualPayout): string {
  if (status === 'reversed') return 'Came back to us'
  if (status === 'failed') return 'Came back to the seller’s account'
  return paidAt ? `Paid ${formatDate(paidAt)}` : `Owed since ${formatDate(createdAt)}`
}

function Waiting({ until }: { until: string }) {
  return (
    <Notice tone="warning" title={`Do not pay before ${formatDateTime(until)}`}>
      The seller is new or has changed their payout account, so payouts wait.
    </Notice>
  )
}

function Destination({ payout }: { payout: ManualPayout }) {
  if (payout.status === 'reversed') return <Reversed />
  if (payout.status === 'failed') return <Failed failure={payout.failure ?? null} />
  if (payout.status === 'unclaimed') return <Unclaimed />
  return <BankAccount payout={payout} />
}

function Unclaimed() {
  return (
    <p className="text-ink-soft">
      The seller has not set up payouts. We remind them, and pay them as soon as they have.
    </p>
  )
}

function Failed({ failure }: { failure: string | null }) {
  return (
    <p className="text-ink-soft">
      Failed at the seller’s bank: {describePayoutFailure(failure)} The money is in the seller’s connected
      account, and the card provider sends it again once the seller has corrected the bank account. The seller
      was told.
    </p>
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
