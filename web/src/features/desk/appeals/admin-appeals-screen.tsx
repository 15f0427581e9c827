import {
  type AdminAppeal,
  AppealAnswer,
  decideAppeal,
  listAppeals,
  RULING_NOTE_MAX_LENGTH,
} from '@sought/contract/casework'
import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useReadPages } from '../../../data/calls.ts'
import { useSession } from '../../../data/session.ts'
import { explainFailure } from '../../../data/use-action.ts'
import { formatDate, formatDateTime } from '../../../format/dates.ts'
import { formatMoney } from '../../../format/money.ts'
import { TransactionNumber } from '../../../shared/deals/transaction-number.tsx'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { ConfirmForm } from '../../../shared/forms/form-dialog.tsx'
import { PagedList } from '../../../shared/loading/paged-list.tsx'
import { PersonLink } from '../../../shared/people/person-link.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { DefinitionList } from '../../../ui/display/definition-list.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Notice } from '../../../ui/feedback/notice.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { TextArea } from '../../../ui/forms/text-area.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { rulingLabels } from '../shared/resolution.ts'

const PAGE_SIZE = 20

export function AdminAppealsScreen() {
  return (
    <PagedList
      pages={useReadPages(listAppeals, { limit: String(PAGE_SIZE) })}
      label="Appeals"
      empty={
        <EmptyState drawing="letters" title="No appeals">
          Nobody has appealed against a ruling yet.
        </EmptyState>
      }
    >
      {(appeal) => (
        <li key={appeal.id}>
          <AppealCard appeal={appeal} />
        </li>
      )}
    </PagedList>
  )
}

function AppealCard({ appeal }: { appeal: AdminAppeal }) {
  const { id, by, paymentId, title, reason, createdAt, decision } = appeal
  const money = (cents: number) => formatMoney(cents, appeal.currency)
  return (
    <Card asChild>
      <article aria-label={`Appeal #${id}`} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <header className="grid gap-2">
          <p className="flex flex-wrap items-center gap-2">
            <span className="mr-1 font-strong text-fine tabular-nums">Appeal #{id}</span>
            <DecisionBadge decision={decision} />
            <Badge tone="outline">By the {by}</Badge>
          </p>
          <h2 className="font-display font-strong text-lead [overflow-wrap:anywhere]">
            <Link
              href={paths.adminDisputes({ search: String(paymentId) })}
              className="text-inherit hover:text-accent"
            >
              {title}
            </Link>
          </h2>
        </header>
        <Quote title={`${appeal[by].name} appealed on ${formatDate(createdAt)}`}>{reason}</Quote>
        <Quote title={describeRuling(appeal)}>{appeal.rulingNote}</Quote>
        <DefinitionList
          figures
          rows={[
            { label: 'In escrow before the ruling', value: money(appeal.amount) },
            { label: 'Refund to the buyer', value: money(appeal.refund) },
            { label: 'Paid to the seller', value: money(appeal.payout) },
            {
              label: decision === 'overturn' ? `Paid to the ${by} by us` : `At stake for the ${by}`,
              value: money(appeal.stake),
            },
          ]}
        />
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-fine sm:grid-cols-3">
          <Fact label="Buyer">
            <PersonLink person={appeal.buyer} className="link" />
          </Fact>
          <Fact label="Seller">
            <PersonLink person={appeal.seller} className="link" />
          </Fact>
          <Fact label="Transaction number">
            <TransactionNumber value={appeal.transactionNumber} />
          </Fact>
        </dl>
        {decision ? <Decided appeal={appeal} /> : <Undecided appeal={appeal} />}
      </article>
    </Card>
  )
}

function DecisionBadge({ decision }: Pick<AdminAppeal, 'decision'>) {
  if (decision === null) return <Badge tone="attention">Open</Badge>
  return decision === 'uphold' ? (
    <Badge tone="outline">Ruling upheld</Badge>
  ) : (
    <Badge tone="accent">Ruling overturned</Badge>
  )
}

function describeRuling({ ruling, ruledBy, ruledAt }: AdminAppeal): string {
  const who = ruledBy?.name ?? 'An admin'
  return `${who} ruled on ${formatDate(ruledAt)}${ruling ? `: ${rulingLabels[ruling].toLowerCase()}` : ''}`
}

function Quote({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="rounded-card bg-sunken p-4">
      <p className="text-fine text-ink-soft [overflow-wrap:anywhere]">{title}</p>
      {children && <p className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{children}</p>}
    </div>
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

function Decided({ appeal: { decision, decidedAt, decidedBy, note } }: { appeal: AdminAppeal }) {
  return (
    <Notice
      tone={decision === 'overturn' ? 'success' : 'info'}
      title={`${decision === 'overturn' ? 'Overturned' : 'Upheld'} by ${decidedBy?.name ?? 'an admin'}${
        decidedAt ? ` on ${formatDateTime(decidedAt)}` : ''
      }`}
    >
      <span className="whitespace-pre-line [overflow-wrap:anywhere]">{note}</span>
    </Notice>
  )
}

function Undecided({ appeal }: { appeal: AdminAppeal }) {
  const session = useSession()
  const userId = session.state === 'signed-in' ? session.user.id : null
  if (userId === appeal.ruledBy?.id)
    return <p className="text-ink-soft">You made this ruling. Another admin must decide.</p>
  if (userId === appeal.buyer.id || userId === appeal.seller.id)
    return <p className="text-ink-soft">You are a party to this deal. Another admin must decide.</p>
  return (
    <div className="flex flex-wrap gap-3">
      <DecideButton appeal={appeal} decision="uphold" />
      <DecideButton appeal={appeal} decision="overturn" />
    </div>
  )
}

interface DecideButtonProps {
  appeal: AdminAppeal
  decision: 'uphold' | 'overturn'
}

function DecideButton({ appeal, decision }: DecideButtonProps) {
  const form = useContractForm(decideAppeal, {
    schema: AppealAnswer,
    values: { note: '' },
    input: (body) => ({ params: { id: String(appeal.id) }, body: { ...body, decision } }),
    success: { title: 'Appeal Decided', description: 'Both parties are notified.' },
    failure: explainFailure('The appeal was not decided'),
  })
  const isOverturn = decision === 'overturn'
  const stake = formatMoney(appeal.stake, appeal.currency)
  return (
    <ConfirmForm
      form={form}
      title={isOverturn ? 'Overturn the ruling?' : 'Uphold the ruling?'}
      description={
        isOverturn
          ? `The platform owes ${appeal[appeal.by].name} ${stake} from its own money. The other party keeps what they got. This cannot be undone.`
          : 'The ruling stays and no money moves. This cannot be undone.'
      }
      confirmLabel={isOverturn ? `Overturn and Pay ${stake}` : 'Uphold the Ruling'}
      trigger={
        <Button variant={isOverturn ? 'primary' : 'secondary'} size="sm">
          {isOverturn ? 'Overturn' : 'Uphold'}
        </Button>
      }
    >
      <TextArea
        label="Reason"
        hint="Both parties can read this."
        rows={4}
        maxLength={RULING_NOTE_MAX_LENGTH}
        {...form.field('note')}
      />
    </ConfirmForm>
  )
}
