import { type DeskDispute, resolveDispute } from '@sought/contract/disputes'
import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useAction } from '../../../data/use-action.ts'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { describeTimeLeft, isPast } from '../../../format/time-left.ts'
import { TransactionNumber } from '../../../shared/deals/transaction-number.tsx'
import { ReasonExcerpt } from '../../../shared/disputes/dispute-reason.tsx'
import { disputeStatusBadge, disputeTitle, isResolved } from '../../../shared/disputes/dispute-status.ts'
import { PersonLink } from '../../../shared/people/person-link.tsx'
import { useNow } from '../../../shared/time/use-now.ts'
import { Avatar } from '../../../ui/display/avatar.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Money } from '../../../ui/display/money.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { Checkbox } from '../../../ui/forms/checkbox.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { explainUnresolved, resolvedToast } from '../shared/resolution.ts'
import { BankCase } from './bank-case.tsx'
import { canRule, selectLabel } from './bulk-dialog.tsx'
import { FraudCase } from './fraud-case.tsx'
import { LongHold } from './long-hold.tsx'
import { priorityBadges, priorityOf } from './priority.ts'
import { ReviewButton } from './review-dialog.tsx'

const REVIEW_NOTE = 'Dispute marked as under review by admin'

interface DisputeCardProps {
  dispute: DeskDispute
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
}

export function DisputeCard({ dispute, isSelected, onSelect }: DisputeCardProps) {
  return (
    <Card asChild>
      <article aria-label={`Dispute #${dispute.id}`} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className="grid min-w-0 grow basis-64 gap-2">
            <div className="flex items-start gap-3">
              {canRule(dispute) && (
                <Checkbox
                  label={<span className="sr-only">{selectLabel(dispute)}</span>}
                  checked={isSelected}
                  onChange={({ target }) => onSelect(target.checked)}
                />
              )}
              <Badges dispute={dispute} />
            </div>
            <h2 className="font-display font-strong text-lead [overflow-wrap:anywhere]">
              <Link href={paths.item(dispute.wantedItemId)} className="text-inherit hover:text-accent">
                {disputeTitle(dispute)}
              </Link>
            </h2>
          </div>
          <Money
            amount={formatMoney(dispute.amount, dispute.currency)}
            where={`Submitted ${formatDate(dispute.updatedAt)}`}
            size="title"
            className="sm:justify-items-end"
          />
        </header>
        {dispute.disputeReason && (
          <div className="border-line border-y py-3">
            <ReasonExcerpt reason={dispute.disputeReason} />
          </div>
        )}
        <BankCase dispute={dispute} />
        <FraudCase dispute={dispute} />
        <LongHold dispute={dispute} />
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-fine sm:grid-cols-3">
          <Fact label="Buyer">
            <PersonLink person={dispute.buyer} className="link" />
          </Fact>
          <Fact label="Seller">
            <PersonLink person={dispute.seller} className="link" />
          </Fact>
          {!isResolved({ status: dispute.deskStatus }) && (
            <Fact label="Assigned to">
              <Assignee of={dispute} />
            </Fact>
          )}
          <Fact label="Category">{dispute.wantedItems?.category || 'Unknown'}</Fact>
          <Fact label="Transaction number">
            <TransactionNumber value={dispute.transactionNumber} />
          </Fact>
        </dl>
        <div className="flex flex-wrap gap-3">
          <ReviewButton dispute={dispute} />
          {dispute.status === 'disputed' && <MarkReviewingButton dispute={dispute} />}
        </div>
      </article>
    </Card>
  )
}

function MarkReviewingButton({ dispute }: { dispute: DeskDispute }) {
  const { run, isPending } = useAction(resolveDispute, {
    success: resolvedToast('under_review'),
    failure: explainUnresolved,
  })
  return (
    <Button
      variant="secondary"
      size="sm"
      busy={isPending}
      onClick={() =>
        void run({
          params: { id: String(dispute.id) },
          body: { disputeId: dispute.id, action: 'under_review', note: REVIEW_NOTE },
        })
      }
    >
      Mark Reviewing
    </Button>
  )
}

function Assignee({ of: { assignee } }: { of: DeskDispute }) {
  if (!assignee) return 'Nobody'
  return (
    <span className="inline-flex items-center gap-2">
      <Avatar name={assignee.name} imageUrl={assignee.profileImageUrl} size="sm" />
      {assignee.name}
    </span>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft">{label}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

function Badges({ dispute }: { dispute: DeskDispute }) {
  const { deskStatus: status } = dispute
  const { label, tone } = disputeStatusBadge(status)
  const priority = priorityBadges[priorityOf(dispute, new Date())]
  return (
    <p className="flex flex-wrap items-center gap-2">
      <span className="mr-1 font-strong text-fine tabular-nums">Dispute #{dispute.id}</span>
      <Badge tone={tone}>{label}</Badge>
      <Badge tone={isResolved({ status }) ? 'outline' : priority.tone}>{priority.label}</Badge>
      <DueBadge dispute={dispute} />
    </p>
  )
}

const SOON_MS = 4 * 3_600_000

/** Counts down to the next time that we promised the parties. */
function DueBadge({ dispute: { dueAt } }: { dispute: DeskDispute }) {
  const now = useNow()
  if (dueAt === null) return null
  const isOverdue = isPast(dueAt, now)
  const isSoon = isPast(dueAt, new Date(now.getTime() + SOON_MS))
  const left = describeTimeLeft(dueAt, now)
  return (
    <Badge tone={isOverdue ? 'danger' : isSoon ? 'attention' : 'outline'}>
      <time dateTime={dueAt} title={formatDateTime(dueAt)}>
        {isOverdue ? `Overdue, was due ${left}` : `Due ${left}`}
      </time>
    </Badge>
  )
}
